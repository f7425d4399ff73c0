/* Finds the name that somebody meant. */
#ifndef CLI_SPELLING_H
#define CLI_SPELLING_H

#include <stddef.h>

/* A search for the name nearest to a word. */
struct cli_nearest {
    const char *word;
    size_t word_size;
    size_t distance;  /* of `name`; at first, the largest that counts as near, plus one */
    const char *name; /* NULL: none was near */
};

struct cli_nearest cli_nearest_start(const char *word, size_t word_size);
void cli_nearest_consider(struct cli_nearest *nearest, const char *name);

#endif
