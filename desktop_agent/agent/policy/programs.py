"""Which programs and windows are special: terminals, run dialogs, file managers, browsers, log-in and lock screens."""

from __future__ import annotations

import re

from desktop_agent.agent.policy.confusables import fold

TERMINALS = frozenset((
    "xterm", "uxterm", "koi8rxterm", "lxterm", "lxterminal", "gnome-terminal", "gnome-terminal-server", "kgx", "ptyxis",
    "konsole", "yakuake", "xfce4-terminal", "mate-terminal", "terminator", "tilix", "guake", "tilda", "kitty",
    "alacritty", "foot", "footclient", "wezterm", "wezterm-gui", "ghostty", "st", "st-256color", "urxvt", "urxvtd",
    "rxvt", "rxvt-unicode", "mlterm", "eterm", "aterm", "qterminal", "terminology", "deepin-terminal", "cool-retro-term",
    "hyper", "tabby", "rio", "contour", "sakura", "roxterm", "termite", "x-terminal-emulator", "warp",
    "windowsterminal", "cmd", "powershell", "pwsh", "conhost", "openconsole", "mintty", "putty", "terminal", "iterm2",
    "org.gnome.terminal", "org.gnome.console", "com.mitchellh.ghostty",
))  # fmt: skip
RUN_DIALOGS = frozenset((
    "gmrun", "dmenu", "rofi", "wofi", "fuzzel", "bemenu", "krunner", "xfce4-appfinder", "xfrun4", "lxqt-runner", "albert",
    "ulauncher", "synapse", "kupfer", "gnome-do", "launchy", "xfce4-run", "mate-run-dialog", "tofi", "fsearch", "xlunch",
))  # fmt: skip
FILE_MANAGERS = frozenset((
    "pcmanfm", "pcmanfm-qt", "nautilus", "org.gnome.nautilus", "dolphin", "thunar", "nemo", "caja", "konqueror", "krusader",
    "doublecmd", "double commander", "spacefm", "rox", "xfe", "xfdesktop", "nemo-desktop", "caja-desktop", "dde-file-manager",
    "explorer", "finder", "pantheon-files", "io.elementary.files", "plasmashell", "desktop_window",
))  # fmt: skip
BROWSERS = frozenset((
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "firefox", "firefox-esr", "navigator",
    "firefoxdeveloperedition", "librewolf", "waterfox", "brave", "brave-browser", "microsoft-edge", "msedge", "vivaldi",
    "vivaldi-stable", "opera", "epiphany", "org.gnome.epiphany", "falkon", "midori", "qutebrowser", "konqueror", "seamonkey",
    "palemoon", "tor browser", "min", "ungoogled-chromium", "thorium-browser", "zen", "surf", "netsurf", "dillo", "badwolf",
))  # fmt: skip
GUARDS = frozenset((
    "polkit-gnome-authentication-agent-1", "polkit-kde-authentication-agent-1", "polkit-mate-authentication-agent-1",
    "lxpolkit", "lxqt-policykit-agent", "xfce-polkit", "mate-polkit", "ukui-polkit", "kdesu", "kdesudo", "gksu", "gksudo",
    "gksu-properties", "lxqt-sudo", "ktsuss", "beesu", "pkexec", "ssh-askpass", "ksshaskpass", "x11-ssh-askpass",
    "lxqt-openssh-askpass", "gcr-prompter", "gcr4-ssh-askpass", "seahorse-ssh-askpass", "pinentry", "pinentry-gtk-2",
    "pinentry-gtk", "pinentry-qt", "pinentry-qt5", "pinentry-qt4", "pinentry-gnome3", "pinentry-x11", "pinentry-fltk",
    "pinentry-tqt", "kwalletd5", "kwalletd6", "kwalletmanager", "consent", "credentialuibroker", "logonui", "zenity-askpass",
))  # fmt: skip
LOCKS = frozenset((
    "i3lock", "xsecurelock", "xscreensaver", "xscreensaver-auth", "xscreensaver-gfx", "slock", "xlock", "xtrlock",
    "light-locker", "light-locker-dialog", "gnome-screensaver", "mate-screensaver", "mate-screensaver-dialog",
    "cinnamon-screensaver", "kscreenlocker", "kscreenlocker_greet", "xfce4-screensaver", "xfce4-screensaver-dialog",
    "betterlockscreen", "physlock", "swaylock", "lightdm-gtk-greeter", "gdm", "sddm-greeter", "lockapp", "alock", "xautolock",
))  # fmt: skip
LAUNCHERS = frozenset((
    "lxpanel", "lxqt-panel", "xfce4-panel", "mate-panel", "tint2", "plank", "polybar", "plasmashell", "gnome-shell",
    "cinnamon", "budgie-panel", "wf-panel", "latte-dock", "cairo-dock", "docky", "xfce4-whiskermenu", "jgmenu", "openbox",
    "fluxbox", "icewm", "blackbox", "jwm", "fvwm", "fvwm3", "enlightenment", "xfwm4", "pekwm", "twm", "awesome", "i3bar",
    "searchhost", "startmenuexperiencehost", "shellexperiencehost", "xfdesktop",
))  # fmt: skip
"""Panels, docks and window managers, whose menus start programs."""
_RUN_TITLES = frozenset((
    "run", "run application", "run command", "run program", "run...", "run…", "application finder", "ausfuhren", "programm ausfuhren",
    "befehl ausfuhren", "executer", "ejecutar", "esegui", "executar", "uitvoeren", "uruchom", "выполнить", "运行", "執行", "実行",
))  # fmt: skip
_GUARD_TITLES = frozenset(
    ("authenticate", "authentication required", "user account control", "windows security")
)
_TERMINAL_WORDS = re.compile(
    r"term|konsole|console|shell|command|\bcmd\b|\bprompt\b|\bbash\b|\bzsh\b|\btty\b|kitty|alacritty|ghostty|wezterm|tmux"
    r"|terminal|befehlszeile|eingabeaufforderung|kommandozeile|终端|終端|端末|터미널|ターミナル|терминал"
)


def is_one_of(known: frozenset[str], *names: str) -> bool:
    """Is one of the names (a window's class, a program's file name) in the table?"""
    return any(_base(name) in known for name in names if name)


def is_terminal(*names: str) -> bool:
    return is_one_of(TERMINALS, *names)


def is_run_dialog(title: str, *names: str) -> bool:
    """By its program, or by a title that says nothing else."""
    return is_one_of(RUN_DIALOGS, *names) or fold(title) in _folded(_RUN_TITLES)


def is_guard(title: str, *names: str) -> bool:
    """Asks for somebody's password or rights: an authentication agent."""
    return is_one_of(GUARDS, *names) or fold(title) in _folded(_GUARD_TITLES)


def may_mean_terminal(what: str) -> bool:
    """Could somebody mean a terminal by this name of an application?"""
    return is_terminal(what) or _TERMINAL_WORDS.search(fold(what)) is not None


def _folded(titles: frozenset[str]) -> frozenset[str]:
    return frozenset(map(fold, titles))


def _base(name: str) -> str:
    return name.strip().casefold().removesuffix(".exe").removesuffix(" (deleted)")
