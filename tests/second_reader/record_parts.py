"""What the decoders of all kinds of records share: heads of blocks, names and quoted strings."""

from capture_bytes import LAYOUT, VALUE, bytes_at, fields, require, unpack_at

RECORDS_HEAD = fields("II")


def quote(raw):
    """The bytes of a string as the dump shows them."""
    shown = (chr(byte) if 0x20 <= byte <= 0x7E and byte not in b'"\\' else f"\\x{byte:02x}"
             for byte in raw)
    return '"' + "".join(shown) + '"'


def name_of(names, number):
    return names.get(number, str(number))


def require_head(count, clock, has_ticks):
    """The values of the head of a block of records; clock is 0 where there are no ticks only."""
    require(count >= 1 and (clock != 0) == has_ticks, VALUE)


def fixed_records(payload, layout, has_ticks):
    """(clock, records) of a block of records that all have one size."""
    count, clock = unpack_at(RECORDS_HEAD, payload, 0)
    require(len(payload) == RECORDS_HEAD.size + count * layout.size, LAYOUT)
    require_head(count, clock, has_ticks)
    return clock, list(layout.iter_unpack(payload[RECORDS_HEAD.size :]))


def sized_records(payload, layout, size_field, has_ticks):
    """(clock, [(fields, bytes)]) of records with bytes behind, as many as a field of them tells."""
    count, clock = unpack_at(RECORDS_HEAD, payload, 0)
    records = []
    offset = RECORDS_HEAD.size
    for _ in range(count):
        record = unpack_at(layout, payload, offset)
        offset += layout.size
        text = bytes_at(payload, offset, record[size_field])
        offset += len(text)
        records.append((record, text))
    require(offset == len(payload), LAYOUT)
    require_head(count, clock, has_ticks)
    return clock, records
