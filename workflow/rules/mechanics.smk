# All documents: lookups in a table and gradients into it, where nothing needs to be trained.
rule measure_lookup:
    input:
        code=code("measure_lookup"),
    output:
        **experiment(
            "measure_lookup",
            values="mechanics/lookup_values.csv",
            truths="mechanics/lookup_truths.csv",
        ),
    log:
        results("logs/measure_lookup.log"),
    benchmark:
        results("benchmarks/measure_lookup.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        mechanics=config["mechanics"],
        examples=config["examples"],
        models=config["models"],
    message:
        "Measure lookups in random tables"
    script:
        "../../scripts/measure_lookup.py"


rule measure_gradients:
    input:
        code=code("measure_gradients"),
    output:
        **experiment(
            "measure_gradients",
            values="mechanics/gradient_values.csv",
            truths="mechanics/gradient_truths.csv",
            optimizers="mechanics/optimizers.csv",
            environment="mechanics/environment.csv",
        ),
    log:
        results("logs/measure_gradients.log"),
    benchmark:
        results("benchmarks/measure_gradients.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        mechanics=config["mechanics"],
        examples=config["examples"],
    message:
        "Measure gradients into embedding tables"
    script:
        "../../scripts/measure_gradients.py"
