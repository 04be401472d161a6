"""A GTK 3 window that changes on commands over the Unix socket at argv[1]; uses the library without bindings."""

import ctypes
import os
import socket
import sys
from collections.abc import Callable
from ctypes import c_double, c_int, c_void_p
from typing import Any

gtk, glib = ctypes.CDLL("libgtk-3.so.0"), ctypes.CDLL("libglib-2.0.so.0")


def make(name: str, *arguments: Any) -> c_void_p:
    function = getattr(gtk, name)
    function.restype = c_void_p
    return c_void_p(function(*arguments))


def put(name: str, *arguments: Any) -> None:
    getattr(gtk, name)(*arguments)


gtk.gtk_init(None, None)
window, column = make("gtk_window_new", 0), make("gtk_box_new", 1, 4)
put("gtk_window_set_title", window, b"Changing")
put("gtk_container_add", window, column)
entry, check = make("gtk_entry_new"), make("gtk_check_button_new_with_label", b"Fast")
label, button = make("gtk_label_new", b"Hello"), make("gtk_button_new_with_label", b"Send")
slider = make("gtk_scale_new_with_range", 0, c_double(0), c_double(100), c_double(1))
choice, tabs = make("gtk_combo_box_text_new"), make("gtk_notebook_new")
area, rows, box = (
    make("gtk_scrolled_window_new", None, None),
    make("gtk_list_box_new"),
    make("gtk_box_new", 1, 2),
)
for n in range(5):
    put("gtk_combo_box_text_append_text", choice, f"Choice {n}".encode())
for n in range(30):
    put("gtk_container_add", rows, make("gtk_label_new", f"Line {n}".encode()))
put("gtk_container_add", area, rows)
for name in (b"First", b"Second"):
    inside = make("gtk_button_new_with_label", b"In the " + name)
    put("gtk_notebook_append_page", tabs, inside, make("gtk_label_new", name))
for each in (entry, check, label, button, slider, choice, tabs, area, box):
    put("gtk_box_pack_start", column, each, int(each is area), 1, 0)
dialog = make("gtk_window_new", 0)
put("gtk_window_set_title", dialog, b"Question")
put("gtk_container_add", dialog, make("gtk_button_new_with_label", b"Yes"))
put("gtk_widget_show_all", make("gtk_bin_get_child", dialog))
added: list[c_void_p] = []


def add(n: int) -> None:
    added.append(make("gtk_button_new_with_label", f"Added {n}".encode()))
    put("gtk_container_add", box, added[-1])
    put("gtk_widget_show", added[-1])


def remove(_: int) -> None:
    if added:
        put("gtk_widget_destroy", added.pop())


def scroll(n: int) -> None:
    put("gtk_adjustment_set_value", make("gtk_scrolled_window_get_vadjustment", area), c_double(n * 5))


CHANGES: dict[str, Callable[[int], None]] = {
    "text": lambda n: put("gtk_entry_set_text", entry, f"text {n}".encode()),
    "check": lambda n: put("gtk_toggle_button_set_active", check, n % 2),
    "rename": lambda n: put("gtk_label_set_text", label, f"Hello {n}\n".encode() * (1 + n % 3)),
    "enable": lambda n: put("gtk_widget_set_sensitive", button, n % 2),
    "slide": lambda n: put("gtk_range_set_value", slider, c_double(n)),
    "choose": lambda n: put("gtk_combo_box_set_active", choice, n % 5),
    "tab": lambda n: put("gtk_notebook_set_current_page", tabs, n % 2),
    "select": lambda n: put(
        "gtk_list_box_select_row", rows, make("gtk_list_box_get_row_at_index", rows, n % 30)
    ),
    "scroll": scroll,
    "add": add,
    "remove": remove,
    "hide": lambda n: put("gtk_widget_set_visible", check, n % 2),
    "focus": lambda n: put("gtk_widget_grab_focus", (entry, button)[n % 2]),
    "title": lambda n: put("gtk_window_set_title", window, f"Changing {n}".encode()),
    "move": lambda n: put("gtk_window_move", window, 20 + n * 3, 30 + n),
    "dialog": lambda n: put("gtk_widget_set_visible", dialog, int(n % 2 == 0)),
}

server = socket.socket(socket.AF_UNIX)
server.bind(sys.argv[1])
server.listen()
put("gtk_window_set_default_size", window, 500, 650)
put("gtk_widget_show_all", window)


def change(file: int, _condition: int, _data: object) -> int:
    kind, number = os.read(file, 100).decode().split()
    CHANGES[kind](int(number))
    os.write(file, b"done\n")
    return 1


def connected(_file: int, _condition: int, _data: object) -> int:
    connection, _ = server.accept()
    glib.g_unix_fd_add(connection.detach(), 1, on_change, None)
    return 0


CALLED = ctypes.CFUNCTYPE(c_int, c_int, c_int, c_void_p)
on_change, on_connected = CALLED(change), CALLED(connected)
glib.g_unix_fd_add(server.fileno(), 1, on_connected, None)
gtk.gtk_main()
