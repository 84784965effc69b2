# Figures of verdicts and of several experiments together.
NAMES = [
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
FIGURES.extend(results(f"figures/{name}.svg") for name in NAMES)
PAGE_SIDECARS.append(manifest("draw_figures"))


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
        **{name: results(f"figures/{name}.svg") for name in NAMES},
        manifest=manifest("draw_figures"),
    log:
        results("logs/draw_figures.log"),
    benchmark:
        results("benchmarks/draw_figures.tsv")
    threads: 1
    resources:
        mem_mb=500,
        runtime=5,
    message:
        "Draw the figures"
    script:
        "../../scripts/draw_figures.py"
