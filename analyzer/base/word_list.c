/* Words in one text, with spaces between. */
#include "word_list.h"

#include <string.h>

bool trace_is_listed(const char *words, const char *word)
{
    size_t size = strlen(word);

    for (const char *at = words; (at = strstr(at, word)) != NULL; at += size)
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0'))
            return true;
    return false;
}
