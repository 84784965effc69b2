"""Train the factored bigram model at every width on the default corpus."""

from embedding_ledger import sweep
from embedding_ledger.artefacts import write_truths, write_values
from embedding_ledger.files import write_csv
from embedding_ledger.jobs import run_script
from embedding_ledger.sweep import training_settings


def main(inputs, outputs, config):
    made = sweep.Sweep(config["toy_language"], training_settings(config))
    write_csv(outputs.widths, sweep.WIDTH_COLUMNS, sweep.width_rows(made))
    write_csv(
        outputs.curves,
        ("width", "updates", "train_loss", "val_loss"),
        sweep.curve_rows(made),
    )
    write_csv(
        outputs.gradients,
        ("width", "mean_entry"),
        [(width, round(size, 5)) for width, size in made.gradients.items()],
    )
    write_values(outputs.values, sweep.values(made))
    write_truths(outputs.truths, sweep.truths(made))


if __name__ == "__main__":
    run_script(
        main,
        globals().get("snakemake"),
        outputs=("widths", "curves", "gradients", "values", "truths"),
        sections=("toy_language", "bigram", "settings"),
    )
