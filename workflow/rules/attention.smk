# All documents: word order, context and positions in random-weight layers.
rule measure_attention:
    input:
        code=code("measure_attention"),
    output:
        **experiment(
            "measure_attention",
            values="attention/values.csv",
            truths="attention/truths.csv",
        ),
    log:
        results("logs/measure_attention.log"),
    benchmark:
        results("benchmarks/measure_attention.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        attention=config["attention"],
        models=config["models"],
        examples=config["examples"],
    message:
        "Measure word order, context and positions"
    script:
        "../../scripts/measure_attention.py"
