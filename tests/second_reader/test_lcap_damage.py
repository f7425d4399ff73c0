#!/usr/bin/python3
"""Tests the second reader on files that are cut, and on damage to headers and to any bit."""

import time
import unittest

import capture_writer as w
from capture_walk import NotReadable
from test_lcap_dump import EVENTS_BY_HAND, FULL_BLOCKS, dump_of

HEADER_LINE = "file version 1.0 capture 0123456789abcdef"
# Three blocks of 40 + 17 bytes: a string of one byte each, at offsets 32, 89 and 146.
ONE, TWO, THREE = (w.strings((number, b"s")) for number in (1, 2, 3))


def string_lines(sequence, offset, number=None):
    return [f"block {sequence} strings offset {offset} stored 17 raw 17",
            f'string {number or sequence + 1} "s"']


def small(**kwargs):
    return w.capture((w.STRINGS, ONE), (w.STRINGS, TWO), (w.STRINGS, THREE), **kwargs)


class FileHeaderDamage(unittest.TestCase):
    DAMAGE = "damage offset 0 size 32 reason file-header"

    def check(self, header):
        whole, lines = dump_of(header + small()[32:])
        self.assertEqual(lines, [self.DAMAGE] + string_lines(0, 32) + string_lines(1, 89)
                         + string_lines(2, 146) + ["finished size 227"])
        self.assertFalse(whole)

    def test_checksum_size_and_flags(self):
        self.check(w.file_header()[:31] + b"?")
        self.check(w.file_header(size=40))
        self.check(w.file_header(flags=1))
        self.check(w.file_header(major=0))

    def test_tag_is_that_of_the_first_valid_block_whatever_the_header_says(self):
        self.check(w.file_header(flags=1, capture_id=5))

    def test_without_any_valid_block_no_trailer_is_believed(self):
        data = w.file_header(flags=1) + w.trailer(0)
        self.assertEqual(dump_of(data)[1], [self.DAMAGE, "unfinished offset 32 tail 24 cut"])

    def test_first_blocks_of_a_damaged_header_may_be_missing_without_a_gap(self):
        data = w.file_header(flags=1) + w.block(w.STRINGS, ONE, 5) + w.block(w.STRINGS, TWO, 7)
        self.assertEqual(dump_of(data)[1], [self.DAMAGE] + string_lines(5, 32, 1) + [
            "gap expected 6 found 7 offset 89"] + string_lines(7, 89, 2) + [
            "unfinished offset 146 tail 0 cut"])


class BlockHeaderDamage(unittest.TestCase):
    def check(self, block, reason, size=57):
        """A wrong block in place of the second of three."""
        data = small()[:89] + block + small()[146:]
        whole, lines = dump_of(data)
        after = 89 + size
        self.assertEqual(lines, [HEADER_LINE] + string_lines(0, 32) + [
            f"damage offset 89 size {size} reason {reason}"] + string_lines(2, after) + [
            f"finished size {len(data)}"])
        self.assertFalse(whole)

    def test_magic(self):
        self.check(w.block(w.STRINGS, TWO, 1, magic=b"LBLX"), "block-magic")

    def test_bytes_between_blocks(self):
        self.check(b"\0" * 9 + b"LBLK", "block-magic", size=13)

    def test_checksum(self):
        block = bytearray(w.block(w.STRINGS, TWO, 1))
        block[24] ^= 1
        self.check(bytes(block), "header-checksum")
        # A flipped kind is damage, and no unknown kind.
        block = bytearray(w.block(w.STRINGS, TWO, 1))
        block[5] ^= 0x80
        self.check(bytes(block), "header-checksum")

    def test_fields(self):
        for fields in (dict(kind=0), dict(version=0), dict(flags=2), dict(flags=0x8001),
                       dict(reserved=1), dict(tag=w.TAG + 1), dict(raw_size=16),
                       dict(raw_size=18), dict(flags=1, raw_size=4194305),
                       dict(stored_size=4194305), dict(kind=40, version=0)):
            with self.subTest(**fields):
                self.check(w.block(fields.pop("kind", w.STRINGS), TWO, 1, **fields),
                           "header-field")

    def test_damage_ends_at_a_valid_header_inside_the_payload(self):
        inner = w.block(w.STRINGS, TWO, 1)
        outer = w.block(w.STRINGS, inner, 1)
        data = small()[:89] + outer[:39] + b"?" + outer[40:] + small()[146:]
        self.assertEqual(dump_of(data)[1][3:6],
                         ["damage offset 89 size 40 reason header-checksum"]
                         + string_lines(1, 129))

    def test_damage_without_a_block_behind_reaches_to_the_end(self):
        data = small(finished=False)[:146]
        end = "damage offset 146 size 50 reason block-magic"
        self.assertEqual(dump_of(data + b"?" * 50)[1][5:], [end, "unfinished offset 196 tail 0 cut"])
        self.assertEqual(dump_of(data + b"?" + b"\0" * 49)[1][5:],
                         [end, "unfinished offset 196 tail 0 cut"])
        self.assertEqual(dump_of(data + b"?" * 50 + w.trailer(0))[1][5:], [end, "finished size 220"])


class FileEnds(unittest.TestCase):
    def check(self, data, *lines):
        whole, found = dump_of(data)
        self.assertEqual(found, [HEADER_LINE] + string_lines(0, 32) + string_lines(1, 89)
                         + list(lines))
        self.assertFalse(whole)

    def setUp(self):
        self.two = small(finished=False)[:146]
        self.third = w.block(w.STRINGS, THREE, 2)

    def test_only_the_trailer_is_missing(self):
        self.check(self.two, "unfinished offset 146 tail 0 cut")

    def test_zero_tail(self):
        for size in (1, 39, 40, 5000000):
            self.check(self.two + bytes(size), f"unfinished offset 146 tail {size} zero")

    def test_cut_in_a_header_and_in_a_payload(self):
        for size in (1, 39, 40, 56):
            self.check(self.two + self.third[:size], f"unfinished offset 146 tail {size} cut")

    def test_payload_that_was_not_written(self):
        self.check(self.two + self.third[:40] + bytes(17),
                   "damage offset 146 size 57 reason payload-checksum",
                   "unfinished offset 203 tail 0 cut")

    def test_damaged_trailer_is_a_cut(self):
        for trailer in (w.trailer(146)[:23] + b"?", w.trailer(146, tag=1)):
            self.check(self.two + trailer, "unfinished offset 146 tail 24 cut")

    def test_cut_block_in_a_finished_file_is_damage(self):
        for size in (1, 39, 40, 56):
            self.check(self.two + self.third[:size] + w.trailer(0),
                       f"damage offset 146 size {size} reason block-cut",
                       f"finished size {146 + size + 24}")

    def test_zeros_before_a_trailer_are_damage(self):
        for size, reason in ((60, "block-magic"), (39, "block-cut")):
            self.check(self.two + bytes(size) + w.trailer(0),
                       f"damage offset 146 size {size} reason {reason}",
                       f"finished size {146 + size + 24}")

    def test_file_shorter_than_its_header(self):
        for size in (8, 31):
            self.assertEqual(dump_of(w.file_header()[:size]),
                             (False, [f"unfinished offset 0 tail {size} cut"]))


class Gaps(unittest.TestCase):
    def lines(self, *blocks):
        whole, lines = dump_of(w.file_header() + b"".join(blocks) + w.trailer(0))
        self.assertFalse(whole)
        return lines[1:-1]

    def test_missing_blocks(self):
        self.assertEqual(self.lines(w.block(w.STRINGS, ONE, 2), w.block(w.STRINGS, TWO, 1)), [
            "gap expected 0 found 2 offset 32"] + string_lines(2, 32, 1) + [
            "gap expected 3 found 1 offset 89"] + string_lines(1, 89, 2))

    def test_missing_blocks_before_a_skipped_one(self):
        self.assertEqual(self.lines(w.block(99, b"", 1)), [
            "gap expected 0 found 1 offset 32", "skipped 1 kind 99 version 1 offset 32 stored 0"])

    def test_damage_explains_missing_blocks(self):
        self.assertEqual(self.lines(b"?", w.block(w.STRINGS, ONE, 8)), [
            "damage offset 32 size 1 reason block-magic"] + string_lines(8, 33, 1))

    def test_damaged_payload_counts_in_the_sequence(self):
        damaged = w.block(w.STRINGS, ONE, 0, payload_crc=1)
        line = "damage offset 32 size 57 reason payload-checksum"
        self.assertEqual(self.lines(damaged, w.block(w.STRINGS, TWO, 1)),
                         [line] + string_lines(1, 89))
        self.assertEqual(
            self.lines(damaged, w.block(w.STRINGS, TWO, 3), w.block(w.STRINGS, THREE, 5)),
            [line] + string_lines(3, 89, 2) + ["gap expected 4 found 5 offset 146"]
            + string_lines(5, 146, 3))


class AnyDamage(unittest.TestCase):
    """Whatever happens to the bytes, the reader ends in good order and never calls the file whole."""

    CLOCK_BLOCK = (w.CLOCK, w.clock())
    BLOCKS = (CLOCK_BLOCK, (w.EVENTS, EVENTS_BY_HAND),
              (w.STRINGS, w.zstd_frame(ONE), {"flags": 1, "raw_size": 17}))

    def test_cut_at_every_byte(self):
        data = w.capture(*FULL_BLOCKS)
        for size in range(8, len(data)):
            self.assertFalse(dump_of(data[:size])[0])

    def test_every_bit_flipped(self):
        data = w.capture(*self.BLOCKS)
        for position in range(8 * 8, 8 * len(data)):
            flipped = bytearray(data)
            flipped[position >> 3] ^= 1 << (position & 7)
            self.assertFalse(dump_of(bytes(flipped))[0], f"bit {position}")
        for position in range(8 * 8):
            flipped = bytearray(data)
            flipped[position >> 3] ^= 1 << (position & 7)
            with self.assertRaises(NotReadable):
                dump_of(bytes(flipped))

    def test_every_bit_of_a_payload_flipped_under_a_right_checksum(self):
        for kind, payload, *fields in FULL_BLOCKS:
            for position in range(8 * len(payload)):
                flipped = bytearray(payload)
                flipped[position >> 3] ^= 1 << (position & 7)
                lines = dump_of(w.capture(self.CLOCK_BLOCK, (kind, bytes(flipped), *fields)))[1]
                self.assertTrue(lines[-1].startswith("finished"))

    def test_many_false_magics_are_read_in_linear_time(self):
        begin = time.monotonic()
        _, lines = dump_of(w.file_header() + b"LBLK" * 100000 + bytes(100000))
        self.assertEqual(lines[1:], ["damage offset 32 size 500000 reason header-checksum",
                                     "unfinished offset 500032 tail 0 cut"])
        self.assertLess(time.monotonic() - begin, 2)


if __name__ == "__main__":
    unittest.main()
