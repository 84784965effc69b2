# Claims against artefacts: verdicts first, judgement of the verdicts last.
rule check_claims:
    input:
        registry=config["claims"],
        artefacts=ARTEFACTS,
        sources=SOURCES,
        sidecars=SIDECARS,
        code=code("check_claims"),
    output:
        claims=results("claims.csv"),
        summary=results("summary.json"),
        junit=results("claims.junit.xml"),
        manifest=manifest("check_claims"),
    log:
        results("logs/check_claims.log"),
    benchmark:
        results("benchmarks/check_claims.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        config=config,
    message:
        "Check every claim"
    script:
        "../../scripts/check_claims.py"


# Without output, so that it runs whenever it is asked for and keeps nothing from being made.
rule check:
    input:
        claims=rules.check_claims.output.claims,
        summary=rules.check_claims.output.summary,
        sidecars=[
            *SIDECARS,
            manifest("check_claims"),
            *map(manifest, ("make_pages", "render_site") if HAS_REPORT else ()),
        ],
    log:
        results("logs/check.log"),
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        config=config,
    message:
        "Compare the verdicts with the expected ones"
    script:
        "../../scripts/check.py"
