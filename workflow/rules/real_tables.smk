# Document 001: tables that somebody published, as far as they are on this machine.
QUESTIONS = (
    "rows",
    "cosines",
    "neighbours",
    "listed",
    "map",
    "families",
    "analogies",
    "spread",
    "values",
    "truths",
    "absent",
)
LAYERS = ("senses", "changes", "values", "truths")

ARTEFACTS.extend(results(f"tables/{name}/{part}.csv") for name in TABLES for part in QUESTIONS)
ARTEFACTS.extend(results(f"layers/{name}/{part}.csv") for name in LAYERED for part in LAYERS)
SIDECARS.extend(manifest(f"measure_table.{name}") for name in TABLES)
SIDECARS.extend(manifest(f"measure_layers.{name}") for name in LAYERED)


rule list_sources:
    input:
        files=[str(file) for located in LOCATED.values() for file in located.files],
        code=code("list_sources"),
    output:
        **experiment("list_sources", sources="sources.csv"),
    log:
        results("logs/list_sources.log"),
    benchmark:
        results("benchmarks/list_sources.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        tables=config["tables"],
        fetch=config["fetch"],
    message:
        "List the published tables on this machine"
    script:
        "../../scripts/list_sources.py"


rule measure_table:
    input:
        files=table_files,
        code=code("measure_table"),
    output:
        **{part: results(f"tables/{{table}}/{part}.csv") for part in QUESTIONS},
        manifest=manifest("measure_table.{table}"),
    log:
        results("logs/measure_table.{table}.log"),
    benchmark:
        results("benchmarks/measure_table.{table}.tsv")
    wildcard_constraints:
        table="[a-z0-9_]+",
    threads: 1
    resources:
        mem_mb=800,
        runtime=5,
    params:
        tables=lambda wildcards: {wildcards.table: config["tables"][wildcards.table]},
        questions=config["questions"],
        settings={"families": config["settings"]["families"]},
    message:
        "Ask the table {wildcards.table}"
    script:
        "../../scripts/measure_table.py"


rule measure_layers:
    input:
        files=table_files,
        code=code("measure_layers"),
    output:
        **{part: results(f"layers/{{table}}/{part}.csv") for part in LAYERS},
        manifest=manifest("measure_layers.{table}"),
    log:
        results("logs/measure_layers.{table}.log"),
    benchmark:
        results("benchmarks/measure_layers.{table}.tsv")
    wildcard_constraints:
        table="[a-z0-9_]+",
    threads: 1
    resources:
        # with the weights of GPT-2 nobody has measured it yet: 548 MB twice, and room to work
        mem_mb=1500 if "gpt2" in LAYERED else 500,
        runtime=5,
    params:
        tables=lambda wildcards: {wildcards.table: config["tables"][wildcards.table]},
        contextual=config["contextual"],
        questions=config["questions"],
        settings={"families": config["settings"]["families"]},
    message:
        "Follow words through the layers of {wildcards.table}"
    script:
        "../../scripts/measure_layers.py"


rule make_explorer:
    input:
        files=table_files,
        code=code("make_explorer"),
    output:
        data=results("explorer/{table}.js"),
        manifest=manifest("make_explorer.{table}"),
    log:
        results("logs/make_explorer.{table}.log"),
    benchmark:
        results("benchmarks/make_explorer.{table}.tsv")
    wildcard_constraints:
        table="[a-z0-9_]+",
    threads: 1
    resources:
        mem_mb=900,
        runtime=5,
    params:
        tables=lambda wildcards: {wildcards.table: config["tables"][wildcards.table]},
        questions=config["questions"],
        settings={"families": config["settings"]["families"]},
    message:
        "Prepare the explorer's data of {wildcards.table}"
    script:
        "../../scripts/make_explorer.py"


# Not part of the report: tries the download alone. No output, so that the rest looks at local files.
rule fetch_gpt2:
    log:
        results("logs/fetch_gpt2.log"),
    threads: 1
    resources:
        mem_mb=500,
        runtime=120,
    params:
        fetch=config["fetch"],
        tables=config["tables"],
    message:
        "Fetch the weights of GPT-2"
    script:
        "../../scripts/fetch_gpt2.py"


SOURCES.append(rules.list_sources.output.sources)
PAGE_SIDECARS.extend(manifest(f"make_explorer.{table}") for table in TABLES)
PAGE_INPUTS.update(
    sources=rules.list_sources.output.sources,
    explorer=expand(rules.make_explorer.output.data, table=TABLES),
)
