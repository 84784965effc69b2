# How often each word of a text occurs.
rule count_words:
    input:
        code=code("count_words"),
    output:
        **experiment("count_words", words="words/words.csv", values="words/values.csv"),
    log:
        results("logs/count_words.log"),
    benchmark:
        results("benchmarks/count_words.tsv")
    threads: 1
    resources:
        mem_mb=250,
        runtime=5,
    params:
        own=config["own"],
    message:
        "Count the words"
    script:
        "../scripts/count_words.py"
