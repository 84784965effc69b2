"""The findings on the front page: sentences that say only what today's verdicts say.

A finding has one version or more. Each names the verdicts under which it is true and holds fields
in braces, which are filled from verdicts and artefacts; the first version that is true and whose
fields all have a value is shown. A finding without one is left out.

    - heading: ...
      versions:
        - when: {d4.dot.starts: contradicted, "d4.dot.*.start*": reproduced}
          text: "... {d4.dot.starts:stated} ... {positions/dot_curve.csv offset=28 dot_product} ..."

A name of a claim may be a pattern with `*`: all claims that match must have the verdict, and one
at least must match. `contradicted, other side holds` asks for a contradiction in which the
measurement agrees with the other place of the document only. A field is `claim:column`,
`claim:name` for a number in the claim's reason (`name = number`), `pattern:count`, or an artefact
with row and column.
"""

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import yaml
from markupsafe import Markup

from embedding_ledger.claims import VERDICTS
from embedding_ledger.errors import LedgerError
from embedding_ledger.files import read_csv, read_text
from embedding_ledger.stories import EMPTY, badge, claim_link, filter_link
from embedding_ledger.verdicts import agreeing, select_cells

MOST = 5
OTHER_SIDE = "contradicted, other side holds"
_FIELD = re.compile(r"\{([^{}]+)\}")
_NUMBERS = re.compile(r"([^;:=]+) = ([^;:=]+)")


@dataclass(frozen=True)
class Version:
    """One wording: `when` maps names of claims to the verdicts that make `text` true."""

    when: dict[str, str]
    text: str


@dataclass(frozen=True)
class Finding:
    """A heading, and the wordings of which the first true one is shown."""

    heading: str
    versions: tuple[Version, ...]


@dataclass(frozen=True)
class Told:
    """A finding as it is true today; `evidence`: rows of claims.csv by the name it rests on."""

    heading: str
    text: str
    evidence: dict[str, list]


def read_findings(path):
    """Read report/_findings.yml; return (question, findings).

    Raises LedgerError naming what is not in order.
    """
    try:
        entries = yaml.safe_load(read_text(path))
        question, *findings = (
            Finding(entry["heading"], tuple(Version(**version) for version in entry["versions"]))
            for entry in (entries["question"], *entries["findings"])
        )
    except (yaml.YAMLError, KeyError, TypeError) as error:
        told = "a finding has heading and versions, a version has when and text"
        raise LedgerError(f"{path}: {' '.join(str(error).split())}: {told}") from None
    return question, findings


def matching(rows, name):
    """Return the rows of claims whose id is `name`, which may be a pattern with `*`."""
    return [row for row in rows if fnmatchcase(row["id"], name)]


def faults(findings, rows):
    """Return what is wrong with findings: claims and verdicts that there are not.

    A registry of other documents has none of the claims: their findings are then left out.
    """
    found = []
    for finding in findings:
        for version in finding.versions:
            for name, verdict in version.when.items():
                if not matching(rows, name):
                    found.append(f"finding '{finding.heading}': no claim {name!r}")
                if verdict not in (*VERDICTS, OTHER_SIDE):
                    allowed = "; ".join((*VERDICTS, OTHER_SIDE))
                    found.append(
                        f"finding '{finding.heading}': {verdict!r} is not one of {allowed}"
                    )
    return found


def _listed(text, exact=False):
    """Return cells as words; numbers with four digits for reading, or exactly as they are."""
    return " and ".join(item if exact else _rounded(item) for item in text.split(";"))


def _rounded(text):
    try:
        number = float(text)
    except ValueError:
        return text
    return f"{number:,.0f}" if number.is_integer() else f"{number:#.4g}"


def value(field, rows, results):
    """Return what a field of a text stands for, empty when there is nothing to show.

    Raises LedgerError when the field names no claim, no column and no cell.
    """
    if ":" in field:
        name, _, column = field.rpartition(":")
        found = matching(rows, name)
        if column == "count" and found:
            return str(len(found))
        if len(found) != 1:
            raise LedgerError(f"field {{{field}}} of a finding names {len(found)} claims")
        if column in found[0]:
            if column == "reason":
                return found[0][column]
            return _listed(found[0][column], exact=column in ("stated", "measured"))
        numbers = {name.strip(): number for name, number in _NUMBERS.findall(found[0]["reason"])}
        return numbers.get(column, "").strip().replace(" ", ", ")
    artefact, *address = field.split(" ")
    path = Path(results) / artefact
    if len(address) != 2:
        raise LedgerError(f"field {{{field}}} of a finding is no artefact, row and column")
    if not path.is_file():
        return ""
    try:
        return _listed(";".join(select_cells(*read_csv(path), *address)))
    except ValueError as error:
        raise LedgerError(f"field {{{field}}} of a finding: {error}") from None


def came_out(row, wanted):
    """Tell whether a claim (row of claims.csv) came out as `wanted`, a verdict or OTHER_SIDE."""
    if wanted == OTHER_SIDE:
        return row["verdict"] == "contradicted" and agreeing(row) == [row["other_section"]]
    return row["verdict"] == wanted


def tell(finding, rows, results):
    """Return a finding as Told by its first version that is true, None when none is."""
    for version in finding.versions:
        evidence = {name: matching(rows, name) for name in version.when}
        true = all(
            evidence[name] and all(came_out(row, wanted) for row in evidence[name])
            for name, wanted in version.when.items()
        )
        if not true:
            continue
        fields = _FIELD.findall(finding.heading + version.text)
        values = {field: value(field, rows, results) for field in fields}
        if all(values.values()):
            return Told(*(_filled(t, values) for t in (finding.heading, version.text)), evidence)
    return None


def _filled(text, values):
    return _FIELD.sub(lambda match: values[match[1]], text).strip()


def _evidence(name, found):
    """Return a link to the stories behind a finding: one claim, or how many of a pattern."""
    verdict = badge(found[0]["verdict"])
    if len(found) == 1:
        link = claim_link(found[0]["id"])
    else:
        words = " ".join(filter(None, name.split("*")))
        link = filter_link(f"{len(found)} claims", words=words, verdict=found[0]["verdict"])
    return Markup("<span>{} {}</span>").format(verdict, link)


def _rests_on(told):
    return Markup(" ").join(_evidence(*pair) for pair in told.evidence.items())


def answer(told):
    """Return one finding (Told) as a paragraph in HTML that opens with its heading."""
    return Markup(
        '<div class="answer"><p><strong>{}</strong> {}</p>\n<p class="rests-on">{}</p></div>\n'
    ).format(told.heading, told.text, _rests_on(told))


def as_html(told):
    """Return findings (Told) as an ordered list in HTML, each with links to its evidence."""
    item = Markup('<li><h3>{}</h3>\n<p>{}</p>\n<p class="rests-on">{}</p></li>\n')
    items = EMPTY.join(item.format(one.heading, one.text, _rests_on(one)) for one in told)
    return Markup('<ol class="findings">\n{}</ol>\n').format(items)


def current(findings, rows, results, most=MOST):
    """Return the first `most` findings that are true today."""
    told = (tell(finding, rows, results) for finding in findings)
    return [one for one in told if one][:most]
