"""The configuration: read, merged and validated before anything uses it."""

import math
from collections.abc import Hashable
from pathlib import Path

import jsonschema
import yaml

from embedding_ledger.errors import LedgerError, did_you_mean
from embedding_ledger.files import read_text

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 10**9  # no count, seed or size comes near; what is larger is a slip
SCHEMA = ROOT / "workflow" / "schemas" / "config.schema.yaml"
DEFAULT = "config/config.yaml"


# JSON Schema takes 16.0 for an integer; NumPy takes it for no size
_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    type_checker=jsonschema.Draft202012Validator.TYPE_CHECKER.redefine(
        "integer", lambda checker, value: isinstance(value, int) and not isinstance(value, bool)
    ),
)


class _Loader(yaml.SafeLoader):
    """A safe loader that refuses a key given twice, and aliases: a few can stand for billions."""

    def compose_node(self, parent, index):
        if self.check_event(yaml.AliasEvent):
            line = self.peek_event().start_mark.line + 1
            raise LedgerError(f"{self.name}:{line}: aliases (*name) are refused; write it out")
        return super().compose_node(parent, index)


def _construct_mapping(loader, node):
    mapping, lines = {}, {}
    for key_node, value_node in node.value:
        key = loader.construct_object(key_node, deep=True)
        line = key_node.start_mark.line + 1
        if not isinstance(key, Hashable):
            raise LedgerError(f"{loader.name}:{line}: a key must be a word or a number")
        if key in lines:
            raise LedgerError(
                f"{loader.name}:{line}: key '{key}' is given twice, first on line {lines[key]}"
            )
        lines[key] = line
        mapping[key] = loader.construct_object(value_node, deep=True)
    return mapping


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _construct_mapping)


def _parse(path, loader):
    """Load one YAML file; its faults become a LedgerError with file and line."""
    try:
        stream = loader(read_text(path))
        stream.name = str(path)
        return stream.get_single_data() if loader is _Loader else stream.get_single_node()
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        told = " ".join(str(getattr(error, "problem", error)).split())
        raise LedgerError(f"{place}: not YAML ({told})") from None
    except (ValueError, RecursionError) as error:  # a number of thousands of digits, deep nesting
        raise LedgerError(f"{path}: not YAML that can be read ({error})") from None


def read_yaml(path):
    """Read a YAML mapping safely; raise LedgerError for a duplicate key or a syntax error."""
    value = _parse(path, _Loader)
    if not isinstance(value, dict):
        raise LedgerError(f"{path}: expected a mapping of keys, found {type(value).__name__}")
    return value


def _place(files, keys):
    """Return file:line of the last file that sets the key path, else its first file's name."""
    for path in reversed(files):
        node, line = _parse(path, yaml.SafeLoader), None
        for key in keys:
            if isinstance(node, yaml.MappingNode):
                match = next(((k, v) for k, v in node.value if k.value == str(key)), None)
                if match is None:
                    break
                line, node = match[0].start_mark.line + 1, match[1]
            elif isinstance(node, yaml.SequenceNode) and isinstance(key, int):
                node = node.value[key]
                line = node.start_mark.line + 1
        else:
            if line is not None:
                return f"{path}:{line}"
    return files[0] if files else "config"


_TYPES = {
    "integer": "an integer",
    "number": "a number",
    "string": "a text",
    "array": "a list",
    "object": "a mapping of keys",
    "boolean": "true or false",
}
# What a keyword of JSON Schema asks for, in plain words.
_RULES = {
    "type": lambda value: _TYPES[value],
    "enum": lambda value: f"one of {', '.join(map(str, value))}",
    "multipleOf": lambda value: f"a multiple of {value}",
    "minimum": lambda value: f"at least {value}",
    "maximum": lambda value: f"at most {value}",
    "exclusiveMinimum": lambda value: f"more than {value}",
    "exclusiveMaximum": lambda value: f"less than {value}",
    "minItems": lambda value: f"a list of {value} or more",
    "maxItems": lambda value: f"a list of {value} or fewer",
    "uniqueItems": lambda value: "a list without repetitions",
    "contains": lambda value: f"a list that holds {value['const']}",
    "minLength": lambda value: f"a text of {value} or more characters",
    "minProperties": lambda value: f"{value} or more keys",
}


def _allowed(error):
    """Say in plain words what the violated rule of the schema allows."""
    if error.validator == "pattern":
        return f"a text such as {' or '.join(error.schema['examples'])}"
    return _RULES[error.validator](error.validator_value)


def _schema_faults(config, schema, files):
    """Translate schema violations into messages that name place, key, value and what is allowed."""
    faults = []
    errors = _Validator(schema).iter_errors(config)
    for error in sorted(errors, key=lambda e: list(map(str, e.absolute_path))):
        keys = list(error.absolute_path)
        name = ".".join(map(str, keys))
        if error.validator == "additionalProperties":
            allowed = sorted(error.schema.get("properties", {}))
            for key in sorted(set(error.instance) - set(allowed), key=str):
                hint = did_you_mean(key, allowed)
                faults.append(
                    f"{_place(files, [*keys, key])}: unknown key "
                    f"'{'.'.join([*map(str, keys), str(key)])}'{hint}; "
                    f"allowed: {', '.join(allowed)}"
                )
        elif error.validator == "required":
            missing = sorted(set(error.validator_value) - set(error.instance))
            inside = f" in '{name}'" if name else ""
            faults.append(f"{_place(files, keys)}: missing key {', '.join(missing)}{inside}")
        else:
            faults.append(
                f"{_place(files, keys)}: '{name}' is {error.instance!r}; allowed: {_allowed(error)}"
            )
    return list(dict.fromkeys(faults))  # one fault of several missing keys is told once


def _number_faults(value, files, keys=()):
    """Name every number that is nan, infinite or gigantic: YAML allows them, no experiment does."""
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    elif isinstance(value, (int, float)) and not abs(value) <= LARGEST:
        told = "must be finite" if not math.isfinite(value) else f"allowed: up to {LARGEST}"
        return [f"{_place(files, keys)}: '{'.'.join(map(str, keys))}' is {value}; {told}"]
    else:
        return []
    return [fault for key, item in items for fault in _number_faults(item, files, (*keys, key))]


def validate(config, files=(), schema=SCHEMA):
    """Check a merged configuration; raise LedgerError with every fault.

    `files`: the YAML files it came from, in order; each is read again for duplicate keys and to
    find the line of a fault.
    """
    for path in files:
        read_yaml(path)
    files = list(map(str, files))
    faults = _schema_faults(config, read_yaml(schema), files) + _number_faults(config, files)
    if faults:
        raise LedgerError(faults)


def merge(base, update):
    """Merge nested mappings as Snakemake does: the later file wins, key by key."""
    merged = dict(base)
    for key, value in update.items():
        both = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = merge(merged[key], value) if both else value
    return merged


def load(files=(DEFAULT,)):
    """Read, merge and validate configuration files, as Snakemake does; return the mapping."""
    config = {}
    for path in files:
        config = merge(config, read_yaml(path))
    validate(config, files)
    return config


def load_over_default(files=(DEFAULT,)):
    """Load configuration files over the default one of this project, unless they hold it.

    So does the workflow where another repository imports it: its files name only what is its own.
    """
    held = any(Path(file).resolve() == ROOT / DEFAULT for file in files)
    return load([*([] if held else [ROOT / DEFAULT]), *files])
