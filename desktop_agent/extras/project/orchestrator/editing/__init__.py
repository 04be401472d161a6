"""The parts of the editor environment: views of files, definitions in them, and changes."""
