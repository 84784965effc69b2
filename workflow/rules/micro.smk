# Documents 003 and 000: a small language model, trained here on texts of installed packages.
MICRO_RUNS = sorted(config["micro"]["runs"])
MICRO_FIGURES = ["micro_map", "micro_neighbours", "micro_curves"]


rule record_absences:
    input:
        code=code("record_absences"),
    output:
        absent=results("absent.csv"),
        manifest=manifest("record_absences"),
    log:
        results("logs/record_absences.log"),
    benchmark:
        results("benchmarks/record_absences.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        micro=config["micro"],
        found=MICRO_ABSENT,  # runs again when a package comes or goes
    message:
        "Record what is absent on this machine"
    script:
        "../../scripts/record_absences.py"


rule prepare_corpus:
    input:
        code=code("prepare_corpus"),
    output:
        **micro_experiment("prepare_corpus", parts="micro/parts.csv"),
        tokenizer=results("micro/corpus/tokenizer.json"),
        tokens=results("micro/corpus/tokens.npy"),
    log:
        results("logs/prepare_corpus.log"),
    benchmark:
        results("benchmarks/prepare_corpus.tsv")
    # the longest jobs of the pipeline wait for it
    priority: 20
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        micro={
            name: config["micro"][name]
            for name in ("sources", "topics", "mixture", "mixtures", "tokenizer_budget")
        },
        settings={"micro": config["settings"]["micro"]},
    message:
        "Read the texts of the small language model"
    script:
        "../../scripts/prepare_corpus.py"


if HAS_MICRO:
    SIDECARS.extend(manifest(f"train_micro.{run}") for run in MICRO_RUNS)


rule train_micro:
    input:
        tokens=rules.prepare_corpus.output.tokens,
        parts=rules.prepare_corpus.output.parts,
        code=code("train_micro"),
    output:
        weights=results("micro/runs/{run}/weights.npz"),
        tables=results("micro/runs/{run}/tables.npy"),
        curve=results("micro/runs/{run}/curve.csv"),
        manifest=manifest("train_micro.{run}"),
    log:
        results("logs/train_micro.{run}.log"),
    benchmark:
        results("benchmarks/train_micro.{run}.tsv")
    wildcard_constraints:
        run="|".join(map(re.escape, MICRO_RUNS)),
    # the longest job of the pipeline starts before the others
    priority: 10
    threads: config["micro"]["threads"]
    resources:
        mem_mb=650,
        runtime=15,
    params:
        micro={
            name: config["micro"][name]
            for name in ("held_out_every", "model", "threads", "training", "runs")
        },
        settings={"micro": config["settings"]["micro"]},
    message:
        "Train the small language model, run {wildcards.run}"
    script:
        "../../scripts/train_micro.py"


rule train_bytes:
    input:
        tokens=rules.prepare_corpus.output.tokens,
        parts=rules.prepare_corpus.output.parts,
        tokenizer=rules.prepare_corpus.output.tokenizer,
        code=code("train_bytes"),
    output:
        **micro_experiment(
            "train_bytes",
            curve="micro/bytes_curve.csv",
            truths="micro/bytes_truths.csv",
        ),
    log:
        results("logs/train_bytes.log"),
    benchmark:
        results("benchmarks/train_bytes.tsv")
    threads: config["micro"]["threads"]
    resources:
        mem_mb=500,
        runtime=5,
    params:
        micro={name: config["micro"][name] for name in ("held_out_every", "threads", "bytes")},
    message:
        "Train a small model of bytes"
    script:
        "../../scripts/train_bytes.py"


rule measure_micro:
    input:
        tokens=rules.prepare_corpus.output.tokens,
        parts=rules.prepare_corpus.output.parts,
        tokenizer=rules.prepare_corpus.output.tokenizer,
        weights=results("micro/runs/main/weights.npz"),
        tables=expand(rules.train_micro.output.tables, run=MICRO_RUNS),
        curves=expand(rules.train_micro.output.curve, run=MICRO_RUNS),
        code=code("measure_micro"),
    output:
        **micro_experiment(
            "measure_micro",
            vectors="micro/table/vectors.npy",
            about="micro/table/table.json",
            runs="micro/runs.csv",
            cosines="micro/cosines.csv",
            neighbours="micro/neighbours.csv",
            neighbours_over_time="micro/neighbours_over_time.csv",
            kinds="micro/kinds.csv",
            map="micro/map.csv",
            drift="micro/drift.csv",
            context="micro/context.csv",
            values="micro/values.csv",
            truths="micro/truths.csv",
        ),
    log:
        results("logs/measure_micro.log"),
    benchmark:
        results("benchmarks/measure_micro.tsv")
    threads: 1
    resources:
        mem_mb=800,
        runtime=5,
    params:
        micro=config["micro"],
        settings={"micro": config["settings"]["micro"]},
    message:
        "Ask the small language model what the page says of its own"
    script:
        "../../scripts/measure_micro.py"


rule draw_micro_figures:
    input:
        map=rules.measure_micro.output.map,
        kinds=rules.measure_micro.output.kinds,
        neighbours=rules.measure_micro.output.neighbours_over_time,
        curves=expand(rules.train_micro.output.curve, run=MICRO_RUNS),
        bytes=rules.train_bytes.output.curve,
        code=code("draw_micro_figures"),
    output:
        **{name: results(f"figures/{name}.svg") for name in MICRO_FIGURES},
        manifest=manifest("draw_micro_figures"),
    log:
        results("logs/draw_micro_figures.log"),
    benchmark:
        results("benchmarks/draw_micro_figures.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Draw the figures of the small language model"
    script:
        "../../scripts/draw_micro_figures.py"


SOURCES.append(rules.record_absences.output.absent)
SIDECARS.append(manifest("record_absences"))
PAGE_INPUTS["absent"] = rules.record_absences.output.absent
if HAS_MICRO:
    FIGURES.extend(results(f"figures/{name}.svg") for name in MICRO_FIGURES)
    PAGE_SIDECARS.append(manifest("draw_micro_figures"))
    PAGE_INPUTS["micro"] = [
        results(f"micro/{name}.csv")
        for name in ("parts", "runs", "cosines", "kinds", "neighbours", "map")
    ]
