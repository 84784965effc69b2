"""The toy language and the bigram experiments as rules: bad grammars, and the same bytes again."""

from copies import QUICK


def test_bad_grammars_are_refused_by_name(copy):
    name = "config/config.yaml"
    copy.edit(name, "the tree, the red bus, a fish, a small boat, a loud drum]", "]")
    copy.edit(name, "objects: [the ball, ]", "objects: []")
    copy.edit(name, "ending_probability: 0.4", "ending_probability: 1.4")
    copy.edit(name, "ending_probability: 0.7", "endng_weights: [0.5, 0.5]")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "grammar 'F1': 'objects' is an empty list; at least one phrase is needed" in told
    assert "grammar 'F2': 'ending_probability' must lie in [0, 1], not 1.4" in told
    assert "grammar 'F4': unknown key 'endng_weights' (did you mean 'ending_weights'?" in told
    assert "grammar 'F4': missing key 'ending_probability'" in told
    assert "Traceback" not in told


def test_weights_and_counts_of_the_language_are_refused(copy):
    name = "config/config.yaml"
    copy.edit(name, "ending_probability: 0.7", "ending_probability: 0.7\n      ending_weights: [1]")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "grammar 'F4': 'ending_weights' has 1 entries for 6 endings" in told
    copy.edit(name, "sentences: 4000", "sentences: 0")
    status, told = copy.run(*QUICK)
    assert status != 0
    assert "'toy_language.sentences' is 0; allowed: at least 1" in told
