"""What the report shows of the published tables: side by side, neighbours, statements, explorer.

Everything is read from artefacts and verdicts; what the page states comes from its claims.
"""

from pathlib import Path

from markupsafe import Markup

from embedding_ledger.files import read_csv
from embedding_ledger.pages import raw_block
from embedding_ledger.stories import badge, claim_link, measured

ABSENT = "–"
# question, the claim that states it of GPT-2, artefact, row, column, decimals
COMPARED = (
    ("rows of the table", "d1.shape.rows", "values", {"quantity": "rows"}, 0),
    ("numbers in a row", "d1.shape.cols", "values", {"quantity": "width"}, 0),
    ("share of the model, %", "d1.shape.share", "values", {"quantity": "share_percent"}, 1),
    ("cosine of Paris and France", "d1.cos.paris_france", "cosines", ("Paris", "France"), 3),
    ("cosine of Paris and banana", "d1.cos.paris_banana", "cosines", ("Paris", "banana"), 3),
    ("cosine of king and queen", "d1.cos.king_queen", "cosines", ("king", "queen"), 3),
    ("cosine of Monday and Tuesday", "d1.nn.monday.1", "cosines", ("Monday", "Tuesday"), 3),
    ("cosine of happy and unhappy", "d1.check.q2", "cosines", ("happy", "unhappy"), 3),
    ("mean cosine within a family", "d1.map.same_family", "values", "families.within", 3),
    ("mean cosine between families", "d1.map.diff_family", "values", "families.between", 3),
    ("spread kept by the map, %", "d1.map.spread", "values", "map.share_percent", 1),
    ("the same, rows not centred, %", "", "values", "map.share_percent.uncentred", 1),
    ("mean cosine of all pairs", "d1.cos.baseline", "values", "mean_cosine", 3),
    ("the same, rows centred", "", "values", "mean_cosine.centred", 3),
    ("rows that lean the common way", "", "values", "leaning.positive_rows", 0),
    ("silhouette of families, all numbers", "", "values", "silhouette.full", 2),
    ("silhouette on the map", "", "values", "silhouette.map", 2),
    ("nearest word is of the family, all numbers", "", "values", "nearest_own.full", 0),
    ("nearest word is of the family, map", "", "values", "nearest_own.map", 0),
    ("family furthest away, all numbers", "", "values", "furthest.full", None),
    ("family furthest away, map", "", "values", "furthest.map", None),
)
STATEMENTS = {
    "common_direction.all_lean": "All rows lean the same way",
    "days.nearest_six": "Monday's six nearest are the other days",
    "program.same_as_listing": "The page's program finds what the listing has",
    "spellings.near": "Three spellings of cat are near one another",
    "king_queen.near": "king and queen are close neighbours",
    "analogy.first": "king - man + woman leads to queen",
    "opposites.near": "Near rows can be opposites",
    "families.same_above_different": "One family is closer than two",
    "properties.spread": "A family's direction is spread over many numbers",
    "map.days_tight_far": "On the map days are the tightest and furthest group",
    "map.countries_and_cities_together": "On the map countries and cities are neighbours",
    "map.animals_food_jobs_overlap": "On the map animals, food and jobs overlap",
    "map.apart_in_the_rest": "In the other directions they are apart",
}


# pairs of the front page: the claim that states it, and the rows of the published tables
PAIRS = {
    "d1.cos.paris_france": ("Paris", "France"),
    "d1.cos.paris_banana": ("Paris", "banana"),
}
MICRO_PAIRS = {
    "d3.cos.three_four": "three and four",
    "d3.cos.red_blue": "red and blue",
    "d3.cos.he_she": "he and she",
    "d3.cos.red_heart": "red and heart",
}


class Shown:
    """The tables of sources.csv; cells of those that are here, by artefact."""

    def __init__(self, sources, results):
        self.all = read_csv(sources)[1]
        self.here = [row for row in self.all if row["here"] == "true"]
        self.results = Path(results)
        # GPT-2 has its column even where it is absent; others only where they are here
        self.columns = [row for row in self.all if row["here"] == "true" or row["table"] == "gpt2"]

    def rows(self, table, part):
        """Return the rows of one artefact of a table, none when the table is absent."""
        if table["here"] != "true":
            return []
        return read_csv(self.results / "tables" / table["table"] / f"{part}.csv")[1]


def _printed(text, decimals):
    if decimals is None:
        return text
    return f"{float(text):,.{decimals}f}"


def _cell(shown, table, part, key, decimals):
    """Return one printed cell of a table's artefact, or a dash."""
    if isinstance(key, str):
        key = {"quantity": key}
    elif isinstance(key, tuple):
        key = dict(zip(("a", "b"), key, strict=True))
    column = "cosine" if part == "cosines" else "value"
    for row in shown.rows(table, part):
        if all(row[name] == value for name, value in key.items()):
            return _printed(row[column], decimals)
    return ABSENT


def _table(heads, lines):
    cells = Markup(" ").join(Markup('<th scope="col">{}</th>').format(head) for head in heads)
    body = Markup("").join(
        Markup('<tr><th scope="row">{}</th> {}</tr>\n').format(
            first, Markup(" ").join(Markup("<td>{}</td>").format(cell) for cell in rest)
        )
        for first, *rest in lines
    )
    told = Markup(
        '<div class="scroll"><table class="counts left">\n<thead><tr>{}</tr></thead>\n<tbody>\n{}'
        "</tbody>\n</table></div>\n"
    )
    return raw_block(told.format(cells, body))


def compared(shown, stated):
    """Return the tables side by side; `stated`: {claim id: printed value of the page}."""
    heads = ["Question", "GPT-2, stated", *(row["title"] for row in shown.columns)]
    lines = []
    for question, claim, part, key, decimals in COMPARED:
        cells = [_cell(shown, table, part, key, decimals) for table in shown.columns]
        lines.append([question, stated.get(claim, ABSENT).split(";")[-1], *cells])
    return _table(heads, lines)


def _neighbour_list(shown, table, word):
    found = [row for row in shown.rows(table, "neighbours") if row["word"] == word]
    items = [
        f"{row['neighbour']} {float(row['cosine']):.2f}" for row in found if row["listed"] == "true"
    ]
    return Markup("<br>").join(items) or ABSENT


def neighbours(shown, stated, words):
    """Return the neighbours of the page's words in each table, nearest first."""
    heads = ["Word", "GPT-2, stated", *(row["title"] for row in shown.columns)]
    lines = []
    for word in words:
        claims = [stated.get(f"d1.nn.{word.lower()}.{rank}", "") for rank in range(1, 7)]
        told = Markup("<br>").join(" ".join(claim.split(";")) for claim in claims if claim)
        lines.append([word, told, *(_neighbour_list(shown, t, word) for t in shown.columns)])
    return _table(heads, lines)


def statements(shown):
    """Return which statements of the page hold in which table, with the numbers behind it."""
    heads = ["Statement", *(row["title"] for row in shown.columns)]
    found = {
        table["table"]: {row["statement"]: row for row in shown.rows(table, "truths")}
        for table in shown.columns
    }
    lines = []
    for name, told in STATEMENTS.items():
        cells = []
        for table in shown.columns:
            row = found[table["table"]].get(name)
            word = {"true": "yes", "false": "no"}[row["holds"]] if row else ABSENT
            numbers = row["numbers"] if row else ""
            cells.append(Markup('{} <span class="evidence">{}</span>').format(word, numbers))
        lines.append([told, *cells])
    return _table(heads, lines)


def absent(shown):
    """Return a note on the tables that are not here and how to get them, empty when all are."""
    missing = [row for row in shown.all if row["here"] != "true"]
    items = "".join(f"- {row['title']}: {row['reason']}\n" for row in missing)
    return f"::: {{.callout-note}}\n## Not on this machine\n\n{items}:::\n" if items else ""


def files(shown):
    """Return links to the artefacts of each table that is here."""
    parts = {"values": "values", "cosines": "pairs", "neighbours": "neighbours", "map": "map"}
    parts |= {"spread": "ranges over lists", "analogies": "analogies"}
    lines = []
    for row in shown.here:
        folder = f"data/tables/{row['table']}"
        links = ", ".join(f"[{told}]({folder}/{part}.csv)" for part, told in parts.items())
        lines.append(f"- {row['title']}: {links}\n")
    return "".join(lines)


def pairs(shown, rows):
    """Return two pairs in every table that is here, beside what the page states of GPT-2."""
    claims = {row["id"]: row for row in rows if row["id"] in PAIRS}
    if not claims:
        return ""
    heads = ["Table", *(claim_link(name, ", ".join(PAIRS[name])) for name in claims)]
    verdicts = [_judged(row) for row in claims.values()]
    others = [table for table in shown.here if table["table"] != "gpt2"]
    cells = [[_cell(shown, t, "cosines", PAIRS[name], 3) for name in claims] for t in others]
    lines = [
        ["GPT-2, stated", *(row["stated"] for row in claims.values())],
        ["GPT-2, here", *verdicts],
        *([table["title"], *line] for table, line in zip(others, cells, strict=True)),
    ]
    told = "The same question, asked of the other tables that are here:\n\n" if others else ""
    differ = len({line[0] for line in cells} - {ABSENT}) > 1
    learned = "So such a number belongs to its table, not to the two words.\n" if differ else ""
    return f"{told}{_table(heads, lines)}\n{learned}"


def _judged(row):
    return Markup("{} {}").format(measured(row), badge(row["verdict"]))


def micro_pairs(rows):
    """Return the pairs that document 003 asks of its own model, beside what ours gives."""
    claims = {row["id"]: row for row in rows}
    lines = [
        [claim_link(name, pair), claims[name]["stated"], _judged(claims[name])]
        for name, pair in MICRO_PAIRS.items()
        if name in claims
    ]
    told = (
        "The course's own small model is not to be had either. Ours has the same size and was "
        "trained on dictionaries, so its cosines are others:\n\n"
    )
    return told + _table(["Pair", "Stated", "Ours, and its range"], lines) if lines else ""


def explorer(shown):
    """Return the explorer's frame and the scripts of the tables that are here."""
    scripts = Markup("").join(
        Markup('<script src="explorer/{}.js"></script>\n').format(row["table"])
        for row in shown.here
    )
    frame = Markup(
        '<div id="explorer" hidden>\n'
        '<p class="explorer-choice"><label>Table <select id="explorer-table"></select></label>\n'
        '<label>Token <input id="explorer-search" type="search" autocomplete="off"></label></p>\n'
        '<p id="explorer-about"></p>\n<ul id="explorer-matches"></ul>\n'
        '<div class="explorer-found"><div>\n<p class="explorer-head" id="explorer-token"></p>\n'
        '<table class="counts left"><thead><tr><th scope="col">Neighbour</th> '
        '<th scope="col">Cosine</th></tr></thead>\n<tbody id="explorer-near"></tbody></table>\n'
        '</div><div>\n<svg id="explorer-map" viewBox="0 0 320 320" role="group" '
        'aria-label="Map of the words of eight families"></svg>\n'
        '<p id="explorer-legend"></p>\n<p id="explorer-told" role="status"></p>\n'
        "</div></div>\n</div>\n"
        "<noscript><p>Scripts are off: here are the maps as one picture. The neighbours of the "
        'page&#39;s words stand under <a href="document-001.html#sec-neighbours">document 001</a>.'
        '</p><p><img src="figures/table_maps.svg" alt="Maps of 63 words, a panel a table"></p>'
        "</noscript>\n"
    )
    told = "" if shown.here else "No table is on this machine, so there is nothing to look up.\n\n"
    return told + raw_block(
        frame + scripts + Markup('<script src="assets/explorer.js"></script>\n')
    )


def page_tables(sources, results, claims, words):
    """Return {name: Markdown} of what pages include about tables; `claims`: rows of claims.csv."""
    shown = Shown(sources, results)
    stated = {row["id"]: row["stated"] for row in claims}
    return {
        "tables-pairs": pairs(shown, claims),
        "micro-asked": micro_pairs(claims),
        "tables-compared": compared(shown, stated),
        "tables-neighbours": neighbours(shown, stated, words),
        "tables-statements": statements(shown),
        "tables-absent": absent(shown),
        "tables-files": files(shown),
        "explorer": explorer(shown),
    }
