"""Decides whether an operation may be done: allow, ask the user, or refuse, with the reason.

Three parts, each importing only those named after it: `consent` (asking, binding a yes, remembering it), `rules` (facts and
the user's rules in, a verdict out) and `facts` (what an operation would touch, and whose words its text is). The
`gatekeeper` puts them together, once when a reply is planned and once right before it is carried out.
"""
