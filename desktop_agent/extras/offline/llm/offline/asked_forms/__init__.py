"""Goals about a form that is in sight: which words of one are the value of which field."""
