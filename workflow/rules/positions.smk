# Document 004: the sinusoidal table of positions.
rule measure_positions:
    input:
        code=code("measure_positions"),
    output:
        **experiment(
            "measure_positions",
            entries="positions/entries.csv",
            table="positions/table.csv",
            dot_products="positions/dot_products.csv",
            dot_terms="positions/dot_terms.csv",
            dot_curve="positions/dot_curve.csv",
            distances="positions/distances.csv",
            wavelengths="positions/wavelengths.csv",
            values="positions/values.csv",
            truths="positions/truths.csv",
        ),
    log:
        results("logs/measure_positions.log"),
    benchmark:
        results("benchmarks/measure_positions.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        positions=config["positions"],
    message:
        "Measure the sinusoidal positions"
    script:
        "../../scripts/measure_positions.py"


PAGE_INPUTS["terms"] = rules.measure_positions.output.dot_terms
