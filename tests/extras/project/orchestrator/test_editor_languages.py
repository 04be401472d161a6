"""The definitions of each language, with their lines."""

from __future__ import annotations

import pytest

from desktop_agent.extras.project.orchestrator.editing.outline import outline
from desktop_agent.extras.project.orchestrator.editing.text_file import TextFile
from tests.extras.project.orchestrator.editing_desk import need_grammar

PYTHON = """\
@decorated(
    1
)
class A(B):
    x = 1
    class Inner:
        async def go(self): ...
    @property
    def p(self):
        y = 2
        def nested():
            pass
if True:
    def in_if():
        pass
else:
    A, (B, *C) = 1, 2
try:
    D: int = 1
except E:
    def in_except(): pass
match D:
    case 1:
        F = 1
"""
C = """\
#define MAX 10
#define SQ(x) ((x)*(x))
typedef struct node {
  int a;
} node;
struct pt { int x; };
static struct pt *origin;
extern int elsewhere;
int declared(int a);
char *dup(const char *s)
{
  int local = 1;
  return 0;
}
#ifdef X
int only(void) { return 1; }
#endif
"""
CPP = """\
template <typename T>
class Box : public Base {
  T get() const { return v; }
  int size() const;
};
namespace ns {
int Box<int>::size() const {
  return 1;
}
int& ref() { return x; }
}
int counter, *ptr = 0;
enum Color { RED };
bool operator==(const A& a, const A& b) { return true; }
"""
JAVASCRIPT = """\
(function () {
  function hidden() { return 1; }
})();
const a = 1;
export const add = async (x) => {
  const local = 1;
};
class A extends B {
  m() {}
  handler = () => {};
  plain = 1;
}
export default function* gen() {}
"""
TYPESCRIPT = """\
export const add = (a: number) => {
  return a;
};
@Dec()
export class Foo<T> {
  @Log
  bar(): void {}
}
interface I { a: string }
type Alias = string;
"""
GO = """\
package main
type Server struct { a int }
func (s *Server) Run() error {
  return nil
}
func (s List[T]) Len() int { return 0 }
var (
  b, c = 2, 3
)
const X = 1
func main() {}
"""
RUST = """\
#[derive(Debug)]
struct Foo<T> { a: T }
impl<T> Foo<T> {
    #[inline]
    fn bar(&self) -> i32 { 1 }
}
impl Display for Foo<i32> {
    fn fmt(&self) {}
}
const A: i32 = 1;
mod inner {
    pub trait T { fn with_body() {} }
}
"""
JAVA = """\
public class T {
  static class In { void go() {} }
  @Override
  public int run(int a) { return a; }
  T() {}
}
"""
BASH = """\
#!/bin/sh
NAME=1
readonly B=2
X=1 env
greet() {
  local y=1
  Z=1
}
function two { :; }
"""


def _told(path: str, text: str) -> list[str]:
    found = outline(TextFile.of(path, text.encode())).definitions
    return [f"{each.kind} {each.name} {each.first}-{each.last}" for each in found]


def test_python() -> None:
    assert _told("a.py", PYTHON) == [
        "class A 1-12",
        "class A.Inner 6-7",
        "function A.Inner.go 7-7",
        "function A.p 8-12",
        "function A.p.nested 11-12",
        "function in_if 14-15",
        *["variable A 17-17", "variable B 17-17", "variable C 17-17", "variable D 19-19"],
        "function in_except 21-21",
        "variable F 24-24",
    ]


@pytest.mark.parametrize(
    ("path", "module", "text", "expected"),
    [
        (
            "a.c",
            "tree_sitter_c",
            C,
            "variable MAX 1-1, function SQ 2-2, class node 3-5, class pt 6-6, variable origin 7-7, "
            "function dup 10-14, function only 16-16",
        ),
        (
            "a.cpp",
            "tree_sitter_cpp",
            CPP,
            "class Box 1-5, function Box.get 3-3, function Box.size 7-9, function ref 10-10, "
            "variable counter 12-12, "
            "variable ptr 12-12, class Color 13-13, function operator== 14-14",
        ),
        (
            "a.js",
            "tree_sitter_javascript",
            JAVASCRIPT,
            "function hidden 2-2, variable a 4-4, function add 5-7, class A 8-12, function A.m 9-9, "
            "function A.handler 10-10, function gen 13-13",
        ),
        (
            "a.ts",
            "tree_sitter_typescript",
            TYPESCRIPT,
            "function add 1-3, class Foo 4-8, function Foo.bar 6-7, class I 9-9, class Alias 10-10",
        ),
        (
            "a.tsx",
            "tree_sitter_typescript",
            "const View = () => <b>x</b>;\n",
            "function View 1-1",
        ),
        (
            "a.go",
            "tree_sitter_go",
            GO,
            "class Server 2-2, function Server.Run 3-5, function List.Len 6-6, variable b 8-8, "
            "variable c 8-8, "
            "variable X 10-10, function main 11-11",
        ),
        (
            "a.rs",
            "tree_sitter_rust",
            RUST,
            "class Foo 1-2, function Foo.bar 4-5, function Foo.fmt 8-8, variable A 10-10, class T 12-12, "
            "function T.with_body 12-12",
        ),
        (
            "T.java",
            "tree_sitter_java",
            JAVA,
            "class T 1-6, class T.In 2-2, function T.In.go 2-2, function T.run 3-4, function T.T 5-5",
        ),
        (
            "a.sh",
            "tree_sitter_bash",
            BASH,
            "variable NAME 2-2, variable B 3-3, function greet 5-8, function two 9-9",
        ),
    ],
)
def test_other_languages(path: str, module: str, text: str, expected: str) -> None:
    need_grammar(module)
    assert ", ".join(_told(path, text)) == expected


def test_windows_line_ends_and_wide_characters_do_not_move_lines() -> None:
    need_grammar("tree_sitter_c")
    assert _told("a.c", '// é€😀\r\nchar *s = "é";\r\nint f(void) {\r\n  return 1;\r\n}\r\n') == [
        "variable s 2-2",
        "function f 3-5",
    ]
    assert _told("a.py", "# a\rb\ndef f():\n    pass\n") == ["function f 2-3"]
    assert _told("a.py", "# é\r\ndef f():\r\n    x = 'lone\\\r\n'\r\n    return 1\r\n") == ["function f 2-5"]
