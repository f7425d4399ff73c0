/* Texts of reports. */
#include "report_texts.h"

#include <stdint.h>
#include <stdlib.h>

#define CHUNK_BYTES 65536u

struct trace_text_chunk {
    struct trace_text_chunk *next;
    size_t used;
    size_t capacity;
    char bytes[];
};

char *trace_report_texts_allocate(struct trace_report_texts *texts, size_t size)
{
    struct trace_text_chunk *chunk = texts->first;
    char *text;

    if (chunk == NULL || chunk->capacity - chunk->used < size) {
        size_t capacity = size > CHUNK_BYTES ? size : CHUNK_BYTES;

        if (capacity > SIZE_MAX - sizeof *chunk)
            return NULL;
        chunk = malloc(sizeof *chunk + capacity);
        if (chunk == NULL)
            return NULL;
        chunk->next = texts->first;
        chunk->used = 0;
        chunk->capacity = capacity;
        texts->first = chunk;
    }
    text = chunk->bytes + chunk->used;
    chunk->used += size;
    return text;
}

/* Releases the chunks from one on. */
static void release_from(struct trace_text_chunk *chunk)
{
    while (chunk != NULL) {
        struct trace_text_chunk *next = chunk->next;

        free(chunk);
        chunk = next;
    }
}

void trace_report_texts_reuse(struct trace_report_texts *texts)
{
    if (texts->first == NULL)
        return;
    release_from(texts->first->next);
    texts->first->next = NULL;
    texts->first->used = 0;
}

void trace_report_texts_release(struct trace_report_texts *texts)
{
    release_from(texts->first);
    texts->first = NULL;
}
