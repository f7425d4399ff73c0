/* Chooses which time differences share a table of token frequencies.
 *
 * Differences in one context (before a given begin, or the length of a given scope's last part) are
 * alike, so that tables of their own code them shorter; but every table costs bytes. Contexts are
 * ordered by the mean size of their differences, and neighbours are merged as long as the bits that
 * two tables save are fewer than a table costs (agglomerative clustering with the description
 * length as its criterion). Sizes are told apart by half octaves here: with every token by itself,
 * the choice takes several times as long and saves nothing. */
#include <stdlib.h>
#include <string.h>

#include "lcap_encoder.h"

/* Contexts that are looked at one by one; those of later symbols share their slots. */
#define SLOTS        512u
#define SMALL_SLOTS  128u
#define SMALL_EVENTS 4096u

/* What a table costs, in 1/256 bit: a zstd frame's headers, its share for every bin used, and the
 * time that a frame takes whatever its size. Tried on captures of arena. */
#define COST_OF_TABLE (100u * 8u * 256u)
#define COST_OF_BIN   (10u * 256u)

/* A context with fewer differences than this cannot pay for a table, and goes to its neighbour. */
#define MIN_DIFFERENCES 64u

/* Contexts that share a table. */
struct lcap_unit {
    uint32_t cost;        /* of coding the tokens, table included, in 1/256 bit */
    uint32_t merged_cost; /* of this and the next one together */
    uint32_t total;
    uint32_t products;    /* sum of count * log2(count) over the bins, in 1/256 */
    uint16_t first, last; /* bins used lie between, both included */
    uint16_t next;        /* in order of the mean; own slot at the end */
    uint16_t owner;       /* the slot that this one was merged into; own slot otherwise */
    uint8_t group;
};

#define EIGHT(value) value, value, value, value, value, value, value, value
#define OCTAVE(bin)  bin, bin, bin, bin, bin + 1, bin + 1, bin + 1, bin + 1

const uint8_t lcap_bin_of_token[LCAP_TOKEN_COUNT] = {
    0,          1,          2,
    3,          4,          4,
    5,          5,          OCTAVE(6),
    EIGHT(8),   EIGHT(9),   EIGHT(10),
    EIGHT(10),  EIGHT(11),  EIGHT(11),
    OCTAVE(12), OCTAVE(14), OCTAVE(16),
    OCTAVE(18), OCTAVE(20), OCTAVE(22),
    OCTAVE(24), OCTAVE(26), OCTAVE(28),
    OCTAVE(30), OCTAVE(32), OCTAVE(34),
    OCTAVE(36), OCTAVE(38), OCTAVE(40),
    OCTAVE(42), OCTAVE(44), OCTAVE(46),
    OCTAVE(48), OCTAVE(50), OCTAVE(52),
    OCTAVE(54), OCTAVE(56), [LCAP_TOKEN_ESCAPE] = 58,
};

static uint32_t slot_count(const struct lcap_encoder_config *config)
{
    return config->max_events < SMALL_EVENTS ? SMALL_SLOTS : SLOTS;
}

size_t lcap_grouper_memory_bytes(const struct lcap_encoder_config *config)
{
    return slot_count(config) *
           (sizeof(struct lcap_bins) + sizeof(struct lcap_unit) + sizeof(uint32_t));
}

/* log2(value) for value > 0, in 1/256. */
static uint32_t log2_of(const struct lcap_grouper *grouper, uint32_t value)
{
    uint32_t exponent = 31u - (uint32_t)__builtin_clz(value);
    uint32_t mantissa = exponent >= 8 ? value >> (exponent - 8) : value << (8 - exponent);
    return exponent << 8 | grouper->log2[mantissa & 0xFFu];
}

/* Binary logarithms by repeated squaring, in integers, so that no maths library is needed. */
static void fill_tables(struct lcap_grouper *grouper)
{
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
    for (uint32_t i = 1; i < 256; i++)
        grouper->small_product[i] = i * log2_of(grouper, i);
}

enum ludus_status lcap_grouper_create(struct lcap_encoder *encoder)
{
    struct lcap_grouper *grouper = &encoder->grouper;
    grouper->slot_count = slot_count(&encoder->config);
    size_t slots = grouper->slot_count;
    grouper->bins = lcap_allocate(slots * sizeof *grouper->bins);
    grouper->units = lcap_allocate(slots * sizeof *grouper->units);
    grouper->order = lcap_allocate(slots * sizeof *grouper->order);
    if (grouper->bins == NULL || grouper->units == NULL || grouper->order == NULL)
        return LUDUS_ERROR_MEMORY;
    fill_tables(grouper);
    return LUDUS_OK;
}

void lcap_grouper_destroy(struct lcap_encoder *encoder)
{
    free(encoder->grouper.bins);
    free(encoder->grouper.units);
    free(encoder->grouper.order);
}

/* count * log2(count), in 1/256; a block's largest count makes 2^28. */
static inline uint32_t product_of(const struct lcap_grouper *grouper, uint32_t count)
{
    return count < 256 ? grouper->small_product[count] : count * log2_of(grouper, count);
}

static uint32_t cost_of(const struct lcap_grouper *grouper, uint32_t total, uint32_t products,
                        uint32_t bins)
{
    return COST_OF_TABLE + bins * COST_OF_BIN + product_of(grouper, total) - products;
}

/* The bits that a table of the sum of two units needs. */
static uint32_t merged_cost_of(const struct lcap_grouper *grouper, uint32_t a, uint32_t b)
{
    const struct lcap_unit *left = &grouper->units[a];
    const struct lcap_unit *right = &grouper->units[b];
    const uint16_t *left_count = grouper->bins[a].count;
    const uint16_t *right_count = grouper->bins[b].count;
    uint32_t first = left->first < right->first ? left->first : right->first;
    uint32_t last = left->last > right->last ? left->last : right->last;
    uint32_t products = 0, bins = 0;
    for (uint32_t bin = first; bin <= last; bin++) {
        uint32_t count = (uint32_t)left_count[bin] + right_count[bin];
        products += product_of(grouper, count);
        bins += count != 0;
    }
    return cost_of(grouper, left->total + right->total, products, bins);
}

/* Looks at the bins of a slot. Returns the mean bin in 1/1024, or UINT32_MAX for an unused slot. */
static uint32_t measure(struct lcap_grouper *grouper, uint32_t slot)
{
    const uint16_t *count = grouper->bins[slot].count;
    struct lcap_unit unit = {.owner = (uint16_t)slot, .first = LCAP_BIN_COUNT};
    uint64_t sum = 0;
    uint32_t bins = 0;
    for (uint32_t bin = 0; bin < LCAP_BIN_COUNT; bin++) {
        if (count[bin] == 0)
            continue;
        unit.first = unit.first == LCAP_BIN_COUNT ? (uint16_t)bin : unit.first;
        unit.last = (uint16_t)bin;
        unit.total += count[bin];
        unit.products += product_of(grouper, count[bin]);
        sum += (uint64_t)count[bin] * bin;
        bins++;
    }
    if (unit.total == 0)
        return UINT32_MAX;
    unit.cost = cost_of(grouper, unit.total, unit.products, bins);
    grouper->units[slot] = unit;
    return (uint32_t)(sum * 1024u / unit.total);
}

/* Lists the slots that are in use among the first `slots`, by rising mean. */
static uint32_t order_slots(struct lcap_grouper *grouper, uint32_t slots)
{
    uint32_t count = 0;
    for (uint32_t slot = 0; slot < slots; slot++) {
        uint32_t mean = measure(grouper, slot);
        if (mean == UINT32_MAX)
            continue;
        /* The mean is below 2^16, a slot's number below 2^16. */
        uint32_t key = mean << 16 | slot;
        uint32_t place = count++;
        for (; place > 0 && grouper->order[place - 1] > key; place--)
            grouper->order[place] = grouper->order[place - 1];
        grouper->order[place] = key;
    }
    for (uint32_t i = 0; i < count; i++)
        grouper->order[i] &= 0xFFFFu;
    return count;
}

/* Adds unit `b` to unit `a`, whose merged cost is known, or is not needed yet. */
static void merge(struct lcap_grouper *grouper, uint32_t a, uint32_t b)
{
    struct lcap_unit *left = &grouper->units[a];
    const struct lcap_unit *right = &grouper->units[b];
    uint16_t *count = grouper->bins[a].count;
    for (uint32_t bin = right->first; bin <= right->last; bin++)
        count[bin] = (uint16_t)(count[bin] + grouper->bins[b].count[bin]);
    left->total += right->total;
    left->first = right->first < left->first ? right->first : left->first;
    left->last = right->last > left->last ? right->last : left->last;
    left->cost = left->merged_cost;
    left->next = right->next == b ? (uint16_t)a : right->next;
    grouper->units[b].owner = (uint16_t)a;
}

/* Makes the first units, each of enough differences, and links them. Returns how many. */
static uint32_t link_units(struct lcap_grouper *grouper, uint32_t used)
{
    uint32_t last = grouper->order[0], count = 1;
    uint32_t before = last;
    for (uint32_t i = 1; i < used; i++) {
        uint32_t slot = grouper->order[i];
        grouper->units[last].next = (uint16_t)slot;
        grouper->units[slot].next = (uint16_t)slot;
        grouper->units[last].merged_cost = merged_cost_of(grouper, last, slot);
        if (grouper->units[last].total < MIN_DIFFERENCES ||
            grouper->units[slot].total < MIN_DIFFERENCES) {
            merge(grouper, last, slot);
            if (before != last)
                grouper->units[before].merged_cost = merged_cost_of(grouper, before, last);
        } else {
            before = last;
            last = slot;
            count++;
        }
    }
    grouper->units[last].next = (uint16_t)last;
    return count;
}

/* Merges neighbours until no merge pays and there are few enough. */
static uint32_t merge_units(struct lcap_grouper *grouper, uint32_t count)
{
    struct lcap_unit *units = grouper->units;
    uint32_t head = grouper->order[0];
    while (count > 1) {
        int64_t best_gain = INT64_MIN;
        uint32_t best = head, before_best = head, before = head;
        for (uint32_t i = head; units[i].next != i; i = units[i].next) {
            int64_t gain =
                (int64_t)units[i].cost + units[units[i].next].cost - (int64_t)units[i].merged_cost;
            if (gain > best_gain) {
                best_gain = gain;
                best = i;
                before_best = before;
            }
            before = i;
        }
        if (best_gain <= 0 && count <= LCAP_MAX_BLOCK_GROUPS)
            break;
        merge(grouper, best, units[best].next);
        count--;
        if (units[best].next != best)
            units[best].merged_cost = merged_cost_of(grouper, best, units[best].next);
        if (best != head)
            units[before_best].merged_cost = merged_cost_of(grouper, before_best, best);
    }
    return count;
}

/* Nearly all differences are of one size: stretches of them may repeat, which frequencies alone do
 * not show. */
static bool is_narrow(const struct lcap_bins *bins, const struct lcap_unit *unit)
{
    for (uint32_t bin = unit->first; bin <= unit->last; bin++)
        if (bins->count[bin] >= unit->total - unit->total / 4)
            return true;
    return false;
}

/* Numbers the units that are left, and gives every slot the number of its own. */
static void number_groups(struct lcap_grouper *grouper, uint32_t used,
                          struct lcap_group groups[LCAP_MAX_BLOCK_GROUPS])
{
    struct lcap_unit *units = grouper->units;
    uint8_t group = 0;
    for (uint32_t i = grouper->order[0];; i = units[i].next) {
        groups[group] = (struct lcap_group){.size = units[i].total,
                                            .is_narrow = is_narrow(&grouper->bins[i], &units[i])};
        units[i].group = group++;
        if (units[i].next == i)
            break;
    }
    for (uint32_t i = 0; i < used; i++) {
        uint32_t owner = grouper->order[i];
        while (units[owner].owner != owner)
            owner = units[owner].owner;
        units[grouper->order[i]].group = units[owner].group;
    }
}

uint32_t lcap_choose_groups(struct lcap_encoder *encoder,
                            struct lcap_group groups[LCAP_MAX_BLOCK_GROUPS])
{
    struct lcap_grouper *grouper = &encoder->grouper;
    struct lcap_events_builder *events = &encoder->events;
    uint32_t contexts = 2 * (events->symbol_count + 1);
    uint32_t slots = contexts < grouper->slot_count ? contexts : grouper->slot_count;
    uint32_t used = order_slots(grouper, slots);
    memset(groups, 0, LCAP_MAX_BLOCK_GROUPS * sizeof *groups);
    memset(events->groups, 0, contexts);
    uint32_t count = 1;
    if (used != 0) {
        count = merge_units(grouper, link_units(grouper, used));
        number_groups(grouper, used, groups);
        for (uint32_t i = 0; i < used; i++)
            for (uint32_t context = grouper->order[i]; context < contexts; context += slots)
                events->groups[context] = grouper->units[grouper->order[i]].group;
    }
    memset(grouper->bins, 0, slots * sizeof *grouper->bins);
    return count;
}
