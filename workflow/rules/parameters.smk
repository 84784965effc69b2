# Documents 001, 002 and 004: GPT-2 small counted from its published configuration.
rule count_parameters:
    input:
        code=code("count_parameters"),
    output:
        **experiment(
            "count_parameters",
            tensors="parameters/tensors.csv",
            values="parameters/values.csv",
            truths="parameters/truths.csv",
        ),
    log:
        results("logs/count_parameters.log"),
    benchmark:
        results("benchmarks/count_parameters.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        models=config["models"],
        examples=config["examples"],
    message:
        "Count the parameters of GPT-2 small"
    script:
        "../../scripts/count_parameters.py"
