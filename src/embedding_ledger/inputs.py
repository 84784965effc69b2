"""Inputs that pages give for experiments, as the runs take them (config key `settings`)."""


def values(settings):
    """Return {quantity: value or list} of the settings that pages state (documents 001, 003, 004).

    Nothing here is measured: a cell shows what a run uses, to be compared with the page.
    """
    bigram, micro, families = settings["bigram"], settings["micro"], settings["families"]
    narrow, gpt2 = bigram["narrow"], settings["gpt2"]
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
        "micro.shown_words": micro["shown_words"],
        "micro.neighbours": micro["neighbours"],
        "micro.map_components": micro["map_components"],
        "gpt2.repository": gpt2["repository"],
        "gpt2.listed_words": gpt2["listed_words"],
        "gpt2.widget": [gpt2["widget"]["tokens"], gpt2["widget"]["neighbours"]],
        "gpt2.map_components": gpt2["map_components"],
        "families.number": len(families),
        "families.tokens": sum(families.values()),
        "families.days": families["days"],
        "families.other_sizes": sorted({size for name, size in families.items() if name != "days"}),
    }
