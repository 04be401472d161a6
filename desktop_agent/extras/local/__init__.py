"""A model file on this machine, run by llama.cpp inside the program, with what it has read kept over restarts."""
