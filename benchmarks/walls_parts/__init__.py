"""What the benchmark `walls` plays its cases with: stage, site, obeying model, human, effects."""
