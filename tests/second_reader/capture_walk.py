"""Walks the blocks of a capture and tells what is good, damaged, missing and unfinished."""

import zlib
from typing import NamedTuple, Optional

from capture_bytes import CHECKSUM, U64_MAX, PayloadFault, decompress, fields, require

FILE_MAGIC = bytes.fromhex("894c4341500d0a1a")
FILE_HEADER = fields("8sHHIQII")
VERSION_MAJOR = 1

BLOCK_MAGIC = b"LBLK"
BLOCK_HEADER = fields("4sHHHHIIIQII")
FLAG_COMPRESSED = 1
PAYLOAD_MAX_BYTES = 4194304
KIND_VERSION = 1

TRAILER_MAGIC = b"LCAPEND\n"
TRAILER = fields("8sQII")

# Steps grow, so that a test that fails early costs little, however many of them a file provokes.
ZERO_FIRST_STEP_BYTES = 16
ZERO_LAST_STEP_BYTES = 1 << 20


class NotReadable(Exception):
    """The file is not a capture, or one of a version that this reader does not know."""


class FileHeader(NamedTuple):
    version_major: int
    version_minor: int
    capture_id: int


class BlockHeader(NamedTuple):
    kind: int
    kind_version: int
    compressed: bool
    stored_size: int
    raw_size: int
    payload_crc: int
    sequence: int
    tag: int


class Block(NamedTuple):
    offset: int
    header: BlockHeader
    lines: list


class Skipped(NamedTuple):
    offset: int
    header: BlockHeader


class Gap(NamedTuple):
    offset: int
    expected: int
    found: int


class Damage(NamedTuple):
    offset: int
    size: int
    reason: str


class Finished(NamedTuple):
    size: int


class Unfinished(NamedTuple):
    offset: int
    tail_size: int
    zero: bool


def crc_is_right(data, offset, layout):
    """Whether the CRC-32 in the last four bytes of a structure is that of the bytes before."""
    end = offset + layout.size
    stored = int.from_bytes(data[end - 4 : end], "little")
    return zlib.crc32(data[offset : end - 4]) == stored


def judge_block_header(data, offset, tag):
    """(header, None) for a valid header that lies whole at offset, otherwise (None, reason).

    A tag of None accepts any."""
    if data[offset : offset + 4] != BLOCK_MAGIC:
        return None, "block-magic"
    if not crc_is_right(data, offset, BLOCK_HEADER):
        return None, "header-checksum"
    (_, kind, kind_version, flags, reserved, stored_size, raw_size, payload_crc, sequence,
     block_tag, _) = BLOCK_HEADER.unpack_from(data, offset)
    compressed = flags == FLAG_COMPRESSED
    right = (
        kind != 0
        and kind_version != 0
        and flags & ~FLAG_COMPRESSED == 0
        and reserved == 0
        and stored_size <= PAYLOAD_MAX_BYTES
        and raw_size <= PAYLOAD_MAX_BYTES
        and (compressed or raw_size == stored_size)
        and tag in (None, block_tag)
    )
    if not right:
        return None, "header-field"
    return BlockHeader(kind, kind_version, compressed, stored_size, raw_size, payload_crc,
                       sequence, block_tag), None


def find_block_header(data, start, end, tag):
    """The smallest offset from start on with a valid header whole before end, or None."""
    offset = data.find(BLOCK_MAGIC, start, end)
    while 0 <= offset <= end - BLOCK_HEADER.size:
        if judge_block_header(data, offset, tag)[0]:
            return offset
        offset = data.find(BLOCK_MAGIC, offset + 1, end)
    return None


def is_zero(data, start, end):
    """Whether all bytes between the two offsets are zero; stops at the first that is not."""
    step = ZERO_FIRST_STEP_BYTES
    while start < end:
        piece = data[start : min(start + step, end)]
        if piece.count(0) != len(piece):
            return False
        start += step
        step = min(2 * step, ZERO_LAST_STEP_BYTES)
    return True


def has_trailer(data, tag):
    """Whether the last bytes of the file are a trailer with the capture's tag."""
    offset = len(data) - TRAILER.size
    if offset < FILE_HEADER.size:
        return False
    magic, _, trailer_tag, _ = TRAILER.unpack_from(data, offset)
    return magic == TRAILER_MAGIC and crc_is_right(data, offset, TRAILER) and trailer_tag == tag


class CaptureWalk:
    """One pass over a capture.

    data: the file's bytes (bytes or mmap). decode: called with (header, payload) of every block
    whose payload is whole, in file order; gives what the block stands for, or raises PayloadFault.
    known_kinds: the block kinds that decode understands."""

    def __init__(self, data, decode, known_kinds):
        self._data = data
        self._decode = decode
        self._known_kinds = known_kinds
        self._tag: Optional[int] = None
        self._end = len(data)
        self._expected = 0
        self._after_damage = False

    def items(self):
        """Yields FileHeader, Block, Skipped, Gap and Damage in file order, and how the file ends."""
        if self._data[: len(FILE_MAGIC)] != FILE_MAGIC:
            raise NotReadable("it is not a capture")
        if len(self._data) < FILE_HEADER.size:
            yield Unfinished(0, len(self._data), False)
            return
        yield self._read_file_header()
        finished = has_trailer(self._data, self._tag)
        if finished:
            self._end -= TRAILER.size
        yield from self._walk_blocks(finished)

    def _read_file_header(self):
        _, major, minor, size, capture_id, flags, _ = FILE_HEADER.unpack_from(self._data, 0)
        crc_right = crc_is_right(self._data, 0, FILE_HEADER)
        if crc_right and major > VERSION_MAJOR:
            raise NotReadable(f"its version {major}.{minor} is greater than {VERSION_MAJOR}")
        if crc_right and major == VERSION_MAJOR and size == FILE_HEADER.size and flags == 0:
            self._tag = capture_id & 0xFFFFFFFF
            return FileHeader(major, minor, capture_id)
        # Where blocks end depends on the trailer, and that on the tag: look through the whole file.
        first = find_block_header(self._data, FILE_HEADER.size, len(self._data), None)
        if first is not None:
            self._tag = judge_block_header(self._data, first, None)[0].tag
        return self._damage(Damage(0, FILE_HEADER.size, "file-header"))

    def _damage(self, damage):
        self._after_damage = True
        return damage

    def _walk_blocks(self, finished):
        offset = FILE_HEADER.size
        while offset < self._end:
            left = self._end - offset
            if not finished and is_zero(self._data, offset, self._end):
                yield Unfinished(offset, left, True)
                return
            header, reason = None, "block-cut"
            if left >= BLOCK_HEADER.size:
                header, reason = judge_block_header(self._data, offset, self._tag)
            if header and left - BLOCK_HEADER.size < header.stored_size:
                reason = "block-cut"
            if reason == "block-cut" and not finished:
                yield Unfinished(offset, left, False)
                return
            if reason:
                size = left if reason == "block-cut" else self._damage_size(offset)
                yield self._damage(Damage(offset, size, reason))
                offset += size
            else:
                yield from self._read_block(offset, header)
                offset += BLOCK_HEADER.size + header.stored_size
        yield Finished(len(self._data)) if finished else Unfinished(offset, 0, False)

    def _damage_size(self, offset):
        found = find_block_header(self._data, offset + 1, self._end, self._tag)
        return (self._end if found is None else found) - offset

    def _read_block(self, offset, header):
        expected = self._expected
        self._expected = (header.sequence + 1) & U64_MAX
        known = header.kind in self._known_kinds and header.kind_version <= KIND_VERSION
        try:
            lines = self._read_payload(offset + BLOCK_HEADER.size, header, known)
        except PayloadFault as fault:
            size = BLOCK_HEADER.size + header.stored_size
            yield self._damage(Damage(offset, size, fault.reason))
            return
        if header.sequence != expected and not self._after_damage:
            yield Gap(offset, expected, header.sequence)
        self._after_damage = False
        yield Block(offset, header, lines) if known else Skipped(offset, header)

    def _read_payload(self, offset, header, known):
        stored = self._data[offset : offset + header.stored_size]
        require(zlib.crc32(stored) == header.payload_crc, CHECKSUM)
        if not known:
            return []
        payload = decompress(stored, header.raw_size) if header.compressed else stored
        return self._decode(header, payload)
