# From verdicts and artefacts to the pages that people read.
# The common figures are of these experiments, and of losses that document 004 states.
if {"positions", "bigram", "real_tables"} <= set(config["experiments"]) and "004" in [
    Path(file).stem for file in config["claims"]
]:

    include: "figures.smk"


rule pack_artefacts:
    input:
        **({"citation": "CITATION.cff"} if Path("CITATION.cff").is_file() else {}),
        artefacts=sorted({file for file in ARTEFACTS if file.endswith(".csv")}),
        claims=rules.check_claims.output.claims,
        summary=rules.check_claims.output.summary,
        sidecars=rules.check_claims.input.sidecars + [manifest("check_claims")],
        code=code("pack_artefacts"),
    output:
        archive=results("embedding-ledger-results.zip"),
        manifest=manifest("pack_artefacts"),
    log:
        results("logs/pack_artefacts.log"),
    benchmark:
        results("benchmarks/pack_artefacts.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Pack the artefacts"
    script:
        "../../scripts/pack_artefacts.py"


rule make_pages:
    input:
        **PAGE_INPUTS,
        index="report/index.qmd",
        report=sorted(map(str, Path("report").rglob("*.*"))),
        # those of this project, where a repository that imports it has none of its own
        assets=[
            here(f"report/assets/{file.name}")
            for file in sorted((ROOT / "report/assets").iterdir())
            if not Path("report/assets", file.name).exists()
        ],
        claims=rules.check_claims.output.claims,
        summary=rules.check_claims.output.summary,
        figures=FIGURES,
        artefacts=ARTEFACTS,
        archive=rules.pack_artefacts.output.archive,
        sidecars=rules.pack_artefacts.input.sidecars,
        lock=here("requirements.lock"),
        scripts=sorted(
            {
                os.path.relpath(s)
                for f in ("scripts", here("scripts"))
                for s in Path(f).glob("*.py")
            }
        ),
        code=code("make_pages"),
    output:
        pages=directory(results("pages")),
        manifest=manifest("make_pages"),
    log:
        results("logs/make_pages.log"),
    benchmark:
        results("benchmarks/make_pages.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        report=config["report"],
        questions=config["questions"],
        settings={"bigram": config["settings"]["bigram"]},
        tables=config["tables"],
    message:
        "Gather the pages"
    script:
        "../../scripts/make_pages.py"


rule render_site:
    input:
        pages=rules.make_pages.output.pages,
        sidecars=[
            *SIDECARS,
            *PAGE_SIDECARS,
            *map(manifest, ("check_claims", "pack_artefacts", "make_pages")),
        ],
        code=code("render_site"),
        shell=[os.path.relpath(PACKAGE / name) for name in ("preview.html", "preview.css")],
    output:
        site=directory(results("site")),
        manifest=manifest("render_site"),
    log:
        results("logs/render_site.log"),
    benchmark:
        results("benchmarks/render_site.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    params:
        config=config,
    message:
        "Build the site"
    script:
        "../../scripts/render_site.py"


rule check_site:
    input:
        site=rules.render_site.output.site,
        code=code("check_site"),
    output:
        problems=results("site_check.json"),
        manifest=manifest("check_site"),
    log:
        results("logs/check_site.log"),
    benchmark:
        results("benchmarks/check_site.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Read the built site for faults"
    script:
        "../../scripts/check_site.py"
