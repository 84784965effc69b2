"""Train the inspected width once more and look at its vectors, at the end and on the way."""

from embedding_ledger import trained_vectors as v
from embedding_ledger.artefacts import write_truths
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.sweep import training_settings


def main(inputs, outputs, config):
    made = v.TrainedVectors(config["toy_language"], training_settings(config))
    made.table.save(outputs.vectors.parent)
    write_csv(
        outputs.cosines,
        ("a", "b", "role_a", "role_b", "cosine"),
        v.pair_rows(made.table, made.settings["pairs"], made.role),
    )
    write_csv(
        outputs.neighbours,
        ("word", "rank", "neighbour", "cosine", "same_role"),
        v.neighbour_rows(made),
    )
    write_csv(outputs.subjects, ("a", "b", "cosine"), v.subject_rows(made))
    write_csv(outputs.formation, ("updates", "a", "b", "cosine"), v.formation_rows(made))
    write_csv(outputs.families, ("updates", "within", "between"), v.family_rows(made))
    write_csv(outputs.map, ("steps", "token", "role", "x", "y"), v.map_rows(made))
    write_truths(outputs.truths, v.truths(made))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=(
            "vectors",
            "about",
            "cosines",
            "neighbours",
            "subjects",
            "formation",
            "families",
            "map",
            "truths",
        ),
        sections=("toy_language", "bigram", "settings"),
    )
