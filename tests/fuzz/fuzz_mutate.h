/* Mutates captures so that what lies behind checksums and compression is reached. */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <stddef.h>
#include <stdint.h>

/* libFuzzer's own mutation of bytes. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

/* Changes the capture in `data`, which has room for `capacity` bytes, and returns its new size.
 * Most of the time, headers and checksums are right afterwards. The same seed makes the same
 * change. */
size_t fuzz_mutate_capture(uint8_t *data, size_t size, size_t capacity, unsigned seed);

#endif
