"""What every wire does: a keyboard and mouse at its end work another computer, on which nothing is installed."""
