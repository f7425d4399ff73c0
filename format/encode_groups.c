/* Chooses which time differences share a table of token frequencies.
 *
 * Differences in one context (before a given begin, or the length of a given scope's last part) are
 * alike, so that tables of their own code them shorter; but every table costs bytes. Contexts are
 * ordered by their mean token, and neighbours are merged as long as the bits that two tables save
 * are fewer than a table costs (agglomerative clustering with the description length as its
 * criterion). */
#include <stdlib.h>
#include <string.h>

#include "lcap_encoder.h"

/* Contexts that are looked at one by one; those of later symbols share one. */
#define MAX_CONTEXTS 512u

/* What a table costs, in 1/256 bit: a zstd frame's headers, and its share for every token used.
 * Tried on captures of arena: from 20 bytes and 3 bits on, files shrink by 1 % and groups by a
 * third. */
#define COST_OF_TABLE (60u * 8u * 256u)
#define COST_OF_TOKEN (6u * 256u)

struct histogram {
    uint64_t cost; /* of coding the tokens, table included, in 1/256 bit */
    uint64_t token_sum;
    uint32_t total;
    uint32_t first, last; /* tokens used lie between, both included */
    uint32_t next;        /* in order of the mean; own index at the end */
    uint64_t merged_cost; /* of this and the next one together */
    uint32_t count[LCAP_TOKEN_COUNT];
};

struct lcap_grouper {
    uint32_t order[MAX_CONTEXTS + 1];
    uint32_t owner[MAX_CONTEXTS + 1]; /* the histogram that a context was merged into */
    uint8_t group[MAX_CONTEXTS + 1];
    uint16_t log2[256]; /* of 1 + i/256, in 1/256 */
    struct histogram histograms[MAX_CONTEXTS + 1];
};

size_t lcap_grouper_memory_bytes(void)
{
    return sizeof(struct lcap_grouper);
}

struct lcap_grouper *lcap_grouper_create(void)
{
    struct lcap_grouper *grouper = malloc(sizeof *grouper);
    if (grouper == NULL)
        return NULL;
    memset(grouper, 0, sizeof *grouper);
    /* Binary logarithm by repeated squaring, in integers, so that no maths library is needed. */
    for (uint32_t i = 0; i < 256; i++) {
        uint64_t mantissa = (256u + (uint64_t)i) << 22; /* 1 is 2^30 */
        uint32_t result = 0;
        for (int bit = 0; bit < 8; bit++) {
            mantissa = mantissa * mantissa >> 30;
            result <<= 1;
            if (mantissa >> 31 != 0) {
                mantissa >>= 1;
                result |= 1;
            }
        }
        grouper->log2[i] = (uint16_t)result;
    }
    return grouper;
}

void lcap_grouper_destroy(struct lcap_grouper *grouper)
{
    free(grouper);
}

/* log2(value) for value > 0, in 1/256. */
static uint32_t log2_of(const struct lcap_grouper *grouper, uint32_t value)
{
    uint32_t exponent = 31u - (uint32_t)__builtin_clz(value);
    uint32_t mantissa = exponent >= 8 ? value >> (exponent - 8) : value << (8 - exponent);
    return exponent << 8 | grouper->log2[mantissa & 0xFFu];
}

/* The bits that a table of the sum of two histograms needs; `b` may be NULL. */
static uint64_t cost_of(const struct lcap_grouper *grouper, const struct histogram *a,
                        const struct histogram *b)
{
    static const struct histogram empty = {.first = LCAP_TOKEN_COUNT};
    b = b != NULL ? b : &empty;
    uint32_t first = a->first < b->first ? a->first : b->first;
    uint32_t last = a->last > b->last ? a->last : b->last;
    uint32_t log_total = log2_of(grouper, a->total + b->total);
    uint64_t cost = COST_OF_TABLE;
    for (uint32_t token = first; token <= last; token++) {
        uint32_t count = a->count[token] + b->count[token];
        if (count != 0)
            cost += COST_OF_TOKEN + (uint64_t)count * (log_total - log2_of(grouper, count));
    }
    return cost;
}

static uint32_t slot_of(lcap_context context)
{
    return context < MAX_CONTEXTS ? context : MAX_CONTEXTS;
}

static void count_tokens(struct lcap_grouper *grouper, const struct lcap_events_builder *events)
{
    for (uint32_t i = 0; i <= MAX_CONTEXTS; i++)
        if (grouper->histograms[i].total != 0 || grouper->histograms[i].first == 0)
            grouper->histograms[i] = (struct histogram){.first = LCAP_TOKEN_COUNT};
    uint32_t index = 0;
    for (uint32_t i = 0; i < events->segment_count; i++) {
        uint32_t end = index + events->segments[i].event_count;
        for (uint32_t event = index + 1; event < end; event++) {
            uint32_t bit_count;
            uint32_t token = lcap_token(events->deltas[event], &bit_count);
            struct histogram *histogram = &grouper->histograms[slot_of(events->contexts[event])];
            histogram->count[token]++;
            histogram->total++;
            histogram->token_sum += token;
        }
        index = end;
    }
}

static double mean_token(const struct histogram *histogram)
{
    return (double)histogram->token_sum / histogram->total;
}

/* Lists the contexts that occur, by rising mean token. Insertion sort: there are few, and they come
 * nearly sorted by nothing. */
static uint32_t order_contexts(struct lcap_grouper *grouper)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i <= MAX_CONTEXTS; i++) {
        struct histogram *histogram = &grouper->histograms[i];
        if (histogram->total == 0)
            continue;
        for (uint32_t token = 0; token < LCAP_TOKEN_COUNT; token++) {
            if (histogram->count[token] == 0)
                continue;
            histogram->first = histogram->first == LCAP_TOKEN_COUNT ? token : histogram->first;
            histogram->last = token;
        }
        uint32_t place = count++;
        for (; place > 0 &&
               mean_token(&grouper->histograms[grouper->order[place - 1]]) > mean_token(histogram);
             place--)
            grouper->order[place] = grouper->order[place - 1];
        grouper->order[place] = i;
    }
    return count;
}

static void link_contexts(struct lcap_grouper *grouper, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct histogram *histogram = &grouper->histograms[grouper->order[i]];
        histogram->cost = cost_of(grouper, histogram, NULL);
        histogram->next = grouper->order[i + 1 < count ? i + 1 : i];
        grouper->owner[grouper->order[i]] = grouper->order[i];
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        struct histogram *histogram = &grouper->histograms[grouper->order[i]];
        histogram->merged_cost = cost_of(grouper, histogram, &grouper->histograms[histogram->next]);
    }
}

/* Adds the histogram behind `index` to it. */
static void merge_next(struct lcap_grouper *grouper, uint32_t index)
{
    struct histogram *histogram = &grouper->histograms[index];
    uint32_t merged = histogram->next;
    struct histogram *other = &grouper->histograms[merged];
    for (uint32_t token = other->first; token <= other->last; token++)
        histogram->count[token] += other->count[token];
    histogram->total += other->total;
    histogram->first = other->first < histogram->first ? other->first : histogram->first;
    histogram->last = other->last > histogram->last ? other->last : histogram->last;
    histogram->cost = histogram->merged_cost;
    histogram->next = other->next == merged ? index : other->next;
    grouper->owner[merged] = index;
}

/* Merges neighbours until no merge pays and there are few enough. */
static uint32_t merge_contexts(struct lcap_grouper *grouper, uint32_t count)
{
    uint32_t head = grouper->order[0];
    while (count > 1) {
        int64_t best_gain = INT64_MIN;
        uint32_t best = head, before_best = head, before = head;
        for (uint32_t i = head; grouper->histograms[i].next != i; i = grouper->histograms[i].next) {
            const struct histogram *histogram = &grouper->histograms[i];
            int64_t gain = (int64_t)(histogram->cost + grouper->histograms[histogram->next].cost) -
                           (int64_t)histogram->merged_cost;
            if (gain > best_gain) {
                best_gain = gain;
                best = i;
                before_best = before;
            }
            before = i;
        }
        if (best_gain <= 0 && count <= LCAP_MAX_GROUPS)
            break;
        merge_next(grouper, best);
        count--;
        struct histogram *merged = &grouper->histograms[best];
        if (merged->next != best)
            merged->merged_cost = cost_of(grouper, merged, &grouper->histograms[merged->next]);
        if (best != head) {
            struct histogram *left = &grouper->histograms[before_best];
            left->merged_cost = cost_of(grouper, left, merged);
        }
    }
    return count;
}

static uint8_t group_of_context(const struct lcap_grouper *grouper, lcap_context context)
{
    return grouper->group[slot_of(context)];
}

uint32_t lcap_choose_groups(struct lcap_grouper *grouper, struct lcap_events_builder *events)
{
    memset(grouper->group, 0, sizeof grouper->group);
    count_tokens(grouper, events);
    uint32_t used = order_contexts(grouper);
    uint32_t count = 1;
    if (used != 0) {
        link_contexts(grouper, used);
        count = merge_contexts(grouper, used);
        uint8_t group = 0;
        for (uint32_t i = grouper->order[0];; i = grouper->histograms[i].next) {
            grouper->group[i] = group++;
            if (grouper->histograms[i].next == i)
                break;
        }
        for (uint32_t i = 0; i < used; i++) {
            uint32_t owner = grouper->order[i];
            while (grouper->owner[owner] != owner)
                owner = grouper->owner[owner];
            grouper->group[grouper->order[i]] = grouper->group[owner];
        }
    }
    for (uint32_t symbol = 1; symbol <= events->symbol_count; symbol++) {
        struct lcap_pending_symbol *entry = &events->symbols[symbol - 1];
        entry->group = group_of_context(grouper, symbol * 2);
        entry->end_group = group_of_context(grouper, symbol * 2 + 1);
    }
    return count;
}
