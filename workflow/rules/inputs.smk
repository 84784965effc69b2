# Documents 001, 003 and 004: inputs that pages give for experiments.
rule record_inputs:
    input:
        code=code("record_inputs"),
    output:
        **experiment("record_inputs", values="inputs/values.csv"),
    log:
        results("logs/record_inputs.log"),
    benchmark:
        results("benchmarks/record_inputs.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        settings=config["settings"],
    message:
        "Record the inputs that pages give"
    script:
        "../../scripts/record_inputs.py"
