# Documents 001 to 004: facts that are published and cannot be recomputed, each with its source.
rule extract_published:
    input:
        published=here("sources/published.csv"),
        code=code("extract_published"),
    output:
        **experiment(
            "extract_published",
            facts="published/facts.csv",
            models="published/models.csv",
            papers="published/papers.csv",
            values="published/values.csv",
            truths="published/truths.csv",
        ),
    log:
        results("logs/extract_published.log"),
    benchmark:
        results("benchmarks/extract_published.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Extract the published facts"
    script:
        "../../scripts/extract_published.py"
