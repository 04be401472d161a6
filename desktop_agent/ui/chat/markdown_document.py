"""A document of Markdown from a model, cut where it stays what it is: nothing in it loads a file or an address, and nothing in it is hidden."""

from __future__ import annotations

import re

from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import (
    QBrush,
    QImage,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextTable,
)

from desktop_agent.support.language import tr
from desktop_agent.support.terminal_text import visible
from desktop_agent.support.web_origin import origin_of
from desktop_agent.ui.widgets.theme import Theme

INDENT = 18.0
LINE = "\u2028"
_DIALECT = QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML
# How much larger than the text headings of the first levels are.
_LARGER = {1: 1.22, 2: 1.1}
_PROPERTY = QTextFormat.Property


_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


class MarkdownDocument(QTextDocument):
    """Shows Markdown in the theme's look. HTML in it stays text, pictures become words, links show where they lead.

    Only links to web addresses stay links. No resource is ever loaded, whatever the text asks for.
    """

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setDocumentMargin(0)
        self.setIndentWidth(INDENT)
        self.setUndoRedoEnabled(False)
        self.setDefaultFont(theme.font("body"))

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """An empty picture for everything: Qt would read the file itself if it were told that there is none."""
        return QImage(1, 1, QImage.Format.Format_ARGB32)

    def show_markdown(self, text: str) -> None:
        """Replace the content."""
        self.setMarkdown(visible(text), _DIALECT)
        edit = QTextCursor(self)
        edit.beginEditBlock()  # laid out once, at its end
        for number in reversed(range(self.blockCount())):
            self._tidy(self.findBlockByNumber(number))
        self._trim(self.firstBlock(), self.lastBlock())
        edit.endEditBlock()

    # ---- one block ------------------------------------------------------------------------

    def _tidy(self, block: QTextBlock) -> None:
        cursor = QTextCursor(self)
        start = block.position()
        spans = block.textFormats()  # kept: their formats live no longer than they do
        for span in reversed(spans):
            cursor.setPosition(start + span.start)
            cursor.setPosition(start + span.start + span.length, QTextCursor.MoveMode.KeepAnchor)
            self._tidy_span(cursor, cursor.selectedText(), QTextCharFormat(span.format))
        cursor.setPosition(start)
        self._set_look(cursor, block.blockFormat())

    def _tidy_span(self, cursor: QTextCursor, text: str, form: QTextCharFormat) -> None:
        """Replace what would load something or cannot be seen, and give the rest its font and colour."""
        plain = LINE.join(
            visible(line) for line in text.split(LINE)
        )  # again: Markdown has names for characters
        if form.isImageFormat():
            picture = form.toImageFormat()
            cursor.insertText(
                _picture_words(picture.property(_PROPERTY.ImageAltText), picture.name()), QTextCharFormat()
            )
        elif form.isAnchor():
            self._insert_link(cursor, plain, visible(form.anchorHref()), form)
        elif form.fontFixedPitch():
            cursor.insertText(plain, self._code(form))
        elif plain != text:
            cursor.insertText(plain, form)

    def _insert_link(self, cursor: QTextCursor, text: str, address: str, form: QTextCharFormat) -> None:
        """The words of a link with its whole address; it can be followed only where that is a web address."""
        form.setToolTip("")
        leads = address.startswith(("http://", "https://")) and origin_of(address) != ""
        if leads:
            form.setForeground(self._theme.color("link"))
            form.setFontUnderline(True)
        else:
            form = _without_anchor(form)
        cursor.insertText(text, form)
        if text != address:
            soft = QTextCharFormat()
            soft.setForeground(self._theme.color("soft"))
            cursor.insertText(f" ({address})", soft)

    def _code(self, form: QTextCharFormat) -> QTextCharFormat:
        form.setFontFamilies([self._theme.font("mono").family()])
        form.setFontPointSize(self._theme.font("mono").pointSizeF())
        return form

    def _set_look(self, cursor: QTextCursor, form: QTextBlockFormat) -> None:
        look = QTextBlockFormat()
        if level := form.headingLevel():
            self._set_heading(cursor, level)
            look.setTopMargin(8)
            look.setBottomMargin(3)
        if is_code(form):
            look.setNonBreakableLines(False)
            look.setBackground(QBrush(self._theme.color("quiet", 0.55)))
            look.setLeftMargin(0)
        if form.intProperty(_PROPERTY.BlockQuoteLevel):
            look.setLeftMargin(INDENT * form.intProperty(_PROPERTY.BlockQuoteLevel))
            look.setRightMargin(0)
            self._color_block(cursor, "soft")
        cursor.mergeBlockFormat(look)
        if (
            table := cursor.currentTable()
        ) is not None and table.firstCursorPosition().block() == cursor.block():
            self._set_table(table)

    def _set_heading(self, cursor: QTextCursor, level: int) -> None:
        look = QTextCharFormat()
        look.setProperty(_PROPERTY.FontSizeAdjustment, 0)
        look.setFontPointSize(self.defaultFont().pointSizeF() * _LARGER.get(level, 1.0))
        look.setFontWeight(self._theme.font("strong").weight())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)
        cursor.clearSelection()

    def _color_block(self, cursor: QTextCursor, token: str) -> None:
        look = QTextCharFormat()
        look.setForeground(self._theme.color(token))
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.mergeCharFormat(look)
        cursor.clearSelection()

    def _set_table(self, table: QTextTable) -> None:
        look = table.format()
        look.setBorderCollapse(True)
        look.setBorder(1)
        look.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        look.setBorderBrush(QBrush(self._theme.color("grip")))
        look.setCellPadding(4)
        look.setCellSpacing(0)
        look.setTopMargin(4)
        look.setBottomMargin(4)
        table.setFormat(look)

    def _trim(self, first: QTextBlock, last: QTextBlock) -> None:
        """No room above the first and below the last block: the message's own edges are enough."""
        for block, side in ((first, _PROPERTY.BlockTopMargin), (last, _PROPERTY.BlockBottomMargin)):
            look = QTextBlockFormat()
            look.setProperty(side, 0.0)
            QTextCursor(block).mergeBlockFormat(look)


def is_code(form: QTextBlockFormat) -> bool:
    """Is a block of this format a line of a code block?"""
    return form.hasProperty(_PROPERTY.BlockCodeFence) or form.hasProperty(_PROPERTY.BlockCodeLanguage)


def _picture_words(alternative: object, address: str) -> str:
    words = tr("picture, not loaded")
    told = visible(str(alternative)) if alternative else ""
    return f"[{words}: {told} ({visible(address)})]" if told else f"[{words}: {visible(address)}]"


def _without_anchor(form: QTextCharFormat) -> QTextCharFormat:
    plain = QTextCharFormat()
    plain.setFontWeight(form.fontWeight())
    plain.setFontItalic(form.fontItalic())
    return plain


def code_at(block: QTextBlock) -> str:
    """The code block that `block` belongs to, "" when it is in none."""
    if not is_code(block.blockFormat()):
        return ""
    while is_code(block.previous().blockFormat()):
        block = block.previous()
    lines: list[str] = []
    while block.isValid() and is_code(block.blockFormat()):
        lines.append(block.text())
        block = block.next()
    return "\n".join(lines)


def head(text: str, most: int) -> str:
    """The beginning of `text`, at most `most` characters, up to the end of a line where that is near."""
    if len(text) <= most:
        return text
    end = text.rfind("\n", most // 2, most)
    return text[: end if end > 0 else most].rstrip()


def tail(text: str, most: int) -> str:
    """The end of `text`, about `most` characters, from the beginning of a line where that is near."""
    if len(text) <= most:
        return text
    start = len(text) - most
    line = text.find("\n", start, start + most // 2)
    start = line + 1 if line >= 0 else start
    return _opened(_open_fence(text[:start])) + text[start:]


def parts(text: str, most: int) -> list[str]:
    """The text in parts of about `most` characters, cut between paragraphs where there are any."""
    found: list[str] = []
    fence = ""
    while len(text) > most:
        end = _end_of_part(text, most)
        part, text = text[:end], text[end:]
        found.append(_opened(fence) + part.rstrip("\n"))
        fence = _open_fence(part, fence)
    return [*found, _opened(fence) + text] if text.strip() or not found else found


def _end_of_part(text: str, most: int) -> int:
    for gap in ("\n\n", "\n", " "):
        if (end := text.rfind(gap, most // 2, most)) > 0:
            return end + len(gap)
    return most


def _open_fence(text: str, fence: str = "") -> str:
    """The fence of the code block in which `text` ends, "" for none; `fence` is that in which it begins."""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark is None:
            continue
        if not fence:
            fence = mark[1]
        elif mark[1].startswith(fence) and not line[mark.end() :].strip():
            fence = ""
    return fence


def _opened(fence: str) -> str:
    return f"{fence}\n" if fence else ""
