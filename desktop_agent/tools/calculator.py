"""A calculator: `run` with a term is answered with its exact value, as a decimal number where it has an end."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from fractions import Fraction
from math import isfinite

import msgspec

from desktop_agent.protocol import ops
from desktop_agent.protocol.errors import Refused
from desktop_agent.protocol.ops import Op, name_of
from desktop_agent.protocol.stop_flag import StopFlag
from desktop_agent.tools.base import Environment, Response

MAX_TERM = 400
"""Characters: a longer term is for a program, and its value might be long."""
PLACES = 12
_TWO: dict[type[ast.operator], Callable[[Fraction, Fraction], Fraction]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`[environment.calculator]`: there is nothing to choose."""


def create(options: Options) -> Environment:  # noqa: ARG001 - there are none
    """The calculator."""
    return Calculator()


class Calculator(Environment):
    """Works out terms of numbers, + - * / and brackets; nothing else is reached."""

    name = "calculator"
    operations = frozenset(("run",))
    contained = True

    def about(self) -> dict[str, str]:
        return {self.name: "a calculator: the command is a term, as in (12.5 + 3) * 4"}

    def execute(self, op: Op, stop: StopFlag) -> Response:
        stop.check()
        if not isinstance(op, ops.Run):
            return Response("refused", f"{name_of(op)} is nothing that a calculator does.")
        try:
            return Response("done", "Worked out.", _shown(_value(_term(op.command))))
        except Refused as refused:
            return Response("refused", str(refused))

    def screen(self) -> str:
        return "The calculator keeps nothing."


def _term(text: str) -> ast.expr:
    if len(text) > MAX_TERM:
        raise Refused(f"A term may have {MAX_TERM} characters, not {len(text)}.")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise Refused(f"This is no term: {error}.") from error


def _value(term: ast.expr) -> Fraction:
    match term:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return Fraction(str(number)) if isfinite(number) else _refuse()
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner)
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _TWO:
            try:
                return _TWO[type(sign)](_value(left), _value(right))
            except ZeroDivisionError as error:
                raise Refused("It divides by zero.") from error
    return _refuse()


def _refuse() -> Fraction:
    raise Refused("A term is made of numbers, + - * / and brackets.")


def _shown(value: Fraction) -> str:
    """Exact where the decimal number ends within PLACES, else rounded and said to be so."""
    scaled = round(abs(value) * 10**PLACES)
    whole, rest = divmod(scaled, 10**PLACES)
    sign = "-" if value < 0 and scaled else ""
    shown = f"{sign}{whole}.{rest:0{PLACES}}".rstrip("0").rstrip(".")
    return shown if Fraction(scaled, 10**PLACES) == abs(value) else f"about {shown}"
