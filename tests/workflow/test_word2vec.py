"""word2vec as rules: bad configurations and texts refused by name, and the same bytes again."""

from copies import QUICK

NAME = "config/config.yaml"


def test_bad_settings_are_refused_by_name(copy):
    copy.edit(NAME, "    dim: 50\n    window: 5", "    dim: 0\n    window: 5")
    # of the real text: the toy's rate stands first in the file
    right, wrong = (
        "learning_rate: 0.05\n    epochs: 3\n",
        "learning_rate: -0.05\n    epochs: .nan\n",
    )
    copy.edit(NAME, right, wrong)
    copy.edit(NAME, "fixed_start: 0.5", "fixed_start: .nan")
    copy.edit(NAME, "corpus: gcide", "corpora: gcide")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "'word2vec.training.dim' is 0; allowed: at least 1" in told
    assert "'word2vec.training.learning_rate' is -0.05" in told
    assert "'word2vec.training.epochs' is nan" in told
    assert "'word2vec.tradeoffs.widths.fixed_start' is nan; must be finite" in told
    assert "unknown key 'word2vec.corpora' (did you mean 'corpus'?)" in told
    assert "Traceback" not in told


def test_an_empty_list_of_sentences_is_refused(copy):
    text = copy.path(NAME).read_text(encoding="utf-8")
    first = text.index("    sentences:\n      - cat eats fish")
    last = text.index("\n\n", first)
    copy.path(NAME).write_text(text[:first] + "    sentences: []" + text[last:], encoding="utf-8")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "'mechanics.skipgram.sentences' is []; allowed: a list of 1 or more" in told


def test_what_is_no_corpus_is_refused(copy):
    corpus = "build/quick/word2vec/corpus.csv"
    for content, told in ((None, "no such file"), ("", "the file is empty"), ("a\0b", "is binary")):
        if content is not None:
            copy.path("text.txt").write_text(content, encoding="utf-8")
        status, out = copy.run(corpus, *QUICK, "--config", "word2vec={corpus: text.txt}", "--force")
        assert status != 0
        assert told in out
        assert "Traceback" not in out
    status, out = copy.run(corpus, *QUICK, "--config", "word2vec={corpus: src}", "--force")
    assert status != 0
    assert "corpus src: a directory, expected a plain-text file" in out


def test_a_text_of_ones_own(copy):
    copy.path("text.txt").write_text("the cat eats fish\n" * 40, encoding="utf-8")
    copy.edit(NAME, "corpus: gcide", "corpus: text.txt")
    status, told = copy.run("build/quick/word2vec/truths.csv", *QUICK)
    assert status == 0, told
    about = copy.path("build/quick/word2vec/corpus.csv").read_text(encoding="utf-8")
    assert "source,0,text.txt" in about
    assert "words,0,160" in about


def test_the_same_bytes_again(copy, built, monkeypatch):
    """Another hash seed changes no byte of toy, tables, trade-offs, small models and figures."""
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    rules = ("measure_skipgram", "measure_sentence_sets", "measure_tradeoffs", "train_word2vec")
    status, told = copy.run(
        "build/quick/figures/word_map.svg", *QUICK, "--forcerun", *rules, "measure_small_models"
    )
    assert status == 0, told
    compared = 0
    for folder in ("word2vec", "small_models", "figures"):
        for file in sorted(copy.path(f"build/quick/{folder}").rglob("*.*")):
            if file.suffix in (".csv", ".npy", ".json", ".svg"):
                other = built.path(file.relative_to(copy.folder))
                assert file.read_bytes() == other.read_bytes(), file
                compared += 1
    assert compared > 25
