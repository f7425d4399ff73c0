/* What a GPU scope may be called. */
#ifndef LUDUS_GPU_NAME_H
#define LUDUS_GPU_NAME_H

#include <stdbool.h>
#include <stddef.h>

#define LUDUS_GPU_LONGEST_NAME 127u /* bytes */

/* Whether it has 1 to 127 bytes, all of them UTF-8 (no overlong forms, no surrogates, nothing above
 * U+10FFFF) and none of them 0. */
bool ludus_gpu_name_is_good(const char *name, size_t size);

/* Copies a text that may be NULL, cut to 127 bytes at a character. */
void ludus_gpu_name_copy(char copy[LUDUS_GPU_LONGEST_NAME + 1], const char *text);

#endif
