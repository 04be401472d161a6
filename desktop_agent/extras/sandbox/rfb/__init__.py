"""A VNC server as a place: the RFB protocol (RFC 6143), its screen, its input, and what releases there."""
