"""The configuration: faults are named with file, line, key and what is allowed."""

import math
import re

import pytest
import yaml
from jsonschema import Draft202012Validator

from embedding_ledger.config import _RULES, SCHEMA, load, load_over_default, read_yaml, validate
from embedding_ledger.errors import LedgerError


@pytest.fixture
def text(project):
    return (project / "config" / "config.yaml").read_text(encoding="utf-8")


@pytest.fixture
def faults(tmp_path):
    """Return a function that writes files, loads them merged and returns the faults."""

    def faults(*texts):
        paths = [tmp_path / f"{number}.yaml" for number in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        with pytest.raises(LedgerError) as caught:
            load(paths)
        return [fault.replace(f"{tmp_path}/", "") for fault in caught.value.faults]

    return faults


def line_of(text, start):
    (number,) = (i for i, line in enumerate(text.splitlines(), 1) if line.startswith(start))
    return number


def leaves(mapping, keys=()):
    found = {}
    for key, value in mapping.items():
        inner = isinstance(value, dict)
        found |= leaves(value, (*keys, key)) if inner else {(*keys, key): value}
    return found


@pytest.mark.parametrize("update", [None, "quick.yaml", "full.yaml"])
def test_real_files_validate(project, update):
    files = [project / "config" / name for name in ("config.yaml", update) if name]
    base, *more = (leaves(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in files)
    expected = base
    for values in more:
        assert values.keys() <= base.keys()  # these files bring no key of their own
        expected = {**expected, **values}
    assert leaves(load(files)) == expected


def test_mappings_merge_key_by_key(project, tmp_path):
    update = tmp_path / "update.yaml"
    update.write_text("positions:\n  width: 8\n  rotation: {offset: 3}\n  starts: [1]\n")
    default = project / "config" / "config.yaml"
    base, merged = load([default]), load([default, update])
    rotation = {"position": base["positions"]["rotation"]["position"], "offset": 3}
    changed = {"width": 8, "rotation": rotation, "starts": [1]}
    assert merged == {**base, "positions": {**base["positions"], **changed}}


def test_files_of_another_repository_lie_over_the_default_one(project, tmp_path, monkeypatch):
    (tmp_path / "config").mkdir()
    own = {"claims": ["claims/101.csv"], "own": {"text": "a b"}}
    (tmp_path / "config" / "config.yaml").write_text(yaml.safe_dump(own))
    default = load([project / "config" / "config.yaml"])
    monkeypatch.chdir(tmp_path)
    assert load_over_default() == {**default, **own}
    monkeypatch.chdir(project)
    assert load_over_default() == default


def test_unknown_key(text, faults):
    line = line_of(text, "positions:")
    (fault,) = faults(re.sub("^positions:", "positions:\n  rwos: 1", text, flags=re.MULTILINE))
    assert fault.startswith(f"0.yaml:{line + 1}: unknown key 'positions.rwos'")
    assert "(did you mean 'rows'?)" in fault
    allowed = fault.split("allowed: ")[1].split(", ")
    assert {"rows", "width", "starts"} <= set(allowed)
    assert "results" not in allowed


def test_unknown_key_at_the_top_of_the_later_file(text, faults):
    (fault,) = faults(text, "# a comment\nresult: build\n")
    assert fault.startswith("1.yaml:2: unknown key 'result' (did you mean 'results'?); allowed: ")


def test_missing_key(text, faults):
    config = yaml.safe_load(text)
    del config["positions"]["long_rows"]
    text = yaml.safe_dump(config)
    line = line_of(text, "positions:")
    assert faults(text) == [f"0.yaml:{line}: missing key long_rows in 'positions'"]


def test_missing_keys_are_told_once(faults):
    told = faults("results: results\nclaims: [claims/000.csv]\n")
    assert len(told) == len(set(told))


@pytest.mark.parametrize(
    ("update", "parts"),
    [
        ("positions: {rows: many}", "'positions.rows' 'many' integer"),
        ("positions: {rows: '64'}", "'positions.rows' '64' integer"),
        ("positions: {rows: true}", "'positions.rows' True integer"),
        ("positions: {rows: 100.5}", "'positions.rows' 100.5 integer"),
        ("positions: {rows: }", "'positions.rows' None integer"),
        ("positions: {rows: 0}", "'positions.rows' 0 at least 64"),
        ("positions: {width: 15}", "'positions.width' 15 a multiple of 2"),
        ("positions: {starts: [10, -1]}", "'positions.starts.1' -1 at least 0"),
        ("positions: {starts: []}", "'positions.starts' [] a list of 1 or more"),
        ("report: {renderer: word}", "'report.renderer' 'word' one of auto, quarto, preview"),
        ("results: /tmp/x", "'results' '/tmp/x' a text such as results or build/quick"),
        ("results: ../x", "'results' '../x'"),
        ("examples: {cosines: {related: .nan}}", "'examples.cosines.related' nan finite"),
        ("examples: {projection: {hidden: [1, -.inf]}}", "'examples.projection.hidden.1' -inf"),
    ],
)
def test_wrong_values(text, faults, update, parts):
    (fault,) = faults(text, f"# a comment\n{update}\n")
    assert fault.startswith("1.yaml:2: ")
    assert all(part in fault for part in parts.split())


def test_every_rule_of_the_schema_has_plain_words():
    """Also: a pattern comes with examples, and they match it."""
    told = {"properties", "required", "additionalProperties", "propertyNames", "items", "allOf"}

    def visit(node):
        if isinstance(node, list):
            list(map(visit, node))
        if isinstance(node, dict):
            for keyword in node.keys() & Draft202012Validator.VALIDATORS.keys():
                if isinstance(node[keyword], (int, float, str)) or keyword == "enum":
                    found.add(keyword)
            if isinstance(node.get("pattern"), str):
                assert all(re.search(node["pattern"], text) for text in node["examples"])
            list(map(visit, node.values()))

    found = set()
    visit(read_yaml(SCHEMA))
    assert len(found) > 8
    assert found - told - {"$ref", "const", "pattern"} <= _RULES.keys()


def test_the_line_in_the_first_file(text, faults):
    config = yaml.safe_load(text)
    config["positions"]["starts"] = [10, "x"]
    text = yaml.safe_dump(config)
    (fault,) = faults(text, "results: build\n")
    assert fault.startswith(f"0.yaml:{line_of(text, '  - x')}: 'positions.starts.1' is 'x'")


def test_the_place_is_where_the_value_was_set_last(text, faults):
    (fault,) = faults(text, "positions:\n  width: 8\n  rows: x\n", "results: build\n")
    assert fault.startswith("1.yaml:3: 'positions.rows' is 'x'")


def test_a_section_that_is_no_mapping(text, faults):
    (fault,) = faults(text, "positions: 3\n")
    assert fault == "1.yaml:1: 'positions' is 3; allowed: a mapping of keys"


def test_several_faults_at_once(text, faults):
    config = yaml.safe_load(text)
    config["positions"]["widht"] = config["positions"].pop("width")
    config["positions"]["rows"] = "x"
    config["examples"]["cosines"]["unrelated"] = math.inf
    text = yaml.safe_dump(config)
    told = "\n".join(faults(text, "reports: 1\n"))
    for part in (
        "unknown key 'positions.widht' (did you mean 'width'?)",
        "missing key width in 'positions'",
        "'positions.rows' is 'x'",
        "'examples.cosines.unrelated' is inf; must be finite",
        "1.yaml:1: unknown key 'reports'",
    ):
        assert part in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: 1\nb: 2\na: 3\n", "0.yaml:3: key 'a' is given twice, first on line 1"),
        ("a:\n  b: 1\n  c: 2\n  b: 1\n", "0.yaml:4: key 'b' is given twice, first on line 2"),
        ("a: [1, 2\nb: 3\n", "0.yaml:2: not YAML"),
        ("a:\n\t- b\n", "0.yaml:2: not YAML"),
        ("a: !!python/object:os.system x\n", "0.yaml:1: not YAML"),
        ("a: 1\n---\nb: 1\n", "0.yaml:2: not YAML"),
        ("- a\n- b\n", "0.yaml: expected a mapping of keys, found list"),
        ("", "0.yaml: expected a mapping of keys, found NoneType"),
        ("results", "0.yaml: expected a mapping of keys, found str"),
    ],
)
def test_not_a_mapping(faults, text, message):
    (fault,) = faults(text)
    assert fault.startswith(message)


def test_unreadable_files(tmp_path, faults):
    with pytest.raises(LedgerError, match=r"absent\.yaml: No such file"):
        load([tmp_path / "absent.yaml"])
    (tmp_path / "latin.yaml").write_bytes(b"a: \xff")
    with pytest.raises(LedgerError, match=r"latin\.yaml: not UTF-8"):
        load([tmp_path / "latin.yaml"])


@pytest.mark.parametrize("text", ["? [a, b]\n: 1\n", 'a: "\x07"\n'])
def test_odd_yaml_is_a_fault(faults, text):
    assert faults(text)[0].startswith("0.yaml")


def test_whole_floats_are_no_counts(text, faults):
    faults(text, "positions: {width: 16.0}")


def test_validate_without_files(text):
    config = yaml.safe_load(text)
    validate(config)
    config["positions"]["rows"] = "x"
    with pytest.raises(LedgerError, match=r"config: 'positions\.rows' is 'x'"):
        validate(config)


def test_read_yaml_keeps_types(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("a: 1\nb: [1.5, x, {c: true}]\n")
    assert read_yaml(path) == {"a": 1, "b": [1.5, "x", {"c": True}]}


def test_alias_bomb_is_refused(faults):
    bomb = "a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    assert faults(bomb) == ["0.yaml:2: aliases (*name) are refused; write it out"]
