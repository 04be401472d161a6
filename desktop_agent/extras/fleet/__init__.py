"""Many goals over many desktops: a Ray cluster offers the desktops, a driver hands the goals out."""
