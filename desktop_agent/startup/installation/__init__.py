"""The program on its machine: how it is started, at log-on and from the list of programs, and the licences of its parts."""
