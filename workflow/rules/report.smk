# From verdicts and artefacts to the pages that people read.
FIGURES = [
    "scoreboard",
    "position_clocks",
    "dot_curve",
    "loss_by_width",
    "vector_map",
    "cosine_heat_map",
    "formation",
    "table_maps",
    "word_in_sentences",
]
# what the page of document 003 shows, where the model was trained
MICRO_TABLES = (
    [results(f"micro/{name}.csv") for name in ("parts", "runs", "cosines", "kinds", "neighbours")]
    if HAS_MICRO
    else []
)
REPORT = sorted(map(str, Path("report").rglob("*.*")))


rule draw_figures:
    input:
        summary=rules.check_claims.output.summary,
        positions=rules.measure_positions.output.table,
        curve=rules.measure_positions.output.dot_curve,
        dot_products=rules.measure_positions.output.dot_products,
        claims=rules.check_claims.output.claims,
        vectors=rules.measure_vectors.output.vectors,
        map=rules.measure_vectors.output.map,
        steps=rules.measure_vectors.output.formation,
        families=rules.measure_vectors.output.families,
        sources=rules.list_sources.output.sources,
        tables=expand(results("tables/{table}/map.csv"), table=TABLES),
        layers=expand(results("layers/{table}/senses.csv"), table=LAYERED),
        code=code("draw_figures"),
    output:
        **{name: results(f"figures/{name}.svg") for name in FIGURES},
        manifest=manifest("draw_figures"),
    log:
        results("logs/draw_figures.log"),
    benchmark:
        results("benchmarks/draw_figures.tsv")
    threads: 1
    resources:
        mem_mb=1000,
        runtime=5,
    message:
        "Draw the figures"
    script:
        "../../scripts/draw_figures.py"


rule make_pages:
    input:
        index="report/index.qmd",
        report=REPORT,
        claims=rules.check_claims.output.claims,
        summary=rules.check_claims.output.summary,
        figures=[
            results(f"figures/{name}.svg")
            for name in [*FIGURES, *WORD2VEC_FIGURES, *(MICRO_FIGURES if HAS_MICRO else [])]
        ],
        absent=rules.record_absences.output.absent,
        micro=MICRO_TABLES,
        artefacts=ARTEFACTS,
        terms=rules.measure_positions.output.dot_terms,
        candidates=rules.build_toy_language.output.candidates,
        spread=rules.summarize_spread.output.spread,
        widths=rules.measure_widths.output.widths,
        statuses=rules.summarize_spread.output.statuses,
        structure=rules.summarize_spread.output.truths,
        corpus=rules.prepare_text.output.about,
        neighbours=rules.measure_word2vec.output.neighbours,
        word_cosines=rules.measure_word2vec.output.cosines,
        analogies=rules.measure_word2vec.output.analogies,
        sources=rules.list_sources.output.sources,
        explorer=expand(rules.make_explorer.output.data, table=TABLES),
        scripts=sorted(map(str, Path("scripts").glob("*.py"))),
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
        mem_mb=1000,
        runtime=5,
    params:
        report=config["report"],
        questions=config["questions"],
    message:
        "Gather the pages"
    script:
        "../../scripts/make_pages.py"


rule render_site:
    input:
        pages=rules.make_pages.output.pages,
        sidecars=[
            *SIDECARS,
            *map(manifest, ("check_claims", "draw_figures", "make_pages")),
            *([manifest("draw_micro_figures")] if HAS_MICRO else []),
            *[manifest(f"make_explorer.{table}") for table in TABLES],
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
        mem_mb=2000,
        runtime=10,
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
        mem_mb=1000,
        runtime=5,
    message:
        "Read the built site for faults"
    script:
        "../../scripts/check_site.py"
