# Documents 001 and 002: texts cut into tokens as GPT-2 does.
rule tokenize_gpt2:
    input:
        code=code("tokenize_gpt2"),
    output:
        **experiment(
            "tokenize_gpt2",
            tokens="tokenizer/tokens.csv",
            values="tokenizer/values.csv",
            truths="tokenizer/truths.csv",
        ),
    log:
        results("logs/tokenize_gpt2.log"),
    benchmark:
        results("benchmarks/tokenize_gpt2.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        tokenizer=config["tokenizer"],
    message:
        "Tokenize as GPT-2 does"
    script:
        "../../scripts/tokenize_gpt2.py"
