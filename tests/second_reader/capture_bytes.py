"""Takes numbers, varints and zstd frames out of bytes that are not trusted."""

import struct

import zstandard

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1
VARINT_MAX_BYTES = 10

CHECKSUM = "payload-checksum"
COMPRESSION = "payload-compression"
LAYOUT = "payload-layout"
VALUE = "payload-value"

WINDOW_MAX_BYTES = 128 << 20
ZSTD_MAGIC = bytes.fromhex("28b52ffd")
# A zstd block takes at least 3 bytes and yields at most 128 KiB, so that a step of this many bytes
# cannot yield more than about 3 MiB before the size is looked at.
ZSTD_STEP_BYTES = 64


class PayloadFault(Exception):
    """The payload of a block breaks a rule of the format; `reason` is the page's word for it."""

    def __init__(self, reason):
        super().__init__(reason)
        self.reason = reason


def require(condition, reason):
    """Raises the fault of that reason unless the condition holds."""
    if not condition:
        raise PayloadFault(reason)


def unpack_at(layout, data, offset):
    """The fields of a struct.Struct at an offset; a layout fault when it is not whole."""
    require(offset + layout.size <= len(data), LAYOUT)
    return layout.unpack_from(data, offset)


def bytes_at(data, offset, size):
    """That many bytes at an offset; a layout fault when they are not whole."""
    require(offset + size <= len(data), LAYOUT)
    return bytes(data[offset : offset + size])


class VarintReader:
    """Takes varints from the front of a column, which must be used up at the end."""

    def __init__(self, column):
        self._column = column
        self._offset = 0

    def take(self):
        column = self._column
        value = 0
        for index in range(VARINT_MAX_BYTES):
            if self._offset == len(column):
                raise PayloadFault(LAYOUT)
            byte = column[self._offset]
            self._offset += 1
            value |= (byte & 0x7F) << (7 * index)
            if byte < 0x80:
                require(value <= U64_MAX, VALUE)
                return value
        raise PayloadFault(VALUE)

    def take_many(self, count):
        return tuple(self.take() for _ in range(count))

    def finish(self):
        require(self._offset == len(self._column), LAYOUT)


class BitReader:
    """Takes numbers from a column of bits, least significant bit of each byte first."""

    def __init__(self, column):
        self._column = column
        self._position = 0

    def take(self, bit_count):
        end = self._position + bit_count
        require(end <= 8 * len(self._column), LAYOUT)
        covering = self._column[self._position >> 3 : (end + 7) >> 3]
        number = int.from_bytes(covering, "little") >> (self._position & 7)
        self._position = end
        return number & ((1 << bit_count) - 1)

    def finish(self):
        left = 8 * len(self._column) - self._position
        require(left < 8, LAYOUT)
        require(self.take(left) == 0, VALUE)


def unzigzag(number):
    """The signed 64-bit number that a zigzag number stands for."""
    return (number >> 1) ^ -(number & 1)


def decompress(stored, raw_size):
    """What one zstd frame holds; a fault unless it fills `stored` and yields exactly raw_size."""
    # Without the magic, a frame that is to be skipped would do for no bytes.
    require(stored[: len(ZSTD_MAGIC)] == ZSTD_MAGIC, COMPRESSION)
    frame = zstandard.ZstdDecompressor(max_window_size=WINDOW_MAX_BYTES).decompressobj()
    pieces = []
    size = 0
    for offset in range(0, len(stored), ZSTD_STEP_BYTES):
        require(not frame.eof, COMPRESSION)
        try:
            piece = frame.decompress(stored[offset : offset + ZSTD_STEP_BYTES])
        except zstandard.ZstdError:
            raise PayloadFault(COMPRESSION) from None
        size += len(piece)
        require(size <= raw_size, COMPRESSION)
        pieces.append(piece)
    require(frame.eof and not frame.unused_data and size == raw_size, COMPRESSION)
    return b"".join(pieces)


def fields(text):
    """A little-endian struct.Struct without padding."""
    return struct.Struct("<" + text)
