"""A project's repository in a sandbox: commits come back, and nothing that is written in there is run by git outside."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from desktop_agent.extras.project.sandboxes import project_git, repository_copy
from desktop_agent.extras.project.tools import project
from desktop_agent.extras.project.tools.project import Project
from desktop_agent.platforms.posix import bubblewrap
from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import ConfigError
from desktop_agent.protocol.stop_flag import StopFlag
from tests.extras.project.orchestrator.project_folder import project_in

pytestmark = [
    pytest.mark.linux("a bubblewrap box"),
    pytest.mark.skipif(
        sys.platform == "linux" and not bubblewrap.is_usable(), reason="no box can be made here"
    ),
]
NAMES = "git config user.name a; git config user.email b"


def outside(folder: Path, *words: str, fine: bool = True) -> str:
    """What the user's own git says there, with the user's rights and settings."""
    words = ("git", "-c", "safe.directory=*", "-c", "user.name=u", "-c", "user.email=u@example.org", *words)
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert not fine or not ran.returncode, f"{words} ended with {ran.returncode}: {ran.stdout}{ran.stderr}"
    return ran.stdout + ran.stderr


def owned(folder: Path) -> None:
    subprocess.run(["chown", "-R", "--reference", str(folder), str(folder)], check=True)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return repository_in(tmp_path)


def repository_in(tmp_path: Path) -> Path:
    """A project with a commit, a nested repository, and a repository without a working tree."""
    found = project_in(tmp_path)
    outside(found, "init", "-q", "-b", "main")
    (found / "a").write_text("a\n")
    (found / ".gitignore").write_text("nested\nbare.git\nempty\n")
    outside(found, "add", ".")
    outside(found, "commit", "-q", "-m", "First")
    outside(found, "init", "-q", "nested")
    outside(found, "init", "-q", "--bare", "bare.git")
    (found / "empty").mkdir()
    owned(found)
    return found


@pytest.fixture
def box(folder: Path) -> Iterator[Project]:
    made = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    assert isinstance(made, Project)
    made.start()
    yield made
    made.close()
    subprocess.run(["rm", "-rf", str(folder / "d")], check=True)  # pytest could not remove what is so deep


def bash(place: Project, command: str) -> str:
    response = place.execute(ops.Run("bash", command), StopFlag())
    return response.text or response.detail


EVIL = "[core]\\n\\trepositoryformatversion = 0\\n\\tfsmonitor = touch MARK; false\\n"
FORGE = f'forge() {{ git init -q "$@" && printf "{EVIL}" >> "$(git -C "${{@: -1}}" rev-parse --absolute-git-dir)/config"; }}; '
WAYS = {
    "its settings": f'printf "{EVIL}" >> .git/config',
    "its settings, by git": "git config core.fsmonitor 'touch MARK; false'",
    "renamed, and a copy with other settings": f'mv .git old; cp -r old .git; printf "{EVIL}" >> .git/config',
    "removed and made anew": f"rm -rf .git; {FORGE} forge .",
    "commondir": f'{FORGE} forge empty; echo "$PWD/empty/.git" > .git/commondir',
    "a file that names another": f"{FORGE} forge empty; rm -rf .git; echo 'gitdir: empty/.git' > .git",
    "a link": f"{FORGE} forge empty; rm -rf .git; ln -s empty/.git .git",
    "a hook": "mkdir -p .git/hooks; for h in post-index-change post-checkout pre-commit; do printf '#!/bin/sh\\ntouch MARK\\n' > .git/hooks/$h; chmod +x .git/hooks/$h; done; touch a",
    "included settings": f'printf "{EVIL}" > inc; git config include.path ../inc',
    "settings of a working tree": f'git config extensions.worktreeConfig true; printf "{EVIL}" > .git/config.worktree',
    "attributes and a filter": "git config filter.x.clean 'touch MARK; cat'; echo '* filter=x' > .gitattributes; echo '* filter=x' > .git/info/attributes; echo b >> a",
    "another pager and editor": "git config core.pager 'touch MARK'; git config core.editor 'touch MARK'; git config alias.status '!touch MARK'",
    "a repository in a folder": f"{FORGE} forge empty",
    "one in a folder, in other letters": f"{FORGE} forge empty; mv empty/.git empty/.GIT",
    "one in a folder without a working tree": f"{FORGE} forge --bare empty",
    "one in a folder that a file names": f"{FORGE} forge other; echo 'gitdir: ../other/.git' > empty/.git",
    "one in a folder by a link": f"{FORGE} forge other; ln -s ../other/.git empty/.git",
    "one in a folder by a commondir": f'{FORGE} forge other; mkdir empty/.git; cp other/.git/HEAD empty/.git; echo "../../other/.git" > empty/.git/commondir',
    "one behind a folder closed to who looks": f"{FORGE} forge empty/in; chmod 111 empty",
    "one deeper than calls go": f"{FORGE} p=$(printf 'd/%.0s' {{1..1200}}); mkdir -p $p; (cd $p; forge .)",
    "the nested one's settings": f'printf "{EVIL}" >> nested/.git/config',
    "the nested one renamed": f"mv nested/.git nested/old; {FORGE} forge nested",
    "the nested one's folder renamed": f"mv nested moved; {FORGE} forge nested",
    "the bare one's settings": f'printf "{EVIL}" >> bare.git/config',
    "the bare one renamed": f"mv bare.git moved; {FORGE} forge --bare bare.git",
    "a submodule that is committed": f"{FORGE} forge sub; (cd sub; {NAMES}; git commit -q --allow-empty -m s); {NAMES}; git add -f sub; git commit -q -m Sub",
    "one that comes after the command": f"{FORGE} (sleep 0.5; forge empty) >/dev/null 2>&1 &",
    "a template of branches": 'git symbolic-ref HEAD "refs/heads/../../x"; printf "x\\n" > .git/refs/heads/--upload-pack=touch',
    "borrowed objects": 'mkdir -p .git/objects/info; echo "$PWD/empty" > .git/objects/info/alternates',
    "a merge driver": "git config merge.x.driver 'touch MARK'; echo '* merge=x diff=x' > .gitattributes; git config diff.x.command 'touch MARK'; echo b >> a",
    "where a remote is asked": "git remote add origin ext::'touch MARK'; git config remote.origin.uploadpack 'touch MARK'; git config branch.main.remote origin",
}


@pytest.mark.parametrize("way", WAYS)
def test_nothing_written_in_the_sandbox_is_run_by_git_outside(way: str, folder: Path, box: Project) -> None:
    try_way_out(way, folder, box)


def way_out(way: str, folder: Path) -> str:
    return WAYS[way].replace("MARK", str(folder.parent / "mark"))


def try_way_out(way: str, folder: Path, box: Project) -> None:
    """Have the sandbox write what git would run, then use git outside, while the sandbox lives and when it has ended."""
    mark = folder.parent / "mark"
    bash(box, way_out(way, folder))
    if "after the command" in way:
        bash(box, "until grep -q fsmonitor empty/.git/config; do sleep 0.05; done")
    for ended in (False, True):
        for place in (
            ".",
            "/".join("d" * 1_200),
            "nested",
            "bare.git",
            "empty",
            "empty/in",
            "other",
            "sub",
            "moved",
            "old",
        ):
            if (folder / place).is_dir() and not mark.exists():
                for words in (("status",), ("log", "-p"), ("diff",), ("fetch",)):
                    outside(folder / place, *words, fine=False)
                assert not mark.exists(), f"{way}: run in {place}, ended: {ended}"
        if not ended:
            box.close()
    assert outside(folder, "rev-parse", "--show-toplevel").strip() == str(folder)
    outside(folder, "commit", "-q", "--allow-empty", "-m", "Mine")
    assert not mark.exists(), way


def test_a_commit_in_the_sandbox_is_the_users(folder: Path, box: Project) -> None:
    assert "nothing to commit" in bash(box, "git status")
    printed = bash(
        box,
        f"{NAMES}; echo b >> a; git commit -q -am Second; git switch -q -c side; echo c > c; git add c; git commit -q -m Third; git tag v1",
    )
    assert outside(folder, "log", "--format=%s", "side").split() == ["Third", "Second", "First"], printed
    assert outside(folder, "log", "--format=%s", "main").split() == ["Second", "First"]
    assert outside(folder, "status", "--porcelain", "--branch").split() == ["##", "side"]
    bash(box, "git commit -q --amend -m Better; git gc -q --prune=now; git switch -q main")
    assert outside(folder, "log", "--format=%s", "side").split() == ["Better", "Second", "First"]
    assert outside(folder, "status", "--porcelain", "--branch").split() == ["##", "main"], box.findings()
    box.close()
    outside(folder, "fsck", "--strict")
    assert not outside(folder, "for-each-ref", "refs/desktop-agent").strip()


def test_branches_move_only_forward_and_only_from_where_they_were(folder: Path, box: Project) -> None:
    bash(
        box,
        f"{NAMES}; git branch lost; git checkout -q --orphan new; git commit -q -m Orphan; git branch -f main; git branch -D lost",
    )
    assert outside(folder, "log", "--format=%s", "main").split() == ["First"]
    assert outside(folder, "log", "--format=%s", "desktop-agent/heads/main").split() == ["Orphan"]
    assert any("main was not moved" in each for each in box.findings())


LEADING = {
    "ln -s ../../tools/check .git/hooks/post-checkout": "tools/check",
    "git config core.hooksPath tools": "tools/check",
    "git config include.path ../shared.cfg": "shared.cfg",
    "git config alias.deploy '!sh tools/check --all'": "tools/check",
}


@pytest.mark.parametrize("leading", LEADING)
def test_the_users_own_settings_have_git_run_nothing_of_the_sandboxs_unseen(
    leading: str, folder: Path
) -> None:
    name = LEADING[leading]
    for each in ("tools/check", "shared.cfg"):
        (folder / each).parent.mkdir(exist_ok=True)
        (folder / each).write_text("# before\n")
    leading = leading.replace("git config", "git config --file .git/config")
    subprocess.run(["sh", "-c", f"mkdir -p .git/hooks; {leading}"], cwd=folder, check=True)
    owned(folder)
    made = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    made.start()
    made.begin()
    made.execute(ops.Run("bash", f"echo '# evil' >> {name}; rm -rf tools shared.cfg"), StopFlag())
    told = "\n".join(made.findings())
    made.close()
    if "alias" in leading:  # run only where the user calls it: it can be worked on, and is shown
        assert name in told and not (folder / name).exists()
    else:
        assert (folder / name).read_text() == "# before\n" and "can only be read" in told


def test_a_branch_whose_name_a_shell_would_run_is_no_branch_outside(folder: Path, box: Project) -> None:
    bash(box, f"{NAMES}; git checkout -q -b 'x;touch${{IFS}}mark'; git commit -q --allow-empty -m Evil")
    assert any("a shell takes its name for commands" in each for each in box.findings())
    assert outside(folder, "branch", "--format=%(refname:short)").split() == ["main"]


def test_a_repository_begun_in_the_sandbox_is_the_users_without_its_settings(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    made = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    assert isinstance(made, Project)
    made.start()
    assert outside(folder, "status", fine=False).startswith("fatal: not a git repository")
    bash(
        made,
        f"git init -q -b first; {NAMES}; git config core.pager evil; echo a > a; git add a; git commit -q -m Begun",
    )
    made.close()
    assert outside(folder, "log", "--format=%s").split() == ["Begun"]
    assert outside(folder, "status", "--porcelain") == "" and "evil" not in outside(
        folder, "config", "--list"
    )


def test_where_there_is_no_repository_none_stays(tmp_path: Path) -> None:
    folder = project_in(tmp_path)
    made = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    made.start()
    made.execute(ops.Run("bash", "git init -q"), StopFlag())
    made.close()
    assert not (folder / ".git").exists()


def test_a_linked_working_tree_is_worked_in_too(folder: Path, tmp_path: Path) -> None:
    outside(folder, "branch", "linked")
    tree = tmp_path / "tree"
    tree.mkdir()
    bubblewrap.give(tree)
    outside(folder, "worktree", "add", "-q", str(tree), "linked")
    owned(folder)
    owned(tree)
    made = project.create(project.Options(folder=str(tree), sandbox="bubblewrap"))
    assert isinstance(made, Project)
    made.start()
    printed = bash(
        made,
        f"{NAMES}; echo b > b; git add b; git commit -q -m Linked; git branch -f main; rm -f .git; echo 'gitdir: /tmp' > .git",
    )
    told = made.findings()
    made.close()
    assert outside(tree, "log", "--format=%s", "linked").split() == ["Linked", "First"], printed
    assert outside(folder, "log", "--format=%s", "main").split() == ["First"], told
    assert outside(tree, "status", "--porcelain") == ""


def test_attributes_have_git_outside_run_none_of_the_users_programs(folder: Path) -> None:
    mark = folder.parent / "mark"
    outside(folder, "config", "filter.mine.clean", f"touch {mark}; cat")
    (folder / "in").mkdir()
    (folder / "in" / "b").write_text("b\n")
    outside(folder, "add", ".")
    outside(folder, "commit", "-q", "-m", "In")
    owned(folder)
    box = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    assert isinstance(box, Project)
    box.start()
    try:
        bash(
            box,
            f"{NAMES}; echo '* filter=mine' | tee .gitattributes > in/.gitattributes; git add .; git commit -q -m Attributes; echo x >> in/b",
        )
        outside(folder, "status")
        assert outside(folder, "log", "--format=%s", "-1").strip() == "In" and not mark.exists()
        told = box.findings()
        assert sum("would have git" in each for each in told) == 3, told
        bash(
            box,
            "git reset -q --hard HEAD~1; echo '*.txt text' > .gitattributes; git add .gitattributes; git commit -q -m Text",
        )
        assert outside(folder, "log", "--format=%s", "-1").strip() == "Text"
    finally:
        box.close()
    outside(folder, "status")
    assert not mark.exists() and (folder / ".gitattributes").exists()


def test_files_written_from_outside_are_none_of_gits(box: Project, folder: Path) -> None:
    for path in (".git/hooks/pre-commit", "nested/.git/config", "new/.GIT/config", ".git"):
        assert box.execute(ops.WriteFile(path, "x"), StopFlag()).outcome == "refused", path


def test_what_git_does_not_tell_is_not_taken_for_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a file that the user's hooks run could be written in the sandbox, as when git is killed for want of memory."""

    def failing(project: Path, words: Sequence[str], at: Path) -> str:
        if words[0] == "config":
            raise repository_copy.GitFailed("git config: it ended with -9")
        return repository_copy.git(project, words, at)

    monkeypatch.setattr(project_git, "git", failing)
    place = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    with pytest.raises(ConfigError, match="it ended with -9"):
        place.start()
    monkeypatch.undo()
    assert outside(folder, "status", "--short").strip() == ""


def test_that_git_tells_nothing_later_is_told(
    folder: Path, box: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(project: Path, words: Sequence[str], at: Path) -> str:
        raise repository_copy.GitFailed("git config: it ended with -9")

    monkeypatch.setattr(project_git, "git", failing)
    box.begin()
    assert "Git does not tell" in "\n".join(box.findings())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("cat-file", "-p", "0" * 40), r"git cat-file: fatal: Not a valid object name 0+ \(exit code 128\)"),
        (("config", "--get", "not.there"), r"git config: it says nothing \(exit code 1\)"),
        (("-c", "alias.k=!kill -9 $PPID", "k"), r"\(signal 9\)"),
    ],
)
def test_why_git_failed_is_told_with_its_own_words(words: Sequence[str], told: str, folder: Path) -> None:
    with pytest.raises(repository_copy.GitFailed, match=told):
        repository_copy.git(folder, words, folder)


def test_only_what_git_did_not_find_is_nothing(folder: Path) -> None:
    assert repository_copy.git(folder, ("config", "--get", "not.there"), folder, fails=True) == ""
    with pytest.raises(repository_copy.GitFailed):
        repository_copy.git(folder, ("cat-file", "-p", "0" * 40), folder, fails=True)


def test_a_repository_that_git_cannot_read_is_not_taken_for_none(folder: Path) -> None:
    """What its hooks run could be written in the sandbox, and git may be able to read it later."""
    (folder / ".git" / "config").write_text("[core\n")
    place = project.create(project.Options(folder=str(folder), sandbox="bubblewrap"))
    with pytest.raises(ConfigError, match="bad config line 1"):
        place.start()


def test_links_in_a_circle_are_nothing_that_git_runs(folder: Path) -> None:
    """A hook, and a file of the sandbox with the name of an alias."""
    (folder / ".git" / "hooks").mkdir(exist_ok=True)
    (folder / ".git" / "hooks" / "pre-commit").symlink_to("pre-commit")
    (folder / "circle").symlink_to("circle")
    outside(folder, "config", "alias.round", "!circle")
    assert project_git.run_by_git(folder) == frozenset()
