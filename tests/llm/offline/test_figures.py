"""What is drawn, and putting things in place by hand."""

from __future__ import annotations

import msgspec
import pytest

from desktop_agent.protocol import ops
from desktop_agent.vision.observation import Element, Observation
from tests.llm.offline.things import Talk, element, look, summary
from tests.vision.drawing import Canvas

PAGE = element("document web", "Page", (0, 50, 900, 700), id="page")


def drawn() -> Canvas:
    """A big red circle, a small red one, a blue square, a green triangle, and a frame."""
    canvas = Canvas(1280, 800)
    canvas.pen.ellipse((100, 100, 140, 140), "red")
    canvas.pen.ellipse((200, 110, 216, 126), "red")
    canvas.pen.rectangle((300, 100, 340, 140), "blue")
    canvas.pen.polygon([(400, 140), (420, 100), (440, 140)], "green")
    canvas.pen.rectangle((100, 300, 300, 420), fill="white", outline="black", width=2)
    return canvas


def picture(canvas: Canvas, *elements: Element) -> Observation:
    return msgspec.structs.replace(look(PAGE, *elements), frame=canvas.frame)


def clicked(actions: tuple[ops.Op, ...]) -> list[tuple[int, int]]:
    clicks = [op for op in actions if isinstance(op, ops.Click)]
    return [(op.x, op.y) for op in clicks if op.x is not None and op.y is not None]


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("click the blue square", (320, 120)),
        ("Click on the blue colored box.", (320, 120)),
        ("click the large red circle", (120, 120)),
        ("Click on a small circle", (208, 118)),
        ("click the triangle", (420, 120)),
    ],
)
def test_a_figure_is_clicked_by_kind_colour_and_size(said: str, place: tuple[int, int]) -> None:
    ((x, y),) = clicked(Talk(said).see(picture(drawn())))
    assert abs(x - place[0]) <= 1 and abs(y - place[1]) <= 1


def test_a_thing_of_that_name_is_rather_meant_than_a_figure() -> None:
    button = element("push button", "Blue square", (600, 100, 90, 20), id="button")
    assert Talk("click the blue square").see(picture(drawn(), button)) == (ops.ClickElement("button"),)


def test_all_of_a_kind_are_clicked_once() -> None:
    talk, seen = Talk("Select all the shades of red"), picture(drawn())
    assert len(clicked(talk.see(seen))) == 2
    assert summary(talk.see(seen))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("How many red circles are there?", "2"),
        ("How many items are there?", "4"),
        ("how many green squares are there", "0"),
    ],
)
def test_figures_are_counted_and_the_answer_is_given(said: str, answer: str) -> None:
    canvas = drawn()
    canvas.pen.rectangle((90, 290, 310, 430), "white")
    buttons = [element("push button", str(n), (100 + 40 * n, 600, 30, 24), id=f"b{n}") for n in range(6)]
    assert Talk(said).see(picture(canvas, *buttons)) == (ops.ClickElement(f"b{answer}"),)
    assert answer in summary(Talk(said).see(picture(canvas)))


def test_letters_are_counted_too() -> None:
    letters = [element("static", name, (100 + 40 * i, 200, 12, 20)) for i, name in enumerate("MMxM")]
    assert "3" in summary(Talk("How many Ms are there?").see(picture(Canvas(1280, 800), *letters)))


def test_a_figure_is_named_from_the_names_on_offer() -> None:
    canvas = Canvas(1280, 800)
    canvas.pen.polygon([(400, 140), (420, 100), (440, 140)], "green")
    names = [
        element("push button", name, (100, 300 + 40 * i, 90, 24), id=name)
        for i, name in enumerate(("Circle", "Triangle"))
    ]
    said = "Click the button that best describes the figure below."
    assert Talk(said).see(picture(canvas, *names)) == (ops.ClickElement("Triangle"),)


def test_a_point_of_a_diagram_is_found_by_the_numbers_at_its_axes() -> None:
    across = [element("static", str(n), (300 + 50 * n - 4, 420, 8, 14)) for n in (-2, -1, 1, 2)]
    along = [element("static", str(n), (280, 400 - 50 * n - 7, 8, 14)) for n in (-2, -1, 1, 2)]
    seen = picture(Canvas(1280, 800), *across, *along)
    ((x, y),) = clicked(Talk("Click on the grid coordinate (2,-1).").see(seen))
    assert abs(x - 400) <= 2 and abs(y - 450) <= 2


def test_all_figures_of_a_kind_are_dragged_into_the_frame() -> None:
    talk, canvas = Talk("Drag all circles into the black box."), drawn()
    (first,) = talk.see(picture(canvas))
    assert isinstance(first, ops.Drag) and 100 < first.path[-1].x < 300 < first.path[-1].y < 420
    moved = Canvas(1280, 800)
    moved.pen.rectangle((100, 300, 300, 420), fill="white", outline="black", width=2)
    moved.pen.ellipse((150, 350, 190, 390), "red")
    moved.pen.ellipse((250, 360, 266, 376), "red")
    assert summary(talk.see(picture(moved)))


def test_a_figure_is_dragged_some_way() -> None:
    (drag,) = Talk("Drag the triangle left").see(picture(drawn()))
    assert (
        isinstance(drag, ops.Drag) and drag.path[-1].x < drag.path[0].x and drag.path[-1].y == drag.path[0].y
    )


def entries(*names: str) -> list[Element]:
    return [element("list item", name, (20, 100 + 30 * i, 200, 26), id=name) for i, name in enumerate(names)]


@pytest.mark.parametrize(
    ("said", "row"),
    [
        ("Drag Ben to the 3rd position.", 2),
        ("Drag Ben to the bottom.", 3),
        ("Drag Ben up by one position.", 0),
        ("move Ben to the top of the list", 0),
        ("Drag Ben down by two positions", 3),
    ],
)
def test_an_entry_is_dragged_to_its_place(said: str, row: int) -> None:
    (drag,) = Talk(said).see(look(PAGE, *entries("Ada", "Ben", "Cem", "Dan")))
    assert isinstance(drag, ops.Drag) and abs(drag.path[-1].y - (113 + 30 * row)) <= 8


def test_numbers_are_sorted_one_drag_a_turn() -> None:
    talk = Talk(
        "Sort the numbers in increasing order, starting with the lowest number at the top of the list."
    )
    (drag,) = talk.see(look(PAGE, *entries("5", "-7", "12")))
    assert isinstance(drag, ops.Drag) and drag.path[0].y == 143 and drag.path[-1].y < 113
    assert summary(talk.see(look(PAGE, *entries("-7", "5", "12"))))


def test_a_box_is_made_wider_by_its_corner() -> None:
    box = element("entry", "", (100, 100, 80, 60), id="box", states=("editable", "multiline"))
    said = "Resize the textarea so that the width is larger than its initial size"
    (drag,) = Talk(said).see(look(PAGE, box))
    assert isinstance(drag, ops.Drag) and drag.path[-1].x > drag.path[0].x > 170 and drag.path[0].y > 150
