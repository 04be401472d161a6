"""Places with a screen and inputs. A file without an underscore is a plug-in, named as in `--target NAME`."""
