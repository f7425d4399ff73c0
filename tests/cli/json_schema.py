"""Checks a JSON value against a JSON Schema that uses the few keywords that ludus-trace prints."""

TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}
KEYWORDS = {"$schema", "$defs", "$ref", "title", "description", "type", "const", "required",
            "properties", "items"}


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
    if isinstance(value, dict):
        validate_object(value, schema, root, place)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            validate(item, schema["items"], root, "%s[%d]" % (place, index))


def validate_object(value, schema, root, place):
    missing = set(schema.get("required", [])) - set(value)
    if missing:
        raise Mismatch("%s: lacks %s" % (place, sorted(missing)))
    properties = schema.get("properties")
    if properties is None:
        return
    for name, item in value.items():
        if name not in properties:
            raise Mismatch("%s: the schema has no %r" % (place, name))
        validate(item, properties[name], root, "%s.%s" % (place, name))
