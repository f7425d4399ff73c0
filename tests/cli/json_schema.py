"""Checks a JSON value against a JSON Schema that uses the few keywords that ludus-trace prints."""

import re

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "default", "type", "const", "enum",
            "not", "required", "properties", "additionalProperties", "items", "minItems",
            "minLength", "pattern", "minimum", "maximum"}


class Mismatch(Exception):
    """What does not fit, and where."""


def validate(value, schema, root=None, place="$"):
    """Raises Mismatch unless the value fits. Names that an object's schema does not describe are
    mismatches too: the schema is there to describe all of them."""
    root = schema if root is None else root
    unknown = set(schema) - KEYWORDS
    if unknown:
        raise Mismatch("%s: this check does not know the keywords %s" % (place, sorted(unknown)))
    if "$ref" in schema:
        validate(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, place)
    if "const" in schema and value != schema["const"]:
        raise Mismatch("%s: is %r and not %r" % (place, value, schema["const"]))
    types = schema.get("type", [])
    types = [types] if isinstance(types, str) else types
    if types and not any(TYPES[name](value) for name in types):
        raise Mismatch("%s: %r is not %s" % (place, value, " or ".join(types)))
    if "enum" in schema and value not in schema["enum"]:
        raise Mismatch("%s: is %r and none of %s" % (place, value, schema["enum"]))
    if "not" in schema and fits(value, schema["not"], root):
        raise Mismatch("%s: fits what it may not" % place)
    if isinstance(value, dict):
        validate_object(value, schema, root, place)
    if isinstance(value, list):
        validate_list(value, schema, root, place)
    if isinstance(value, str):
        validate_text(value, schema, place)
    if TYPES["number"](value):
        validate_number(value, schema, place)


def fits(value, schema, root=None):
    try:
        validate(value, schema, root)
    except Mismatch:
        return False
    return True


def validate_list(value, schema, root, place):
    if len(value) < schema.get("minItems", 0):
        raise Mismatch("%s: has %d items" % (place, len(value)))
    for index, item in enumerate(value if "items" in schema else []):
        validate(item, schema["items"], root, "%s[%d]" % (place, index))


def validate_text(value, schema, place):
    if len(value) < schema.get("minLength", 0):
        raise Mismatch("%s: is too short" % place)
    if "pattern" in schema and not re.search(schema["pattern"], value):
        raise Mismatch("%s: %r does not fit %s" % (place, value, schema["pattern"]))


def validate_number(value, schema, place):
    if not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise Mismatch("%s: %r is out of range" % (place, value))


def validate_object(value, schema, root, place):
    missing = set(schema.get("required", [])) - set(value)
    if missing:
        raise Mismatch("%s: lacks %s" % (place, sorted(missing)))
    properties = schema.get("properties", {})
    others = schema.get("additionalProperties", False)
    if others is False and "properties" not in schema:
        return
    for name, item in value.items():
        if name not in properties and others is False:
            raise Mismatch("%s: the schema has no %r" % (place, name))
        validate(item, properties.get(name, others), root, "%s.%s" % (place, name))
