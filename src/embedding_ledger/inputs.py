"""Inputs that pages give for experiments, as the runs take them (config key `settings`)."""


def values(settings):
    """Return {quantity: value or list} of the settings that pages state (documents 001, 003, 004).

    Nothing here is measured: a cell shows what a run uses, to be compared with the page.
    """
    bigram, micro, families = settings["bigram"], settings["micro"], settings["families"]
    narrow = bigram["narrow"]
    return {
        "bigram.steps": bigram["steps"],
        "bigram.learning_rate": bigram["learning_rate"],
        "bigram.seed": bigram["seed"],
        "bigram.init_scale": bigram["init_scale"],
        "bigram.inspected_width": bigram["inspected_width"],
        "bigram.narrow.widths": narrow["widths"],
        "bigram.narrow.training": [narrow["learning_rate"], narrow["steps"]],
        "micro.width": micro["width"],
        "micro.vocabulary": micro["vocabulary"],
        "micro.tied": micro["tied"],
        "gpt2.repository": settings["gpt2"]["repository"],
        "families.number": len(families),
        "families.tokens": sum(families.values()),
        "families.days": families["days"],
        "families.other_sizes": sorted({size for name, size in families.items() if name != "days"}),
    }
