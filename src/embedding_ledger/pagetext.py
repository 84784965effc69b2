"""The text that a reader of a page sees, each character with its place in the file."""

import bisect
import html
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_text

# What stands inside these elements is not printed; `annotation` repeats a formula as TeX.
HIDDEN = {"annotation", "script", "style", "template", "title"}
# Tags of these elements do not part what stands on their two sides.
_INLINE = re.compile(
    "a|abbr|b|bdi|bdo|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|math|mi|mn|mo|mrow|"
    "mtext|q|s|samp|small|span|strong|time|tt|u|var|wbr"
)
# Code is printed as it stands; what matches otherwise is not printed. Over-reporting is the safe
# side, so options of code cells (`#|`) and bare addresses stay in.
_MARKDOWN = re.compile(
    r"""
      (?P<front>\A---[ \t]*\n.*?^(?:---|\.\.\.)[ \t]*$)
    | ^[ ]{0,3}(?P<fence>`{3,}|~{3,})[^\n`]*\n (?P<block>.*?) (?:^[ ]{0,3}(?P=fence)[^\n]*$|\Z)
    | (?P<ticks>`+) (?P<code>[^`\n][^\n]*?) (?<!`)(?P=ticks)(?!`)
    | <!--.*?-->                                                   # a comment
    | \{\{<.*?>\}\}                                                # a shortcode of Quarto
    | \]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)                      # the target of a link
    | ^[ ]{0,3}\[[^\]^\n][^\]\n]*\]:[ \t]*\S+                      # a link defined by name
    | <https?:[^>\s]*>                                             # a link as it stands
    | </?[A-Za-z][A-Za-z0-9-]*                                     # a tag of HTML
      (?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*\s*/?>
    | \{[#.:=][^{}\n]*\}                                           # attributes
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class PageText:
    """The printed text of a page, and for each of its characters the offset in the source."""

    text: str
    offsets: list
    line_starts: list

    def place(self, index):
        """Return (line, column) of a character of `text` in the file, both counted from 1."""
        offset = self.offsets[index]
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1


def _line_starts(source):
    return [0, *(match.end() for match in re.finditer("\n", source))]


class _Printed(HTMLParser):
    """Collects the printed characters of HTML; of the parsers here, only this one tells columns."""

    def __init__(self, source):
        super().__init__(convert_charrefs=False)
        self.line_starts = _line_starts(source)
        self.characters, self.offsets = [], []
        self.hidden = []
        self.feed(source)
        self.close()

    def _add(self, text):
        line, column = self.getpos()
        start = self.line_starts[line - 1] + column
        if not self.hidden:
            self.characters.extend(text)
            self.offsets.extend(range(start, start + len(text)))

    def handle_data(self, data):
        self._add(data)

    def handle_entityref(self, name):
        self._add(html.unescape(f"&{name};"))

    def handle_charref(self, name):
        self._add(html.unescape(f"&#{name};"))

    def handle_starttag(self, tag, attrs):
        if not _INLINE.fullmatch(tag):
            self._add("\n")
        if tag in HIDDEN:
            self.hidden.append(tag)

    def handle_endtag(self, tag):
        if tag in self.hidden:
            while self.hidden.pop() != tag:
                pass
        if not _INLINE.fullmatch(tag):
            self._add("\n")

    def handle_startendtag(self, tag, attrs):
        if not _INLINE.fullmatch(tag):
            self._add("\n")


def _from_html(source):
    try:
        printed = _Printed(source)
    except AssertionError as error:  # the parser's word for a declaration it does not know
        raise LedgerError(f"not HTML: {error}") from None
    return "".join(printed.characters), printed.offsets


def _from_markdown(source):
    """Leave out what Markdown does not print; a line break stands for it, so nothing joins."""
    characters, offsets, end = [], [], 0

    def keep(start, stop):
        characters.append(source[start:stop])
        offsets.extend(range(start, stop))

    for match in _MARKDOWN.finditer(source):
        keep(end, match.start())
        end = match.end()
        characters.append("\n")
        offsets.append(match.start())
        for name in ("block", "code"):
            if match[name] is not None:
                keep(*match.span(name))
    keep(end, len(source))
    return "".join(characters), offsets


def _from_text(source):
    return source, list(range(len(source)))


READERS = {
    **dict.fromkeys((".txt", ""), _from_text),
    **dict.fromkeys((".html", ".htm", ".xhtml"), _from_html),
    **dict.fromkeys((".md", ".markdown", ".qmd"), _from_markdown),
}


def page_text(source, suffix=""):
    """Return the PageText of a page's source; `suffix`: of its file, one of READERS.

    Raises LedgerError when HTML holds a declaration that cannot be read.
    """
    text, offsets = READERS[suffix.lower()](source)
    return PageText(text, offsets, _line_starts(source))


def read_page(path):
    """Read a page (UTF-8); raise LedgerError when it is absent, no text, or of a kind not read."""
    path = Path(path)
    if path.suffix.lower() not in READERS:
        known = ", ".join(filter(None, READERS))
        raise LedgerError(f"{path}: {path.suffix} is no kind of file that is read ({known})")
    source = read_text(path)
    if "\0" in source:
        raise LedgerError(f"{path}: not text, it holds a zero byte")
    try:
        return page_text(source, path.suffix)
    except LedgerError as error:
        raise LedgerError([f"{path}: {fault}" for fault in error.faults]) from None
