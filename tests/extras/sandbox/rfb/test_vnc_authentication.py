"""DES as FIPS 46-3 has it, and what VNC makes of it."""

from __future__ import annotations

import pytest

from desktop_agent.extras.sandbox.rfb.vnc_authentication import answer, encrypt


# Known answers of NBS Special Publication 500-20 and FIPS 81: together they use every entry of every box.
@pytest.mark.parametrize(
    ("key", "plain", "cipher"),
    [
        ("0123456789abcdef", "4e6f772069732074", "3fa40e8a984d4815"),
        ("7ca110454a1a6e57", "01a1d6d039776742", "690f5b0d9a26939b"),
        ("0131d9619dc1376e", "5cd54ca83def57da", "7a389d10354bd271"),
        ("07a1133e4a0b2686", "0248d43806f67172", "868ebb51cab4599a"),
        ("3849674c2602319e", "51454b582ddf440a", "7178876e01f19b2a"),
        ("04b915ba43feb5b6", "42fd443059577fa2", "af37fb421f8c4095"),
        ("0113b970fd34f2ce", "059b5e0851cf143a", "86a560f10ec6d85b"),
        ("0170f175468fb5e6", "0756d8e0774761d2", "0cd3da020021dc09"),
        ("43297fad38e373fe", "762514b829bf486a", "ea676b2cb7db2b7a"),
        ("07a7137045da2a16", "3bdd119049372802", "dfd64a815caf1a0f"),
        ("04689104c2fd3b2f", "26955f6835af609a", "5c513c9c4886c088"),
        ("37d06bb516cb7546", "164d5e404f275232", "0a2aeeae3ff4ab77"),
        ("1f08260d1ac2465e", "6b056e18759f5cca", "ef1bf03e5dfa575a"),
        ("584023641aba6176", "004bd6ef09176062", "88bf0db6d70dee56"),
        ("025816164629b007", "480d39006ee762f2", "a1f9915541020b56"),
        ("49793ebc79b3258f", "437540c8698f3cfa", "6fbf1cafcffd0556"),
        ("4fb05e1515ab73a7", "072d43a077075292", "2f22e49bab7ca1ac"),
        ("49e95d6d4ca229bf", "02fe55778117f12a", "5a6b612cc26cce4a"),
        ("018310dc409b26d6", "1d9d5c5018f728c2", "5f4c038ed12b2e41"),
        ("1c587f1c13924fef", "305532286d6f295a", "63fac0d034d9f793"),
    ],
)
def test_known_answers(key: str, plain: str, cipher: str) -> None:
    assert encrypt(bytes.fromhex(plain), bytes.fromhex(key)).hex() == cipher


def test_a_password_is_a_key_with_the_bits_of_each_byte_in_reverse() -> None:
    challenge = bytes(range(16))
    key = bytes(int(f"{byte:08b}"[::-1], 2) for byte in b"secret\0\0")
    assert answer(challenge, "secret") == encrypt(challenge[:8], key) + encrypt(challenge[8:], key)
    assert answer(challenge, "longer than eight") == answer(challenge, "longer t")
