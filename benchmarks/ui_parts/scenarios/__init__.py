"""What is done to the window: each module is a scenario, its docstring the figure's name, `play(stage)` carries it out."""
