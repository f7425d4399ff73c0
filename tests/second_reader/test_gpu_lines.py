#!/usr/bin/python3
"""Tests the second reader on blocks of GPU samples: right ones, and each rule broken once."""

import struct
import unittest

import capture_writer as w
from test_payload_damage import reason_of
from test_lcap_dump import lines_of_payload

QUEUES, FRAMES, PASSES, COUNTS, CALIBRATIONS = range(32, 37)
UNMAPPED = 0xFFFFFFFF
FRAME = (1, 1, 1, 0, 5, 7, -3, 8, 9, 0)
PASS = (1, 2, 0, 1, 1, 1, UNMAPPED, 0, 5, 7, 0, 8, 9)
CALIBRATION = (1, 1, 0, 0, 5, 6, 7, -8, 9, 0)


def changed(row, place, value):
    return row[:place] + (value,) + row[place + 1 :]


def queue(track=1, valid_bits=64, reserved=0, texts=(b"b", b"d", b"q", b"", b""), **head):
    payload = w.records("IIIIQ", (track, 2, valid_bits, reserved, 3), **head)
    return payload + b"".join(struct.pack("<I", len(text)) + text for text in texts)


def frame(row=FRAME, **head):
    return w.records("IIIIQQqQQQ", row, **{"clock": 1, **head})


def pass_of(row=PASS, **head):
    return w.records("IIIIIIIIQQqQQ", row, **{"clock": 1, **head})


class GpuLines(unittest.TestCase):
    def check(self, reason, kind, *payloads):
        for payload in payloads:
            with self.subTest(kind=kind, payload=payload):
                self.assertEqual(reason_of(kind, payload), reason)

    def test_records_are_shown(self):
        self.assertEqual(lines_of_payload(QUEUES, queue()), [
            'gpu-queue track 1 generation 2 valid_bits 64 period_fs 3 backend "b" device "d"'
            ' queue "q" pass_reason "" calibration_reason ""'])
        self.assertEqual(lines_of_payload(FRAMES, frame()), [
            "gpu-frame track 1 number 5 method timestamps outcome valid duration_ns 7"
            " begin_ns -3 uncertainty_ns 0 submit 8 collect 9"])
        self.assertEqual(lines_of_payload(PASSES, pass_of()), [
            "gpu-pass track 1 site 2 frame 5 ordinal 0 operation render logical_passes 1"
            " outcome valid duration_ns 7 begin_ns - uncertainty_ns - submit 8 collect 9"])
        self.assertEqual(lines_of_payload(COUNTS, w.records("IIIIQ", (1, 2, 18, 0, 4))), [
            "gpu-count track 1 subject pass outcome queue-full count 4"])
        self.assertEqual(
            lines_of_payload(CALIBRATIONS, w.records("IIIIQQQqqQ", CALIBRATION)), [
                "gpu-calibration track 1 frame 5 mapping mapped uncertainty_ns 0 device 6 7"
                " host_ns -8 9"])

    def test_queues(self):
        self.check("payload-value", QUEUES, queue(track=0), queue(valid_bits=65),
                   queue(reserved=1), queue(clock=1))
        self.check("payload-layout", QUEUES, queue(texts=(b"", b"", b"", b"")), queue() + b"\0",
                   queue()[:-1])

    def test_times(self):
        wrong = [changed(FRAME, place, 0) for place in (0, 1, 2)]
        wrong += [changed(FRAME, 2, 3), changed(FRAME, 3, UNMAPPED), changed(FRAME, 5, 1 << 63),
                  changed(FRAME, 6, (1 << 63) - 7), changed(FRAME, 8, 7), changed(FRAME, 9, 1)]
        self.check("payload-value", FRAMES, *(frame(row) for row in wrong), frame(clock=0))
        self.check(None, FRAMES, frame(changed(FRAME, 6, (1 << 63) - 8)))
        self.check("payload-value", PASSES, *(pass_of(changed(PASS, place, 0))
                                              for place in (0, 1, 3, 4, 5)),
                   pass_of(changed(PASS, 7, 1)), pass_of(changed(PASS, 10, 1)), pass_of(clock=0))

    def test_counts_and_calibrations(self):
        self.check("payload-value", COUNTS, w.records("IIIIQ", (0, 1, 0, 0, 4)),
                   w.records("IIIIQ", (1, 0, 0, 0, 4)), w.records("IIIIQ", (1, 1, 0, 1, 4)))
        self.check("payload-value", CALIBRATIONS, *(
            w.records("IIIIQQQqqQ", changed(CALIBRATION, place, value))
            for place, value in ((0, 0), (1, 0), (3, 1), (9, 1))))


if __name__ == "__main__":
    unittest.main()
