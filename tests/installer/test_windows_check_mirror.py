"""Where the chroot's packages come from: found in apt's own words."""

from __future__ import annotations

import pytest

from installer.windows_check import mirror
from installer.windows_check.outcome import Skipped

DEBIAN = """Debian Packages main http://mirror.example/debian-security
Debian Packages contrib http://other.example/debian
Debian Packages main http://mirror.example/debian/
Debian Packages main http://later.example/debian
"""


def test_debians_own_archive_is_taken_and_not_the_one_of_security_updates() -> None:
    assert mirror.debian_mirror(DEBIAN) == "http://mirror.example/debian"


@pytest.mark.parametrize("said", ["", "\n", " Packages main http://a.example/apt\n", "Ubuntu Packages main http://b.example\n"])  # fmt: skip
def test_where_apt_names_no_debian_there_is_none(said: str) -> None:
    assert mirror.debian_mirror(said) == ""


def test_a_machine_without_apt_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(Skipped, match="name no Debian archive"):
        mirror.find()


def test_only_how_mirrors_are_reached_is_taken_over() -> None:
    dump = (
        'Acquire "";\nAcquire::http::Proxy "http://proxy.example:3128";\nAcquire::https::Proxy "";\n'
        'Acquire::https::CaInfo "/etc/ca.pem";\nAcquire::Languages "none";\n'
        'Acquire::http::Proxy::own.example "DIRECT";\n'
    )
    assert [match[0] for match in mirror.REACH.finditer(dump)] == [
        'Acquire::http::Proxy "http://proxy.example:3128";',
        'Acquire::https::CaInfo "/etc/ca.pem";',
        'Acquire::http::Proxy::own.example "DIRECT";',
    ]
