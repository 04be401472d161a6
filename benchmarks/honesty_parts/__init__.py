"""Jobs on small applications that lie, trap or take long: the program, the cases, a model that believes everything."""
