"""Recognises what an argument of a verb can be: a file, a folder, an application, a text, a thing on the screen.

Each type takes all the words of its span, or none. How much a type weighs says how closed it is: a file's
name is hardly anything else, while any words may name a thing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from desktop_agent.extras.offline.llm.offline.language.slot_places import (
    as_address,
    as_app,
    as_app_name,
    as_file,
    as_folder,
    as_folder_item,
    as_item,
    as_item_name,
    as_items,
    as_new_folder_name,
    as_new_name,
    as_plural_files,
    as_sure_folder,
    as_terminal,
    as_trash,
    as_unnamed_file,
)
from desktop_agent.extras.offline.llm.offline.language.slot_texts import (
    as_free,
    as_line,
    as_line_text,
    as_name,
    as_new_note,
    as_quoted,
    as_said,
    as_said_lines,
    as_word,
)
from desktop_agent.extras.offline.llm.offline.language.slot_things import (
    as_all_fields,
    as_all_things,
    as_answer,
    as_document,
    as_fact,
    as_field,
    as_field_named,
    as_field_proper,
    as_form_named,
    as_it,
    as_listed,
    as_menu_path,
    as_noted,
    as_origin,
    as_page,
    as_page_shown,
    as_place_to_type,
    as_priced,
    as_result,
    as_save_as,
    as_search_place,
    as_source,
    as_thing,
    as_thing_clicked,
    as_thing_quoted,
    as_things,
    as_view_part,
    as_window,
    as_window_named,
    as_window_part,
)
from desktop_agent.extras.offline.llm.offline.language.slot_values import (
    as_amounts,
    as_chord,
    as_command,
    as_credential,
    as_date,
    as_direction,
    as_extreme_files,
    as_keys,
    as_labelled,
    as_labelled_date,
    as_match,
    as_my_details,
    as_number_reference,
    as_numbers,
    as_numeral,
    as_operands,
    as_order,
    as_pairs,
    as_pairs_apart,
    as_point,
    as_proper_value,
    as_scroll_amount,
    as_scroll_end,
    as_seconds,
    as_short_value,
    as_spoken_sum,
    as_sum,
    as_times,
    as_value,
)
from desktop_agent.extras.offline.llm.offline.language.tokens import Span

WEIGHTS = {"flag": 4}


def recognised(span: Span, types: Sequence[str]) -> Iterator[tuple[Any, int]]:
    """What the span may be, of each of the types, with the weight of that."""
    if not len(span):
        return
    for each in types:
        found = span.recall(each, TYPES[each])
        if found is not None:
            yield found


def _nothing(_span: Span) -> tuple[Any, int] | None:
    return None


TYPES: Mapping[str, Callable[[Span], tuple[Any, int] | None]] = {
    "text": as_quoted, "free": as_free, "said": as_said, "sure_folder": as_sure_folder, "name": as_name, "file": as_file, "item": as_item, "folder": as_folder, "app": as_app,
    "address": as_address, "thing": as_thing, "things": as_things, "it": as_it, "document": as_document, "result": as_result,
    "trash": as_trash, "keys": as_keys, "chord": as_chord, "times": as_times, "sum": as_sum, "spoken_sum": as_spoken_sum, "command": as_command,
    "value": as_value, "field": as_field, "field_proper": as_field_proper, "page": as_page, "order": as_order,
    "seconds": as_seconds, "folder_name": as_new_folder_name, "flag": _nothing, "search_place": as_search_place,
    "place_to_type": as_place_to_type, "field_named": as_field_named, "new_note": as_new_note, "new_file": as_file,
    "new_name": as_new_name, "line_text": as_line_text, "word": as_word, "line": as_line, "plural_files": as_plural_files,
    "operands": as_operands, "terminal": as_terminal, "fact": as_fact, "noted": as_noted, "thing_clicked": as_thing_clicked, "source": as_source,
    "direction": as_direction, "scroll_amount": as_scroll_amount, "scroll_end": as_scroll_end, "menu_path": as_menu_path,
    "credential": as_credential, "window": as_window, "window_named": as_window_named, "folder_item": as_folder_item,
    "answer": as_answer, "items": as_items, "extreme_files": as_extreme_files, "listed": as_listed, "page_shown": as_page_shown, "my_details": as_my_details, "item_name": as_item_name, "proper_value": as_proper_value, "save_as": as_save_as, "numbers": as_numbers, "amounts": as_amounts, "number_reference": as_number_reference, "pairs_apart": as_pairs_apart,
    "form_named": as_form_named, "thing_quoted": as_thing_quoted,
    "origin": as_origin,
    "window_part": as_window_part, "app_name": as_app_name,
    "numeral": as_numeral, "all_things": as_all_things, "all_fields": as_all_fields, "labelled": as_labelled, "date": as_date,
    "labelled_date": as_labelled_date, "point": as_point, "priced": as_priced, "view_part": as_view_part, "said_lines": as_said_lines, "short_value": as_short_value, "unnamed_file": as_unnamed_file, "pairs": as_pairs, "match": as_match,
}  # fmt: skip
