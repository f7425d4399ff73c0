"""Decodes a block of events, which is stored by column, into the lines of the dump."""

from itertools import islice
from typing import NamedTuple

from capture_bytes import (LAYOUT, U32_MAX, U64_MAX, VALUE, BitReader, VarintReader, bytes_at,
                           decompress, fields, require, unpack_at, unzigzag)

END, BEGIN, INSTANT, FLOW_OUT, FLOW_IN, COUNT, GAUGE, TRACK_SWITCH = range(8)
EVENT_NAMES = ("end", "begin", "instant", "flow-out", "flow-in", "count", "gauge", "track-switch")
KINDS_WITH_INTEGER = (FLOW_OUT, FLOW_IN, COUNT, TRACK_SWITCH)
KINDS_WITH_SITE = (BEGIN, INSTANT, COUNT, GAUGE)

HEAD = fields("IIIIIIQQQII")
COLUMN_HEAD = fields("II")
GAUGE_BITS = fields("Q")
FIXED_COLUMNS = 6

EVENTS_MAX = 65536
SEGMENTS_MAX = 65536
SCOPES_MAX = 65536
SYMBOLS_MAX = 65535
GROUPS_MAX = 32
COLUMN_MAX_BYTES = 4194304
COLUMNS_MAX_BYTES = 8388608
ONE_BYTE_SYMBOLS_MAX = 255

TOKEN_FIRST_RANGE = 64
TOKEN_RANGES_END = 248
TOKEN_WHOLE = 255


class Head(NamedTuple):
    clock: int
    event_count: int
    segment_count: int
    open_count: int
    symbol_count: int
    group_count: int
    first_event: int
    base_step: int
    last_step: int
    kinds: int
    reserved: int


class Segment(NamedTuple):
    track: int
    before: int
    event_count: int
    open_count: int
    start: int


class OpenScope(NamedTuple):
    symbol: int
    begin: int
    children: int


class Symbol(NamedTuple):
    kind: int
    site: int
    group: int
    end_group: int


class EventBlock(NamedTuple):
    head: Head
    segments: list
    open_scopes: list  # per segment, outermost first
    events: list  # (step, Symbol or None for an End, shown value or None), in the order of segments


def read_columns(payload, compressed):
    """(head, raw columns): the fixed part and what the columns hold after decompression."""
    head = Head(*unpack_at(HEAD, payload, 0))
    stored_columns = []
    offset = HEAD.size
    for _ in range(FIXED_COLUMNS + head.group_count + 1):
        raw_size, stored_size = unpack_at(COLUMN_HEAD, payload, offset)
        offset += COLUMN_HEAD.size
        stored_columns.append((raw_size, bytes_at(payload, offset, stored_size)))
        offset += stored_size
    require(offset == len(payload), LAYOUT)
    require(not compressed, VALUE)
    require_ranges(head)
    # Before anything is decompressed: these limits are what bounds the memory that it takes.
    for raw_size, stored in stored_columns:
        require(raw_size <= COLUMN_MAX_BYTES and len(stored) <= raw_size, VALUE)
    require(sum(raw_size for raw_size, _ in stored_columns) <= COLUMNS_MAX_BYTES, VALUE)
    return head, [stored if len(stored) == raw_size else decompress(stored, raw_size)
                  for raw_size, stored in stored_columns]


def require_ranges(head):
    require(head.event_count <= EVENTS_MAX, VALUE)
    require(1 <= head.segment_count <= SEGMENTS_MAX, VALUE)
    require(head.open_count <= SCOPES_MAX, VALUE)
    require(head.symbol_count <= SYMBOLS_MAX, VALUE)
    require(1 <= head.group_count <= GROUPS_MAX, VALUE)
    require(head.reserved == 0, VALUE)


def read_segments(column, head):
    reader = VarintReader(column)
    rows = [Segment(*reader.take_many(5)) for _ in range(head.segment_count)]
    reader.finish()
    segments = [row._replace(start=row.start + head.base_step) for row in rows]
    for segment in segments:
        require(1 <= segment.track <= U32_MAX, VALUE)
        require(segment.event_count or segment.open_count, VALUE)
    require(sum(segment.event_count for segment in segments) == head.event_count, VALUE)
    require(sum(segment.open_count for segment in segments) == head.open_count, VALUE)
    require(min(segment.start for segment in segments) == head.base_step, VALUE)
    return segments


def read_symbols(column, head):
    reader = VarintReader(column)
    symbols = []
    for _ in range(head.symbol_count):
        kind, site, group = reader.take_many(3)
        # How long an entry is depends on its kind, so that a wrong one ends the reading here.
        require(BEGIN <= kind <= TRACK_SWITCH, VALUE)
        end_group = reader.take() if kind == BEGIN else 0
        symbols.append(Symbol(kind, site, group, end_group))
    reader.finish()
    for symbol in symbols:
        require(symbol.site <= U32_MAX, VALUE)
        require(symbol.site != 0 or symbol.kind not in KINDS_WITH_SITE, VALUE)
        require(symbol.site == 0 or symbol.kind != TRACK_SWITCH, VALUE)
        require(max(symbol.group, symbol.end_group) < head.group_count, VALUE)
    return symbols


def read_open_scopes(column, segments, symbols):
    """Per segment, its open scopes, outermost first."""
    reader = VarintReader(column)
    rows = [[reader.take_many(3) for _ in range(segment.open_count)] for segment in segments]
    reader.finish()
    scopes = []
    for segment, scope_rows in zip(segments, rows):
        scopes.append([])
        for number, age, children in scope_rows:
            require(1 <= number <= len(symbols) and symbols[number - 1].kind == BEGIN, VALUE)
            around = scopes[-1][-1].begin if scopes[-1] else 0
            require(around <= segment.start - age and children <= age, VALUE)
            scopes[-1].append(OpenScope(symbols[number - 1], segment.start - age, children))
    return scopes


def read_event_symbols(column, head, symbols):
    """Per event its symbol, None for an End."""
    wide = head.symbol_count > ONE_BYTE_SYMBOLS_MAX
    count = head.event_count
    require(len(column) == (2 * count if wide else count), LAYOUT)
    high_bytes = column[count:] if wide else bytes(count)
    numbers = [low | high << 8 for low, high in zip(column, high_bytes)]
    require(all(number <= head.symbol_count for number in numbers), VALUE)
    return [symbols[number - 1] if number else None for number in numbers]


def read_values(integer_column, gauge_column, kinds):
    """Per event the value as the dump shows it, None where its kind has none."""
    integers = VarintReader(integer_column)
    differences = [integers.take() for kind in kinds if kind in KINDS_WITH_INTEGER]
    integers.finish()
    require(len(gauge_column) == GAUGE_BITS.size * kinds.count(GAUGE), LAYOUT)
    gauges = (bits for bits, in GAUGE_BITS.iter_unpack(gauge_column))
    last = dict.fromkeys(KINDS_WITH_INTEGER, 0)
    left = iter(differences)
    values = []
    for kind in kinds:
        if kind in KINDS_WITH_INTEGER:
            last[kind] = (last[kind] + unzigzag(next(left))) & U64_MAX
            values.append(shown_integer(kind, last[kind]))
        else:
            values.append(f"{next(gauges):016x}" if kind == GAUGE else None)
    return values


def shown_integer(kind, number):
    if kind in (FLOW_OUT, FLOW_IN):
        return f"{number:016x}"
    if kind == COUNT and number >= 2**63:
        return str(number - 2**64)
    return str(number)


class TimeReader:
    """Takes the steps between events from the columns of tokens and the bits."""

    def __init__(self, token_columns, bits):
        self._tokens = token_columns
        self._used = [0] * len(token_columns)
        self._bits = BitReader(bits)

    def take(self, group):
        require(self._used[group] < len(self._tokens[group]), LAYOUT)
        token = self._tokens[group][self._used[group]]
        self._used[group] += 1
        if token < TOKEN_FIRST_RANGE:
            return token
        if token < TOKEN_RANGES_END:
            exponent, mantissa = divmod(token - TOKEN_FIRST_RANGE, 8)
            bit_count = 3 + exponent
            return ((8 + mantissa) << bit_count) + self._bits.take(bit_count)
        require(token == TOKEN_WHOLE, VALUE)
        return self._bits.take(64)

    def finish(self):
        for used, tokens in zip(self._used, self._tokens):
            require(used == len(tokens), LAYOUT)
        self._bits.finish()


def read_times(segments, open_scopes, event_symbols, times):
    """Per event its step; follows the nesting, which an End's group depends on."""
    steps = []
    for segment, scopes in zip(segments, open_scopes):
        stack = [scope.symbol for scope in scopes]
        step = segment.start
        for index in range(segment.event_count):
            symbol = event_symbols[len(steps)]
            require(symbol is not None or stack, VALUE)
            group = symbol.group if symbol else stack.pop().end_group
            if symbol and symbol.kind == BEGIN:
                stack.append(symbol)
                require(len(stack) <= SCOPES_MAX, VALUE)
            if index > 0:
                step += times.take(group)
            steps.append(step)
    times.finish()
    return steps


def read_block(payload, compressed):
    """The block of events that a payload holds. Raises PayloadFault."""
    head, columns = read_columns(payload, compressed)
    segments = read_segments(columns[0], head)
    symbols = read_symbols(columns[2], head)
    open_scopes = read_open_scopes(columns[1], segments, symbols)
    event_symbols = read_event_symbols(columns[3], head, symbols)
    kinds = [symbol.kind if symbol else END for symbol in event_symbols]
    require(head.kinds == sum(1 << kind for kind in set(kinds)), VALUE)
    values = read_values(columns[4], columns[5], kinds)
    times = TimeReader(columns[FIXED_COLUMNS:-1], columns[-1])
    steps = read_times(segments, open_scopes, event_symbols, times)
    require(max([segment.start for segment in segments] + steps) == head.last_step, VALUE)
    return EventBlock(head, segments, open_scopes, list(zip(steps, event_symbols, values)))


def take_clock(block, clocks):
    """(step, offset) of the block's clock, when it is defined and all times of the block fit it."""
    require(block.head.clock in clocks, VALUE)
    step, offset = clocks[block.head.clock]
    require(offset + step * block.head.last_step <= U64_MAX, VALUE)
    return step, offset


def event_block_lines(payload, compressed, clocks):
    """The lines of an events block.

    compressed: whether the payload as a whole was, which is forbidden for this kind. clocks: per
    clock id (step, offset). Raises PayloadFault."""
    block = read_block(payload, compressed)
    head = block.head
    step_ticks, offset_ticks = take_clock(block, clocks)

    def tick(step):
        return offset_ticks + step_ticks * step

    lines = [f"events clock {head.clock} first {head.first_event} count {head.event_count}"
             f" segments {head.segment_count} symbols {head.symbol_count}"
             f" groups {head.group_count} from {tick(head.base_step)} to {tick(head.last_step)}"]
    events = iter(block.events)
    for segment, scopes in zip(block.segments, block.open_scopes):
        lines.append(f"segment track {segment.track} before {segment.before}"
                     f" count {segment.event_count} open {segment.open_count}"
                     f" start {tick(segment.start)}")
        for scope in scopes:
            lines.append(f"open site {scope.symbol.site} begin {tick(scope.begin)}"
                         f" children {step_ticks * scope.children}")
        for step, symbol, value in islice(events, segment.event_count):
            lines.append(f"{tick(step)} {event_text(symbol, value)}")
    return lines


def event_text(symbol, value):
    if symbol is None:
        return EVENT_NAMES[END]
    text = EVENT_NAMES[symbol.kind]
    if symbol.kind != TRACK_SWITCH:
        text += f" site {symbol.site}"
    return text if value is None else f"{text} value {value}"
