# Document 004: the toy language, the factored bigram model over eight widths, and its vectors.
GRAMMARS = sorted(config["toy_language"]["grammars"])


rule build_toy_language:
    input:
        code=code("build_toy_language"),
    output:
        **experiment(
            "build_toy_language",
            candidates="reconstruction/candidates.csv",
            vocabulary="reconstruction/vocabulary.csv",
            successors="reconstruction/successors.csv",
            values="reconstruction/values.csv",
            truths="reconstruction/truths.csv",
        ),
    log:
        results("logs/build_toy_language.log"),
    benchmark:
        results("benchmarks/build_toy_language.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        toy_language=config["toy_language"],
    message:
        "Build the toy language"
    script:
        "../../scripts/build_toy_language.py"


rule measure_widths:
    input:
        code=code("measure_widths"),
    output:
        **experiment(
            "measure_widths",
            widths="bigram/widths.csv",
            curves="bigram/curves.csv",
            gradients="bigram/gradients.csv",
            values="bigram/values.csv",
            truths="bigram/truths.csv",
        ),
    log:
        results("logs/measure_widths.log"),
    benchmark:
        results("benchmarks/measure_widths.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        toy_language=config["toy_language"],
        bigram=config["bigram"],
        settings={"bigram": config["settings"]["bigram"]},
    message:
        "Train the bigram model at every width"
    script:
        "../../scripts/measure_widths.py"


rule measure_vectors:
    input:
        code=code("measure_vectors"),
    output:
        **experiment(
            "measure_vectors",
            vectors="bigram/vectors/vectors.npy",
            about="bigram/vectors/table.json",
            cosines="bigram/cosines.csv",
            neighbours="bigram/neighbours.csv",
            subjects="bigram/subjects.csv",
            formation="bigram/formation.csv",
            families="bigram/families.csv",
            map="bigram/map.csv",
            truths="bigram/vector_truths.csv",
        ),
    log:
        results("logs/measure_vectors.log"),
    benchmark:
        results("benchmarks/measure_vectors.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        toy_language=config["toy_language"],
        bigram=config["bigram"],
        settings={"bigram": config["settings"]["bigram"]},
    message:
        "Look at the trained vectors"
    script:
        "../../scripts/measure_vectors.py"


# One job a grammar: all widths, starts and corpora, so that a job is worth its start.
ARTEFACTS.extend(results(f"bigram/runs/{name}.csv") for name in GRAMMARS)
SIDECARS.extend(manifest(f"measure_spread.{name}") for name in GRAMMARS)


rule measure_spread:
    input:
        code=code("measure_spread"),
    output:
        runs=results("bigram/runs/{grammar}.csv"),
        manifest=manifest("measure_spread.{grammar}"),
    log:
        results("logs/measure_spread.{grammar}.log"),
    benchmark:
        results("benchmarks/measure_spread.{grammar}.tsv")
    wildcard_constraints:
        grammar="|".join(map(re.escape, GRAMMARS)),
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        toy_language=config["toy_language"],
        bigram=config["bigram"],
        settings={"bigram": config["settings"]["bigram"]},
    message:
        "Train many starts and corpora of grammar {wildcards.grammar}"
    script:
        "../../scripts/measure_spread.py"


rule summarize_spread:
    input:
        runs=expand(rules.measure_spread.output.runs, grammar=GRAMMARS),
        code=code("summarize_spread"),
    output:
        **experiment(
            "summarize_spread",
            spread="bigram/spread.csv",
            groups="bigram/groups.csv",
            statuses="bigram/statuses.csv",
            truths="bigram/spread_truths.csv",
        ),
    log:
        results("logs/summarize_spread.log"),
    benchmark:
        results("benchmarks/summarize_spread.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        toy_language=config["toy_language"],
        bigram=config["bigram"],
        settings={"bigram": config["settings"]["bigram"]},
    message:
        "Gather the ranges over starts, corpora and grammars"
    script:
        "../../scripts/summarize_spread.py"


rule measure_order:
    input:
        code=code("measure_order"),
    output:
        **experiment(
            "measure_order",
            models="order/models.csv",
            truths="order/truths.csv",
        ),
    log:
        results("logs/measure_order.log"),
    benchmark:
        results("benchmarks/measure_order.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        order=config["order"],
    message:
        "Train small models with and without positions"
    script:
        "../../scripts/measure_order.py"


PAGE_INPUTS.update(
    candidates=rules.build_toy_language.output.candidates,
    widths=rules.measure_widths.output.widths,
    spread=rules.summarize_spread.output.spread,
    runs=expand(rules.measure_spread.output.runs, grammar=GRAMMARS),
    map=rules.measure_vectors.output.map,
    families=rules.measure_vectors.output.families,
    statuses=rules.summarize_spread.output.statuses,
    structure=rules.summarize_spread.output.truths,
)
