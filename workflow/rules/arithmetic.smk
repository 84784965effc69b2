# All documents: the worked arithmetic, from the inputs that the pages give.
rule measure_arithmetic:
    input:
        code=code("measure_arithmetic"),
    output:
        **experiment(
            "measure_arithmetic",
            values="arithmetic/values.csv",
            truths="arithmetic/truths.csv",
            factored="arithmetic/factored.csv",
        ),
    log:
        results("logs/measure_arithmetic.log"),
    benchmark:
        results("benchmarks/measure_arithmetic.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        examples=config["examples"],
    message:
        "Recompute the worked arithmetic"
    script:
        "../../scripts/measure_arithmetic.py"
