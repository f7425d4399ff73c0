/* What makes scopes of different runs the same one: name, file and category, and for caller
 * contexts those of the callers too. The line may move; sites that share a key are one scope, whose
 * lines are kept beside. Private to the analyzer. */
#ifndef TRACE_SCOPE_KEYS_H
#define TRACE_SCOPE_KEYS_H

#include "model.h"

enum trace_side { TRACE_BASE, TRACE_CANDIDATE };
#define TRACE_SIDES 2u

/* Texts belong to the keys. */
struct trace_scope_key {
    struct trace_text name, file, category; /* the latter two may be empty */
    uint32_t parent;                        /* index of the caller's key, or TRACE_NONE */
    uint32_t scope;                         /* index of the key that differs in the parent alone,
                                               which it has not; set by trace_scope_keys_put */
    uint32_t last_line; /* place of the line that was noted last, plus one; or 0: until they are
                           sorted */
    bool is_waiting;
    bool is_named_twice; /* another one has the name and the parent, once trace_scope_keys_sort was
                            called */
};

/* A line on which a key was found. */
struct trace_key_line {
    uint32_t key, line;
    bool is_of[TRACE_SIDES];
};

/* Keys are numbered from 0 in the order in which they come. */
struct trace_scope_keys {
    struct trace_scope_key *items;
    uint32_t count;
    uint32_t *table; /* by hash: index plus one; or 0 */
    uint32_t table_size;
    struct trace_key_line *lines; /* by key, then line, once trace_scope_keys_sort was called */
    uint32_t line_count;
    struct trace_model *texts; /* which owns them, and others that live as long */
};

/* None yet. False when there is no memory; destroy it all the same. */
bool trace_scope_keys_create(struct trace_scope_keys *keys);
void trace_scope_keys_destroy(struct trace_scope_keys *keys);

/* The index of a key, whose texts are copied when it is new. TRACE_NONE when there is no memory. */
uint32_t trace_scope_keys_put(struct trace_scope_keys *keys, const struct trace_scope_key *key);

/* The key of a site, without callers. Likewise. */
uint32_t trace_scope_keys_put_site(struct trace_scope_keys *keys, const struct trace_model *model,
                                   uint32_t site);

/* The key of a scope, which is the index of one without callers, below a parent's key; TRACE_NONE
 * for that: the scope itself. TRACE_NONE when there is no memory, or for that as a scope. */
uint32_t trace_scope_keys_put_below(struct trace_scope_keys *keys, uint32_t scope, uint32_t parent);

/* Notes where a side has a key that there is. False when there is no memory. */
bool trace_scope_keys_note_line(struct trace_scope_keys *keys, uint32_t key, uint32_t line,
                                enum trace_side side);

/* Brings the lines into their order, each once. */
void trace_scope_keys_sort_lines(struct trace_scope_keys *keys);

/* Brings the lines into their order, and finds names that are not enough to tell keys
 * apart. False when there is no memory. */
bool trace_scope_keys_sort(struct trace_scope_keys *keys);

/* The lines of a key, once they are in their order. */
const struct trace_key_line *trace_scope_keys_find_lines(const struct trace_scope_keys *keys,
                                                         uint32_t key, uint32_t *count);

#endif
