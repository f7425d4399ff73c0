/* Words in one text, with spaces between. Private to the analyzer. */
#ifndef TRACE_WORD_LIST_H
#define TRACE_WORD_LIST_H

#include <stdbool.h>

/* Whether the word, as a whole, is one of them. */
bool trace_is_listed(const char *words, const char *word);

#endif
