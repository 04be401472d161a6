import os
import tempfile
import unittest

import layout
import srt

HERE = os.path.dirname(os.path.abspath(__file__))


class SrtTest(unittest.TestCase):
    def test_sample(self):
        cues = srt.read(os.path.join(HERE, "sample.srt"))
        self.assertEqual(cues[0], (1000, 2500, "Где мои ключи?"))
        self.assertEqual(cues[1][2], "In Köln – vielleicht.")

    def test_write(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.srt")
            srt.write(path, [(0, 900, "é")])
            with open(path, "rb") as handle:
                self.assertEqual(handle.read(), b"1\n00:00:00,000 --> 00:00:00,900\n\xc3\xa9\n\n")

    def test_fold(self):
        self.assertEqual(layout.fold("größere Füße überall", 12), ["größere Füße", "überall"])


if __name__ == "__main__":
    unittest.main()
