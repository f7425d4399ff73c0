/* Under which conditions the processor's counter is taken for the clock of a recording. */
#ifndef LUDUS_CLOCK_CONTRACT_H
#define LUDUS_CLOCK_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What was found. Those from `kernel_source` on are not known until the counter is tried. */
struct ludus_counter_look {
    bool is_known;     /* the processor has a counter that the recorder can read */
    bool is_invariant; /* by the processor's own word */
    bool is_allowed;   /* this process may read it */
    bool is_tried;
    char kernel_source[64];     /* of the kernel's clock; empty: not known */
    bool is_trusted;            /* by the kernel: that source is the counter, or made of it */
    uint64_t kernel_reading_ns; /* what reading the kernel's clock takes */
    uint32_t cores;             /* that the process may use; */
    uint32_t asked;             /* those of them that came to compare the counter in time */
    bool has_gone_back;         /* between two of these */
};

enum ludus_counter_verdict {
    LUDUS_COUNTER_FIT,
    LUDUS_COUNTER_UNTRIED, /* nothing is against it by now */
    LUDUS_COUNTER_UNKNOWN,
    LUDUS_COUNTER_NOT_INVARIANT,
    LUDUS_COUNTER_FORBIDDEN,
    LUDUS_COUNTER_NOT_TRUSTED,
    LUDUS_COUNTER_KERNEL_CALL,
    LUDUS_COUNTER_NOT_COMPARED,
    LUDUS_COUNTER_STEPPED_BACK
};

/* Reads nothing but what the processor says of its counter. */
void ludus_counter_look_at_processor(struct ludus_counter_look *look);

/* Looks at the rest, up to the first fault. Some milliseconds; the counter must be allowed. */
void ludus_counter_try(struct ludus_counter_look *look);

/* Whether the counter may be used. `reason` is what was checked and how it came out, in words. */
enum ludus_counter_verdict ludus_counter_judge(const struct ludus_counter_look *look, char *reason,
                                               size_t capacity);

/* The word for it in captures (format/FORMAT.md, section 2.1); NULL when the verdict finds no fault
 * in a counter. */
const char *ludus_counter_fault_name(enum ludus_counter_verdict verdict);

/* Has cores pass the counter around, and fills in how many and whether it went back. On a busy
 * machine not all come to it in time. */
void ludus_counter_compare_cores(struct ludus_counter_look *look);

#endif
