/* Finds the name that somebody meant: the fewest letters added, left out, changed or swapped. */
#include <string.h>

#include "trace.h"

#define MAX_SIZE 63u /* of words that are looked at; no name is longer */

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Letters to change between two words of at most MAX_SIZE; a swap of neighbours counts one. */
static size_t distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    size_t steps[MAX_SIZE + 1][MAX_SIZE + 1]; /* between the first i letters and the first j */

    for (size_t i = 0; i <= a_size; i++)
        steps[i][0] = i;
    for (size_t j = 0; j <= b_size; j++)
        steps[0][j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        for (size_t j = 1; j <= b_size; j++) {
            size_t change = steps[i - 1][j - 1] + (a[i - 1] != b[j - 1]);

            steps[i][j] = min(change, min(steps[i - 1][j], steps[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                steps[i][j] = min(steps[i][j], steps[i - 2][j - 2] + 1);
        }
    }
    return steps[a_size][b_size];
}

struct trace_nearest trace_nearest_start(const char *word, size_t word_size)
{
    size_t limit = word_size < 3 ? 1 : word_size < 6 ? 2 : 3;

    return (struct trace_nearest){word, word_size, limit + 1, NULL};
}

void trace_nearest_consider(struct trace_nearest *nearest, const char *name)
{
    size_t size = strlen(name);
    size_t found;

    if (nearest->word_size == 0 || nearest->word_size > MAX_SIZE || size > MAX_SIZE)
        return;
    found = distance(nearest->word, nearest->word_size, name, size);
    if (nearest->word_size >= 2 && nearest->word_size < size &&
        memcmp(nearest->word, name, nearest->word_size) == 0)
        found = 1; /* the beginning of a name is nearer than the letters say */
    if (found < nearest->distance) {
        nearest->distance = found;
        nearest->name = name;
    }
}
