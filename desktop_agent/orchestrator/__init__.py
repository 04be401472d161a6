"""Runs inside the sandbox: carries out the commands of the environments and tells what there is to see."""
