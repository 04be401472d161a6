"""The wires: keys over HTTP to real servers, reports of a USB keyboard and mouse as a host reads them."""
