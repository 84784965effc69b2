"""Every numeral of a page against the registry of numerals: whose claim it is, what is missing."""

import hashlib
import re
import unicodedata
from collections import defaultdict, deque
from dataclasses import dataclass

from embedding_ledger.errors import LedgerError
from embedding_ledger.occurrences import Occurrence

_SPACE = r"[ \u00a0\u2009\u202f]"
_GROUPS = rf"[1-9][0-9]{{0,2}}(?:(?:,[0-9]{{3}})+|(?:{_SPACE}[0-9]{{3}})+)(?![0-9])"
# A sign belongs to a numeral unless it joins (GPT-2, 2i+1, 10-20); a leading point does unless
# something stands before it (V.7, {:.2f}). Versions such as 2.15.0 are one numeral.
_NUMERAL = re.compile(
    rf"(?:(?<![^\W_])(?<![.)\]}}'’”%])[+\-\u2212])?"
    rf"(?:(?:{_GROUPS}|[0-9]+)(?:\.[0-9]+)*|(?<![\w.)\]:])\.[0-9]+)"
    rf"(?:[eE][+\-\u2212]?[0-9]{{1,3}}(?![0-9A-Za-z]))?"
    rf"(?:{_SPACE}?%(?!\w))?"
)
_WORD = re.compile(r"[^\W_]+")
_REACH = 200  # characters within which the neighbouring words are looked for


@dataclass(frozen=True)
class Numeral:
    """One numeral found on a page: as printed, its place (from 1) and its words' fingerprint."""

    numeral: str
    line: int
    column: int
    context: str


@dataclass(frozen=True)
class Match:
    """A numeral of the page and the registered occurrence it is, if any.

    `how`: `same` (its words too), `moved` (the words around it changed) or `unregistered`.
    """

    found: Numeral
    occurrence: Occurrence | None
    how: str


@dataclass(frozen=True)
class Scan:
    """What a page says against the registry of its document."""

    document: str
    matches: list
    gone: list

    @property
    def unregistered(self):
        """Numerals without a claim or a reason, registered or not."""
        return [
            match
            for match in self.matches
            if not (match.occurrence and (match.occurrence.claims or match.occurrence.reason))
        ]

    @property
    def claims_not_found(self):
        """Sorted ids of the claims whose every numeral is gone from the page."""
        found = {c for match in self.matches if match.occurrence for c in match.occurrence.claims}
        return sorted({claim for occurrence in self.gone for claim in occurrence.claims} - found)


def fingerprint(text, start, end):
    """Return 8 hexadecimal digits that stand for the two words before and the two after a numeral.

    Words are letters and digits, in lower case; the words themselves are not kept.
    """
    before = _WORD.findall(text[max(0, start - _REACH) : start])[-2:]
    after = _WORD.findall(text[end : end + _REACH])[:2]
    words = unicodedata.normalize("NFKC", " ".join([*before, "|", *after])).casefold()
    return hashlib.sha256(words.encode()).hexdigest()[:8]


def find_numerals(page):
    """Return every Numeral of a PageText, in the order of the page."""
    return [
        Numeral(
            match.group(),
            *page.place(match.start()),
            fingerprint(page.text, match.start(), match.end()),
        )
        for match in _NUMERAL.finditer(page.text)
    ]


def _printed_alike(numeral):
    """Return a numeral with one kind of minus and of space, for comparing pages of all formats."""
    return re.sub(_SPACE, " ", numeral.replace("\u2212", "-"))


def _same(item):
    return _printed_alike(item.numeral), item.context


def _moved(item):
    return _printed_alike(item.numeral)


def match_page(document, found, occurrences):
    """Match the numerals of a page with the occurrences of its document; return a Scan.

    First those whose neighbouring words are the registered ones, then equal numerals among the
    rest, both in order of appearance. What remains on the page is unregistered, what remains in
    the registry is gone.
    """
    matches, left = [None] * len(found), dict(enumerate(occurrences))
    for key, how in ((_same, "same"), (_moved, "moved")):
        waiting = defaultdict(deque)
        for number, occurrence in left.items():
            waiting[key(occurrence)].append(number)
        for place, numeral in enumerate(found):
            if matches[place] is None and waiting[key(numeral)]:
                number = waiting[key(numeral)].popleft()
                matches[place] = Match(numeral, left.pop(number), how)
    complete = [
        match or Match(numeral, None, "unregistered")
        for match, numeral in zip(matches, found, strict=True)
    ]
    return Scan(document, complete, list(left.values()))


def scan_page(found, occurrences, document=None):
    """Match a page with the registry of `document`, or of the document that fits best.

    The best fit has the most numerals among the same words, then the most numerals at all.
    Raises LedgerError when the page has nothing in common with any document.
    """
    by_document = defaultdict(list)
    for occurrence in occurrences:
        by_document[occurrence.document].append(occurrence)
    if document is not None:
        return match_page(document, found, by_document[document])

    def fit(scan):
        kinds = [match.how for match in scan.matches]
        return kinds.count("same"), kinds.count("moved")

    scans = [match_page(name, found, listed) for name, listed in sorted(by_document.items())]
    best = max(scans, key=fit, default=None)
    if best is None or not any(fit(best)):
        raise LedgerError("no numeral of the page is registered; name its document: --document")
    return best


def registered_anew(scan, occurrences):
    """Return all occurrences with those of the scanned document as its page now has them.

    Claims and reasons of matched numerals are kept; new ones have neither.
    """
    others = [o for o in occurrences if o.document != scan.document]
    page = [
        Occurrence(
            scan.document,
            match.found.numeral,
            match.found.context,
            match.occurrence.claims if match.occurrence else (),
            match.occurrence.reason if match.occurrence else "",
        )
        for match in scan.matches
    ]
    return [*others, *page]


def as_record(scan):
    """Return a Scan as plain values for JSON."""
    return {
        "document": scan.document,
        "numerals": [
            {
                "numeral": match.found.numeral,
                "line": match.found.line,
                "column": match.found.column,
                "match": match.how,
                "claims": list(match.occurrence.claims) if match.occurrence else [],
                "reason": match.occurrence.reason if match.occurrence else "",
            }
            for match in scan.matches
        ],
        "gone": [{"numeral": o.numeral, "claims": list(o.claims)} for o in scan.gone],
        "claims_not_found": scan.claims_not_found,
        "unregistered": len(scan.unregistered),
    }


def as_lines(scan):
    """Return a Scan as lines of text: a numeral a line, then what is gone, then the counts."""
    lines, open_ones = [], set(map(id, scan.unregistered))
    width = max((len(match.found.numeral) for match in scan.matches), default=0)
    for match in scan.matches:
        place = f"{match.found.line}:{match.found.column}"
        if id(match) in open_ones:
            told = "unregistered"
        else:
            told = ", ".join(match.occurrence.claims) or f"no claim: {match.occurrence.reason}"
            told += " (moved)" * (match.how == "moved")
        lines.append(f"{place:>9}  {match.found.numeral:{width}}  {told}")
    for occurrence in scan.gone:
        told = ", ".join(occurrence.claims) or f"no claim: {occurrence.reason}"
        lines.append(f"{'gone':>9}  {occurrence.numeral:{width}}  {told}")
    lines += [f"no longer found: claim {claim}" for claim in scan.claims_not_found]
    kinds = [match.how for match in scan.matches]
    lines.append(
        f"{len(kinds)} numerals: {len(kinds) - len(open_ones)} registered "
        f"({kinds.count('moved')} moved), {len(open_ones)} unregistered; {len(scan.gone)} gone, "
        f"{len(scan.claims_not_found)} claims no longer found"
    )
    return lines
