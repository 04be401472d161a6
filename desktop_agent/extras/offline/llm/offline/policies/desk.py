"""Which policy works on which intent about files, texts, terminals and spreadsheets."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from desktop_agent.extras.offline.llm.offline import intents_desk as say
from desktop_agent.extras.offline.llm.offline.moves import Move
from desktop_agent.extras.offline.llm.offline.policies import editing, filing, sheets, shell
from desktop_agent.extras.offline.llm.offline.scene import Scene

POLICIES: Mapping[type, Callable[[Any, Scene], Move]] = {
    say.OpenFile: filing.open_file,
    say.Transfer: filing.transfer,
    say.ListFiles: filing.list_files,
    say.SortFiles: filing.sort_files,
    say.WriteAt: editing.write_at,
    say.Replace: editing.replace,
    say.DeleteLine: editing.delete_line,
    say.Undo: editing.undo,
    say.RunCommand: shell.run_command,
    say.Rows: sheets.enter_rows,
    say.SetCell: sheets.set_cell,
    say.Total: sheets.total,
}
