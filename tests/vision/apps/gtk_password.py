"""A GTK 3 window with a name and a password box; uses the library without bindings."""

import ctypes

gtk = ctypes.CDLL("libgtk-3.so.0")
for name in ("gtk_window_new", "gtk_entry_new", "gtk_box_new", "gtk_label_new"):
    getattr(gtk, name).restype = ctypes.c_void_p
gtk.gtk_init(None, None)
window = ctypes.c_void_p(gtk.gtk_window_new(0))
gtk.gtk_window_set_title(window, b"GTK login")
gtk.gtk_window_set_default_size(window, 300, 150)
box = ctypes.c_void_p(gtk.gtk_box_new(1, 10))
gtk.gtk_container_add(window, box)
user, password = ctypes.c_void_p(gtk.gtk_entry_new()), ctypes.c_void_p(gtk.gtk_entry_new())
gtk.gtk_entry_set_text(user, b"ann")
gtk.gtk_entry_set_text(password, b"gtk-hidden-words")
gtk.gtk_entry_set_visibility(password, 0)
for each in (user, password):
    gtk.gtk_box_pack_start(box, each, 0, 0, 0)
gtk.gtk_widget_show_all(window)
gtk.gtk_main()
