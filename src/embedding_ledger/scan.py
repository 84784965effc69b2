"""Every numeral of a page against the registry of numerals: whose claim it is, what is missing."""

import hashlib
import re
import unicodedata
from collections import defaultdict, deque
from dataclasses import dataclass, replace

from embedding_ledger.errors import LedgerError
from embedding_ledger.occurrences import Occurrence
from embedding_ledger.pagetext import page_text

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
_SMALL = re.compile(r"[0-9]{1,2}")  # on every page, so a namesake says nothing
_LISTED = 10  # lines of what is gone
_REACH = 200  # characters within which the neighbouring words are looked for


@dataclass(frozen=True)
class Numeral:
    """One numeral found on a page: as printed, its place (from 1), fingerprints of its words."""

    numeral: str
    line: int
    column: int
    before: str
    after: str


@dataclass(frozen=True)
class Match:
    """A numeral of the page and the registered occurrence it is, if any.

    `how`: `same` (its words too), `moved` (words around it changed) or `unregistered`.
    `elsewhere`: for the latter, occurrences of other documents that may be the same number.
    """

    found: Numeral
    occurrence: Occurrence | None
    how: str
    elsewhere: tuple = ()

    @property
    def waits(self):
        """Whether the numeral has neither claims nor a reason."""
        return self.occurrence is None or self.occurrence.waits


@dataclass(frozen=True)
class Scan:
    """What a page says against the registry of its document."""

    document: str
    matches: list
    gone: list

    @property
    def unregistered(self):
        """Numerals without a claim or a reason, registered or not."""
        return [match for match in self.matches if match.waits]

    @property
    def claims_not_found(self):
        """Sorted ids of the claims whose every numeral is gone from the page."""
        found = {c for match in self.matches if match.occurrence for c in match.occurrence.claims}
        return sorted({claim for occurrence in self.gone for claim in occurrence.claims} - found)

    @property
    def is_part(self):
        """Whether more of the document is gone than found."""
        return len(self.gone) > sum(match.occurrence is not None for match in self.matches)


def fingerprint(words):
    """Return 8 hexadecimal digits that stand for some words, in lower case."""
    plain = unicodedata.normalize("NFKC", " ".join(words)).casefold()
    return hashlib.sha256(plain.encode()).hexdigest()[:8]


def _fingerprints(text, start, end):
    """Return the fingerprints of the two words before and the two after a numeral.

    Words are letters and digits; the words themselves are not kept.
    """
    before = _WORD.findall(text[max(0, start - _REACH) : start])[-2:]
    after = _WORD.findall(text[end : end + _REACH])[:2]
    return fingerprint(before), fingerprint(after)


def find_numerals(page):
    """Return every Numeral of a PageText, in the order of the page."""
    return [
        Numeral(
            match.group(),
            *page.place(match.start()),
            *_fingerprints(page.text, match.start(), match.end()),
        )
        for match in _NUMERAL.finditer(page.text)
    ]


def _printed_alike(numeral):
    """Return a numeral with one kind of minus and of space, for comparing pages of all formats."""
    return re.sub(_SPACE, " ", numeral.replace("\u2212", "-"))


def _same(item):
    return _printed_alike(item.numeral), item.before, item.after


def _same_before(item):
    return _printed_alike(item.numeral), item.before


def _same_after(item):
    return _printed_alike(item.numeral), item.after


def _alone(item):
    """Return the numeral, with its words where it is a small integer: those have namesakes."""
    return _same(item) if _SMALL.fullmatch(item.numeral) else _printed_alike(item.numeral)


# in this order, so that the surest match comes first
_RULES = ((_same, "same"), (_same_before, "moved"), (_same_after, "moved"), (_alone, "moved"))


def match_page(document, found, occurrences):
    """Match the numerals of a page with the occurrences of its document; return a Scan.

    First those whose words on both sides are the registered ones, then those with the same words
    on one side, then equal numerals but for integers of one or two digits; each in order of
    appearance. What remains on the page is unregistered, what remains in the registry is gone.
    """
    matches, left = [None] * len(found), dict(enumerate(occurrences))
    for key, how in _RULES:
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


def _with_elsewhere(scan, occurrences):
    """Tell of each unregistered numeral which claims of other documents may be the same number.

    Those among the same words on one side, else every equal numeral that is no small integer.
    """
    others = defaultdict(list)
    for occurrence in occurrences:
        if occurrence.claims and occurrence.document != scan.document:
            others[_printed_alike(occurrence.numeral)].append(occurrence)

    def told(match):
        if match.occurrence:
            return match
        found, alike = match.found, others[_printed_alike(match.found.numeral)]
        near = [o for o in alike if o.before == found.before or o.after == found.after]
        return replace(
            match, elsewhere=tuple(near or ([] if _SMALL.fullmatch(found.numeral) else alike))
        )

    return replace(scan, matches=[told(match) for match in scan.matches])


def scan_page(found, occurrences, document=None):
    """Match a page with the registry of `document`, or of the document that fits best.

    The best fit has the most numerals among the same words, then the most numerals at all; a page
    without numerals fits none ("").
    Raises LedgerError when the page has nothing in common with any document.
    """
    by_document = defaultdict(list)
    for occurrence in occurrences:
        by_document[occurrence.document].append(occurrence)
    if document is not None:
        return _with_elsewhere(match_page(document, found, by_document[document]), occurrences)
    if not found:
        return Scan("", [], [])

    def fit(scan):
        kinds = [match.how for match in scan.matches]
        return kinds.count("same"), kinds.count("moved")

    scans = [match_page(name, found, listed) for name, listed in sorted(by_document.items())]
    best = max(scans, key=fit, default=None)
    if best is None or not any(fit(best)):
        raise LedgerError("no numeral of the page is registered; name its document: --document")
    return _with_elsewhere(best, occurrences)


def registered_anew(scan, occurrences):
    """Return all occurrences with those of the scanned document as its page now has them.

    Claims and reasons of matched numerals are kept; new ones have neither.
    """
    others = [o for o in occurrences if o.document != scan.document]
    page = [
        Occurrence(
            scan.document,
            match.found.numeral,
            match.found.before,
            match.found.after,
            match.occurrence.claims if match.occurrence else (),
            match.occurrence.reason if match.occurrence else "",
        )
        for match in scan.matches
    ]
    return [*others, *page]


def _as_stated(numeral, unit=""):
    """Return a numeral without, and whether with, a per cent sign, in the numeral or the unit."""
    plain = _printed_alike(numeral).rstrip(" %")
    return plain, "%" in numeral + unit


def _row_for(matches, rows, place):
    """Return where among the registry's rows a new one for the page's match `place` belongs."""
    index = {id(row): number for number, row in enumerate(rows)}
    before = [index[id(m.occurrence)] + 1 for m in matches[:place] if m.how == "same"]
    after = [index[id(m.occurrence)] for m in matches[place:] if m.how == "same"]
    if before:
        return before[-1]
    return after[0] if after else len(rows)


def with_claim(scan, occurrences, claim):
    """Give a claim (claims.Claim) the first unregistered occurrence of each numeral it states.

    Returns (all occurrences, the Numerals that it got). A row is added where the page has it, so
    that the page may be a part of its document. Raises LedgerError when there is none to give.
    """
    matches, rows, given, faults = list(scan.matches), list(occurrences), [], []
    for wanted in find_numerals(page_text(claim.stated)):
        stated = _as_stated(wanted.numeral, claim.unit)
        alike = [n for n, m in enumerate(matches) if _as_stated(m.found.numeral) == stated]
        waiting = [place for place in alike if matches[place].waits]
        if not waiting:
            taken = [as_line(matches[place]).strip() for place in alike]
            told = f"registered already: {'; '.join(taken)}" if taken else "not on the page"
            faults.append(f"{wanted.numeral} is {told}")
            continue
        place = waiting[0]
        found, old = matches[place].found, matches[place].occurrence
        new = Occurrence(scan.document, found.numeral, found.before, found.after, (claim.id,))
        if old:
            rows = [new if row is old else row for row in rows]
        else:
            rows.insert(_row_for(matches, rows, place), new)
        matches[place] = Match(found, new, "same")
        given.append(found)
    if not given and not faults:
        faults.append(f"the stated {claim.stated!r} holds no numeral to look for")
    if faults:
        raise LedgerError(faults)
    return rows, given


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
                "elsewhere": _ids_by_document(match.elsewhere),
            }
            for match in scan.matches
        ],
        "gone": [{"numeral": o.numeral, "claims": list(o.claims)} for o in scan.gone],
        "claims_not_found": scan.claims_not_found,
        "unregistered": len(scan.unregistered),
        "looks_like_a_part": scan.is_part,
    }


def _ids_by_document(occurrences):
    """Return {document: sorted ids of the claims} of some occurrences."""
    ids = defaultdict(set)
    for occurrence in occurrences:
        ids[occurrence.document].update(occurrence.claims)
    return {document: sorted(ids[document]) for document in sorted(ids)}


def _owner(occurrence):
    return ", ".join(occurrence.claims) or f"no claim: {occurrence.reason}"


def as_line(match, width=0):
    """Return one numeral of the page as a line: place, numeral, whose it is."""
    if match.waits:
        told = "unregistered"
        for document, ids in _ids_by_document(match.elsewhere).items():
            more = f" and {len(ids) - 3} more" if len(ids) > 3 else ""
            told += f"; document {document}: {', '.join(ids[:3])}{more}"
    else:
        told = _owner(match.occurrence) + " (moved)" * (match.how == "moved")
    place = f"{match.found.line}:{match.found.column}"
    return f"{place:>9}  {match.found.numeral:{width}}  {told}"


def _listed(lines, everything):
    """Return the lines, or the first of them and how many there are besides."""
    if everything or len(lines) <= _LISTED:
        return lines
    return [*lines[:_LISTED], f"{'...':>9}  and {len(lines) - _LISTED} more; --all lists them"]


def as_lines(scan, everything=False):
    """Return a Scan as lines of text: a numeral a line, then what is gone, then the counts.

    `everything`: list all that is gone, not only its beginning.
    """
    width = max((len(match.found.numeral) for match in scan.matches), default=0)
    lines = [as_line(match, width) for match in scan.matches]
    gone = [f"{'gone':>9}  {o.numeral:{width}}  {_owner(o)}" for o in scan.gone]
    lost = [f"no longer found: claim {claim}" for claim in scan.claims_not_found]
    lines += [*_listed(gone, everything), *_listed(lost, everything)]
    if scan.is_part:
        lines.append(f"most of document {scan.document} is gone: the page looks like a part of it")
    kinds, unregistered = [match.how for match in scan.matches], len(scan.unregistered)
    lines.append(
        f"{len(kinds)} numerals: {len(kinds) - unregistered} registered "
        f"({kinds.count('moved')} moved), {unregistered} unregistered; {len(scan.gone)} gone, "
        f"{len(scan.claims_not_found)} claims no longer found"
        if kinds
        else "no numeral on the page"
    )
    return lines
