# Documents 000, 002 and 003: word2vec on thirteen sentences and on a real text, small models of it.


rule measure_skipgram:
    input:
        code=code("measure_skipgram"),
    output:
        **experiment(
            "measure_skipgram",
            runs="word2vec/toy/runs.csv",
            losses="word2vec/toy/losses.csv",
            paths="word2vec/toy/paths.csv",
            map="word2vec/toy/map.csv",
            shares="word2vec/toy/shares.csv",
            fits="word2vec/toy/fits.csv",
            values="word2vec/toy/values.csv",
            truths="word2vec/toy/truths.csv",
        ),
    log:
        results("logs/measure_skipgram.log"),
    benchmark:
        results("benchmarks/measure_skipgram.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        mechanics={"skipgram": config["mechanics"]["skipgram"]},
        word2vec={"toy": config["word2vec"]["toy"]},
    message:
        "Train the skip-gram toy from many seeds"
    script:
        "../../scripts/measure_skipgram.py"


rule measure_sentence_sets:
    input:
        code=code("measure_sentence_sets"),
    output:
        **experiment(
            "measure_sentence_sets",
            sets="word2vec/toy/sets.csv",
            robustness="word2vec/toy/robustness.csv",
        ),
    log:
        results("logs/measure_sentence_sets.log"),
    benchmark:
        results("benchmarks/measure_sentence_sets.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        mechanics={"skipgram": config["mechanics"]["skipgram"]},
        word2vec={"toy": config["word2vec"]["toy"]},
    message:
        "Train skip-gram on random sentences"
    script:
        "../../scripts/measure_sentence_sets.py"


# A file that the configuration names is an input: a change of it trains anew.
CORPUS = config["word2vec"]["corpus"]
SIDECARS.append(manifest("prepare_text"))
ARTEFACTS.append(results("word2vec/corpus.csv"))


rule prepare_text:
    input:
        text=[CORPUS] if Path(CORPUS).is_file() else [],
        code=code("prepare_text"),
    output:
        corpus=results("word2vec/corpus.txt"),
        about=results("word2vec/corpus.csv"),
        manifest=manifest("prepare_text"),
    log:
        results("logs/prepare_text.log"),
    benchmark:
        results("benchmarks/prepare_text.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        word2vec={name: config["word2vec"][name] for name in ("corpus",)},
    message:
        "Write the corpus as lines of words"
    script:
        "../../scripts/prepare_text.py"


# One job a seed. The table of the first is offered for download.
SEEDS = config["word2vec"]["seeds"]
ARTEFACTS.extend(
    results(f"word2vec/tables/{SEEDS[0]}/{name}") for name in ("vectors.npy", "table.json")
)
SIDECARS.extend(manifest(f"train_word2vec.{seed}") for seed in SEEDS)


rule train_word2vec:
    input:
        corpus=rules.prepare_text.output.corpus,
        about=rules.prepare_text.output.about,
        code=code("train_word2vec"),
    output:
        vectors=results("word2vec/tables/{seed}/vectors.npy"),
        table=results("word2vec/tables/{seed}/table.json"),
        manifest=manifest("train_word2vec.{seed}"),
    log:
        results("logs/train_word2vec.{seed}.log"),
    benchmark:
        results("benchmarks/train_word2vec.{seed}.tsv")
    wildcard_constraints:
        seed=r"\d+",
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        word2vec={name: config["word2vec"][name] for name in ("training",)},
    message:
        "Train word2vec from seed {wildcards.seed}"
    script:
        "../../scripts/train_word2vec.py"


rule measure_word2vec:
    input:
        vectors=expand(rules.train_word2vec.output.vectors, seed=SEEDS),
        tables=expand(rules.train_word2vec.output.table, seed=SEEDS),
        code=code("measure_word2vec"),
    output:
        **experiment(
            "measure_word2vec",
            neighbours="word2vec/neighbours.csv",
            cosines="word2vec/cosines.csv",
            analogies="word2vec/analogies.csv",
            families="word2vec/families.csv",
            map="word2vec/map.csv",
            truths="word2vec/truths.csv",
        ),
    log:
        results("logs/measure_word2vec.log"),
    benchmark:
        results("benchmarks/measure_word2vec.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        word2vec={name: config["word2vec"][name] for name in ("asked", "families")},
    message:
        "Ask the word2vec tables"
    script:
        "../../scripts/measure_word2vec.py"


rule measure_tradeoffs:
    input:
        corpus=rules.prepare_text.output.corpus,
        code=code("measure_tradeoffs"),
    output:
        **experiment(
            "measure_tradeoffs",
            widths="word2vec/tradeoffs/widths.csv",
            subwords="word2vec/tradeoffs/subwords.csv",
            repeats="word2vec/tradeoffs/repeats.csv",
            truths="word2vec/tradeoffs/truths.csv",
        ),
    log:
        results("logs/measure_tradeoffs.log"),
    benchmark:
        results("benchmarks/measure_tradeoffs.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        word2vec={name: config["word2vec"][name] for name in ("training", "families", "tradeoffs")},
    message:
        "Try the trade-offs of word2vec"
    script:
        "../../scripts/measure_tradeoffs.py"


rule measure_small_models:
    input:
        corpus=rules.prepare_text.output.corpus,
        code=code("measure_small_models"),
    output:
        **experiment(
            "measure_small_models",
            tying="small_models/tying.csv",
            bytes="small_models/bytes.csv",
            truths="small_models/truths.csv",
        ),
    log:
        results("logs/measure_small_models.log"),
    benchmark:
        results("benchmarks/measure_small_models.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        small_models=config["small_models"],
    message:
        "Train small language models"
    script:
        "../../scripts/measure_small_models.py"


WORD2VEC_FIGURES = [
    "skipgram_loss",
    "skipgram_map",
    "sentence_sets",
    "word_map",
    "repeats",
    "widths",
    "tying",
    "byte_patterns",
]
SIDECARS.append(manifest("draw_word2vec"))


rule draw_word2vec:
    input:
        losses=rules.measure_skipgram.output.losses,
        fits=rules.measure_skipgram.output.fits,
        values=rules.measure_skipgram.output.values,
        map=rules.measure_skipgram.output.map,
        paths=rules.measure_skipgram.output.paths,
        shares=rules.measure_skipgram.output.shares,
        robustness=rules.measure_sentence_sets.output.robustness,
        words=rules.measure_word2vec.output.map,
        shared=rules.measure_tradeoffs.output.repeats,
        by_width=rules.measure_tradeoffs.output.widths,
        runs=rules.measure_small_models.output.tying,
        bytes=rules.measure_small_models.output.bytes,
        code=code("draw_word2vec"),
    output:
        **{name: results(f"figures/{name}.svg") for name in WORD2VEC_FIGURES},
        manifest=manifest("draw_word2vec"),
    log:
        results("logs/draw_word2vec.log"),
    benchmark:
        results("benchmarks/draw_word2vec.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Draw the figures of word2vec"
    script:
        "../../scripts/draw_word2vec.py"


FIGURES.extend(results(f"figures/{name}.svg") for name in WORD2VEC_FIGURES)
PAGE_INPUTS.update(
    corpus=rules.prepare_text.output.about,
    neighbours=rules.measure_word2vec.output.neighbours,
    word_cosines=rules.measure_word2vec.output.cosines,
    analogies=rules.measure_word2vec.output.analogies,
)
