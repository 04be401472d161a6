"""Gives a sandbox a copy of a project's repository, and brings back what was committed there: objects and branches, checked, nothing else.

Git runs what a repository's settings name (fsmonitor, hooks, pager, filters, …). The user's repository is therefore never in a
sandbox: its objects are, read-only, below a copy with settings of ours. What comes back is data: objects are copied into a clean
repository, checked by `git fsck`'s rules while they are fetched, and branches move only forward and only from where we left them.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from desktop_agent.extras.project.sandboxes.git_places import all_stores, driver_names, real_path
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.platforms.posix.bubblewrap import Mount

INSIDE = "/run/desktop-agent/git"
"""Where the copy is in a sandbox whose project has a file `.git` (a linked working tree, a submodule)."""
_KEPT = (
    r"^(user\.(name|email)|init\.defaultbranch|i18n\..*|pull\.rebase|merge\.conflictstyle"
    r"|core\.(autocrlf|eol|safecrlf|filemode|ignorecase|symlinks|precomposeunicode|quotepath|sparsecheckout|sparsecheckoutcone))$"
)
"""Settings that only say how text and files are treated; no remote's address, which may hold a password."""
_SAFE = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.pager=cat", "gc.auto=0", "maintenance.auto=false",
    "fetch.fsckObjects=true", "transfer.fsckObjects=true", "protocol.file.allow=always", "fetch.recurseSubmodules=no",
)  # fmt: skip
_HASH = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_LOOSE, _PACK = re.compile(r"[0-9a-f]{38}(?:[0-9a-f]{24})?"), re.compile(r"pack-[0-9a-f]{40,64}\.pack")
_UNSAFE = re.compile(r"[^\w./@+=#%,-]")
"""Characters of a branch's name that a user's script, which puts the name into a command unquoted, would run."""
_MOST_REFS, _MOST_FILE, _SECONDS = 500, 64 << 20, 120
_NOTHING_FOUND, _NO_REPOSITORY, _MOST_SAID = 1, "fatal: not a git repository", 500
_KEPT_REFS = "refs/desktop-agent/"
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


class GitFailed(Exception):
    """Git did not do what it was asked for, and says why."""


class NoRepository(GitFailed):
    """There is none at that place."""


class RepositoryCopy:
    """The copy, from when it is made until `close`; `mounts` shows it to a sandbox."""

    mounts: tuple[Mount, ...]

    def __init__(self, project: Path, *, anew: bool = False) -> None:
        """Copy it, or make room for one where there is none (`anew`). Raises GitFailed, OSError: then the repository can only be shown as it is, to be read."""
        self._project, self._anew = project, anew
        self._stores: tuple[Path, ...] = ()
        self._start: dict[str, str] = {}
        self._known: dict[str, str] = {}
        """Branches and tags as the sandbox had them when it was last looked."""
        self._ours: dict[str, str] = {}
        """The same in the user's repository, as they were found or moved."""
        self._head = self._brought_head = self._first = self._indexed = ""
        self._format = "sha1"
        self._unsaved = False
        self._folder = Path(tempfile.mkdtemp(prefix="desktop-agent-git-"))
        try:
            self._folder.chmod(0o711)
            self._copy = self._folder / "git"
            if anew:
                self._make_room()
            else:
                self._make()
        except BaseException:
            self.close()
            raise

    @property
    def place(self) -> Path:
        """Its folder: what is written there counts as the project's."""
        return self._copy

    def close(self) -> None:
        """Remove it, but where commits are in it that could not be taken over."""
        if not self._unsaved:
            # By a program: `shutil` calls itself for each folder in a folder, and how deep they go is the sandbox's to say.
            subprocess.run(["rm", "-rf", "--", str(self._folder)], capture_output=True, check=False)

    # ---- there -------------------------------------------------------------------------------

    def _make_room(self) -> None:
        """For a project without a repository: `git init` in the sandbox makes one there."""
        self._copy.mkdir()
        for each in (self._folder, self._copy):
            bubblewrap.give(each)
        self.mounts = (Mount(str(self._copy), f"{self._project}/.git", writable=True),)

    def _begin(self, head: str) -> None:
        """Make the user's repository, in which there is nothing of the sandbox's but what is taken over afterwards."""
        with suppress(NoRepository):
            self._git("rev-parse", "--show-toplevel")
            raise GitFailed("the project lies in a larger repository")
        name = head.removeprefix("ref: refs/heads/")
        self._git("check-ref-format", f"refs/heads/{name}")
        self._git("init", "-q", "--template=", f"--initial-branch={name}", str(self._project))
        self._anew = False
        self._stores = (self._project / ".git" / "objects",)
        self._head = self._brought_head = f"ref: refs/heads/{name}"

    def _make(self) -> None:
        found = self._git(
            "rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-object-format"
        ).split("\n")
        own, common, self._format = Path(found[0]), (self._project / found[1]).resolve(), found[2]
        self._stores = tuple(all_stores(common / "objects"))
        self._new_repository(self._copy)
        self._start = self._known = dict(self._own_refs())
        self._ours = dict(self._start)
        self._head = self._brought_head = self._own_head()
        self._first = self._indexed = self._git(
            "rev-parse", "-q", "--verify", "HEAD^{commit}", fails=True
        ).strip()
        lines = ["# pack-refs with: peeled fully-peeled sorted \n"]
        asked = "%(objectname) %(refname)%(if)%(*objectname)%(then)%0a^%(*objectname)%(end)"
        listed = self._git("for-each-ref", f"--format={asked}", "refs/heads", "refs/remotes", "refs/tags")
        lines += [f"{line}\n" for line in listed.split("\n") if line]
        (self._copy / "packed-refs").write_text("".join(lines), encoding="utf-8")
        (self._copy / "HEAD").write_text(f"{self._head}\n", encoding="utf-8")
        for name, source in (
            ("index", own),
            ("shallow", common),
            ("info/exclude", common),
            ("info/sparse-checkout", own),
        ):
            if (source / name).is_file():
                (self._copy / name).parent.mkdir(exist_ok=True)
                shutil.copy2(source / name, self._copy / name)  # its time tells git which files to look into
        for each in own.glob("sharedindex.*"):
            shutil.copy2(each, self._copy / each.name)
        self._settle(common)

    def _settle(self, common: Path) -> None:
        """Settings of ours, the objects below, and all of it to whom works in the sandbox."""
        as_file = not (self._project / ".git").is_dir()
        at = INSIDE if as_file else f"{self._project}/.git"
        mounts = [Mount(str(self._copy), at, writable=True)]
        if as_file:
            named = self._folder / "named"
            named.write_text(f"gitdir: {INSIDE}\n", encoding="utf-8")
            mounts.append(Mount(str(named), f"{self._project}/.git"))
        borrowed = []
        for number, store in enumerate(self._stores):
            (self._copy / "stores" / str(number)).mkdir(parents=True)
            mounts.append(Mount(str(store), f"{at}/stores/{number}"))
            borrowed.append(f"{at}/stores/{number}\n")
        (self._copy / "objects" / "info").mkdir(exist_ok=True)
        (self._copy / "objects" / "info" / "alternates").write_text("".join(borrowed), encoding="utf-8")
        if (common / "modules").is_dir():
            (self._copy / "modules").mkdir()
            mounts.append(Mount(str(common / "modules"), f"{at}/modules"))
        kept = self._git("config", "-z", "--get-regexp", _KEPT, fails=True).split("\0")
        given = {name: value for name, _, value in (each.partition("\n") for each in kept) if name}
        for name, value in {
            **given,
            "core.bare": "false",
            "core.logallrefupdates": "true",
            "gc.auto": "0",
        }.items():
            self._git("config", "--file", str(self._copy / "config"), name, value, at=self._folder)
        for place, folders, names in os.walk(self._folder):
            for each in (place, *(os.path.join(place, name) for name in (*folders, *names))):  # noqa: PTH118
                bubblewrap.give(Path(each))
        self.mounts = tuple(mounts)

    def _new_repository(self, place: Path) -> None:
        place.mkdir()
        bubblewrap.give(place)
        self._git(
            "init", "-q", "--bare", "--template=", f"--object-format={self._format}", str(place), at=place
        )
        (place / "info").mkdir(exist_ok=True)

    def _own_refs(self) -> Iterator[tuple[str, str]]:
        for line in self._git(
            "for-each-ref", "--format=%(objectname) %(refname)", "refs/heads", "refs/tags"
        ).split("\n"):
            value, _, name = line.partition(" ")
            if name:
                yield name, value

    def _own_head(self) -> str:
        """As a file HEAD has it."""
        named = self._git("symbolic-ref", "-q", "HEAD", fails=True).strip()
        return f"ref: {named}" if named else self._git("rev-parse", "HEAD").strip()

    # ---- back --------------------------------------------------------------------------------

    def bring_back(self) -> tuple[str, ...]:
        """Take over what was committed since the last time; returns sentences for the user where something stayed behind."""
        try:
            head, refs = self._written()
            if self._anew:
                if not refs:
                    return ()
                self._begin(head)
            changed = {name: value for name, value in refs.items() if self._known.get(name) != value}
            if not head or (refs == self._known and head == self._head):
                return ()
            told = self._taken(changed) if changed else []
            told += self._follow(head)
            gone = [name for name in self._known if name not in refs and name in self._start]
            told += [
                f"{_short(each)} was deleted in the sandbox. It stays in your repository." for each in gone
            ]
        except (GitFailed, OSError, UnicodeDecodeError, subprocess.TimeoutExpired) as error:
            if self._unsaved:
                return ()
            self._unsaved = True
            return (
                f"Commits of the sandbox were not taken over: {error}. They are in {self._copy}: never run git in there.",
            )
        self._unsaved = False
        self._known, self._head = refs, head
        return tuple(told)

    def _written(self) -> tuple[str, dict[str, str]]:
        """HEAD and the branches and tags of the copy, read as the data of a stranger."""
        refs: dict[str, str] = {}
        if not os.path.lexists(self._copy / "HEAD"):  # not begun yet, or removed in there
            return "", dict(self._known)
        with _opened(self._copy) as top:
            head = _text(top, "HEAD", 4_096).strip()
            with suppress(FileNotFoundError):
                for line in _text(top, "packed-refs", _MOST_FILE).splitlines():
                    value, _, name = line.partition(" ")
                    if _HASH.fullmatch(value) and name.startswith(("refs/heads/", "refs/tags/")):
                        refs[name] = value
            for kind in ("refs/heads", "refs/tags"):
                for place, _, names, folder in os.fwalk(kind, dir_fd=top):
                    for name in names:
                        with suppress(OSError, UnicodeDecodeError):
                            value = _text(folder, name, 4_096).strip()
                            if _HASH.fullmatch(value):
                                refs[f"{place}/{name}"] = value
        return head, refs

    def _taken(self, changed: Mapping[str, str]) -> list[str]:
        if len(changed) > _MOST_REFS:
            raise GitFailed(f"{len(changed)} branches and tags were changed at once.")
        with tempfile.TemporaryDirectory(prefix="desktop-agent-git-") as folder:
            Path(folder).chmod(0o711)
            clean = Path(folder) / "git"
            self._new_repository(clean)
            (clean / "objects" / "info").mkdir(exist_ok=True)
            borrowed = "".join(f"{each}\n" for each in self._stores)
            (clean / "objects" / "info" / "alternates").write_text(borrowed, encoding="utf-8")
            self._copy_objects(clean)
            for number, (name, value) in enumerate(changed.items()):
                self._git("check-ref-format", name)
                self._git("update-ref", f"refs/in/{number}", value, at=clean)
            wanted = [f"+refs/in/{number}:{_KEPT_REFS}{name[5:]}" for number, name in enumerate(changed)]
            self._git("fetch", "-q", "--no-tags", "--no-write-fetch-head", str(clean), *wanted)
        drivers = drivers_of(self._project)
        return [told for name, value in changed.items() if (told := self._move(name, value, drivers))]

    def _move(self, name: str, value: str, drivers: frozenset[str]) -> str:
        """Set a branch or tag to what was fetched; "" or why it was kept beside."""
        current = self._git("rev-parse", "-q", "--verify", name, fails=True).strip()
        if current == value:
            why = ""
            self._ours[name] = value
        elif _UNSAFE.search(name):
            why = "a shell takes its name for commands"
        elif current and (name.startswith("refs/tags/") or current != self._ours.get(name)):
            why = "it was changed outside meanwhile"
        elif (
            name in self._start
            and self._git("merge-base", self._start[name], value, fails=True) != self._start[name]
        ):
            why = "commits that were there before the run are not in it any more"
        elif self._checked_out_elsewhere(name):
            why = "another working tree has it checked out"
        elif found := self._named_drivers(current or self._first, value, drivers):
            why = f"its .gitattributes would have git run your own {found}"
        else:
            self._git(
                "update-ref",
                "-m",
                "desktop-agent: from the sandbox",
                name,
                value,
                current or "0" * len(value),
            )
            why = ""
            self._ours[name] = value
        if why:
            return f"{_short(name)} was not moved to the commit of the sandbox: {why}. It is kept as {f'{_KEPT_REFS}{name[5:]}'}."
        self._git("update-ref", "-d", f"{_KEPT_REFS}{name[5:]}")
        return ""

    def _follow(self, head: str) -> list[str]:
        """Have HEAD and the index stand where they stand in the sandbox, where that branch could be taken over."""
        if head != self._head:
            if self._own_head() != self._brought_head:
                return ["The branch was changed in the sandbox and outside: outside it stays."]
            named = head.removeprefix("ref: ")
            if named != head and self._git("rev-parse", "-q", "--verify", named, fails=True).strip():
                self._git("check-ref-format", named)
                if not named.startswith("refs/heads/"):
                    return ["The sandbox has checked out what is no branch: outside the branch stays."]
                self._git("symbolic-ref", "-m", "desktop-agent: from the sandbox", "HEAD", named)
            elif _HASH.fullmatch(head) and self._git(
                "rev-parse", "-q", "--verify", f"{head}^{{commit}}", fails=True
            ):
                self._git("update-ref", "--no-deref", "HEAD", head)
            else:
                return [
                    "The sandbox has checked out what is not in your repository: outside the branch stays."
                ]
            self._brought_head = head
        after = self._git("rev-parse", "-q", "--verify", "HEAD^{commit}", fails=True).strip()
        if after and after != self._indexed:
            self._git("read-tree", "--reset", after)
            self._indexed = after
        return []

    def _checked_out_elsewhere(self, name: str) -> bool:
        place = self._git("for-each-ref", "--format=%(worktreepath)", name).strip()
        return bool(place) and real_path(Path(place)) != real_path(self._project)

    def _named_drivers(self, old: str, new: str, drivers: frozenset[str]) -> str:
        if not drivers:
            return ""
        known = self._attributes(old) if old else frozenset()
        return ", ".join(sorted((self._attributes(new) - known) & drivers))

    def _attributes(self, commit: str) -> frozenset[str]:
        names = self._git("ls-tree", "-r", "-z", "--name-only", commit).split("\0")
        found: set[str] = set()
        for name in names:
            if name.rpartition("/")[2].casefold() == ".gitattributes":
                found |= driver_names(self._git("cat-file", "blob", f"{commit}:{name}"))
        return frozenset(found)

    def _copy_objects(self, clean: Path) -> None:
        """Copy the copy's own objects, and nothing else that may stand among them: no link, no list of other stores, no index."""
        target = clean / "objects"
        with _opened(self._copy / "objects") as top:
            for place, folders, names, folder in os.fwalk(".", dir_fd=top):
                at = place.removeprefix("./")
                folders[:] = [each for each in folders if place == "." and (len(each) == 2 or each == "pack")]
                fits = _PACK if at == "pack" else _LOOSE
                for name in (each for each in names if place != "." and fits.fullmatch(each)):
                    (target / at).mkdir(exist_ok=True)
                    with (
                        suppress(FileNotFoundError),
                        _regular(folder, name) as data,
                        (target / at / name).open("wb") as copied,
                    ):
                        shutil.copyfileobj(data, copied)
        for path in (clean, *clean.rglob("*")):
            bubblewrap.give(path)
        for pack in target.glob("pack/*.pack"):
            self._git("index-pack", "--strict", str(pack), at=clean)

    # ---- git ---------------------------------------------------------------------------------

    def _git(self, *words: str, at: Path | None = None, fails: bool = False) -> str:
        """The words of git, as whoever the project belongs to. Raises GitFailed, but where it `fails` by finding nothing."""
        return git(self._project, words, at or self._project, fails=fails)


def drivers_of(project: Path) -> frozenset[str]:
    """Programs of the user's own settings that a .gitattributes can have git run. Raises GitFailed, OSError."""
    words = ("config", "-z", "--name-only", "--get-regexp", r"^(filter|diff|merge)\..*\.")
    found = git(project, words, project, fails=True)
    return frozenset(".".join(each.split(".")[:-1]) for each in found.split("\0") if each)


def git(project: Path, words: Sequence[str], at: Path, *, fails: bool = False) -> str:
    """Run git at a place, as the owner of the project and with nothing that runs by itself; "" where it `fails` by finding nothing.

    Raises GitFailed with git's words and the way it ended.
    """
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C.UTF-8"}
    owner = project.stat()
    become: dict[str, Any] = {}
    if os.geteuid() == 0 and owner.st_uid:
        become = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        environment["HOME"] = "/"
    settings = (each for setting in _SAFE for each in ("-c", setting))
    try:
        ran = subprocess.run(
            ["git", *settings, *words], cwd=at, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, timeout=_SECONDS, check=False, **become,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git {words[0]} took too long.") from error
    if ran.returncode not in ((0, _NOTHING_FOUND) if fails else (0,)):
        said = " / ".join(ran.stderr.decode(errors="replace").split("\n")).strip(" /")[-_MOST_SAID:]
        ended = f"exit code {ran.returncode}" if ran.returncode > 0 else f"signal {-ran.returncode}"
        kind = NoRepository if _NO_REPOSITORY in said else GitFailed
        raise kind(f"git {words[0]}: {said or 'it says nothing'} ({ended})")
    return str(ran.stdout.decode(errors="surrogateescape")).removesuffix("\n")


def _short(name: str) -> str:
    return name.removeprefix("refs/heads/").removeprefix("refs/")


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    descriptor = os.open(folder, _READ | os.O_DIRECTORY)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _regular(folder: int, name: str) -> Iterator[IO[bytes]]:
    """A file of this folder, never through a link. Raises OSError for what is none."""
    with os.fdopen(os.open(name, _READ, dir_fd=folder), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(f"{name} is not a file")
        yield file


def _text(folder: int, name: str, most: int) -> str:
    with _regular(folder, name) as file:
        return file.read(most).decode()
