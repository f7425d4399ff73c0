/* Looks at whether the processor's counter can be trusted: to be of one rate, the same on all
 * cores, and what the kernel itself goes by. */
#include "clock_contract.h"

#include <stdio.h>
#include <string.h>
#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/prctl.h>
#endif

#include "machine_facts.h"
#include "recorder_clock.h"

#define SYSCALL_NS 200u /* a reading of the kernel's clock that takes longer is a call */

void ludus_counter_look_at_processor(struct ludus_counter_look *look)
{
    *look = (struct ludus_counter_look){
        .is_known = LUDUS_HAS_COUNTER, .is_invariant = true, .is_allowed = true};
    /* The generic timer is invariant by its architecture. */
#if defined(__x86_64__) && !defined(LUDUS_TEST_COUNTER)
    /* AMD64 manual, CPUID Fn8000_0007: TscInvariant. */
    unsigned eax, ebx, ecx, edx = 0;
    int mode = PR_TSC_ENABLE;
    look->is_invariant =
        __get_cpuid(0x80000007u, &eax, &ebx, &ecx, &edx) != 0 && (edx >> 8 & 1) != 0;
    look->is_allowed = prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
#endif
}

/* The fastest of some readings: the others were interrupted. */
static uint64_t kernel_reading_ns(void)
{
    uint64_t fastest = UINT64_MAX;
    uint64_t last = ludus_clock_monotonic_ns();
    for (int i = 0; i < 100; i++) {
        const uint64_t now = ludus_clock_monotonic_ns();
        if (now > last && now - last < fastest)
            fastest = now - last;
        last = now;
    }
    return fastest;
}

static void look_at_kernel(struct ludus_counter_look *look)
{
    static const char *const trusted[] = {"tsc", "kvm-clock", "hyperv_clocksource_tsc_page",
                                          "arch_sys_counter"};
    ludus_read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource",
                    look->kernel_source, sizeof look->kernel_source);
    look->kernel_source[strcspn(look->kernel_source, "\n")] = '\0';
#if defined(LUDUS_TEST_COUNTER)
    look->is_trusted = true; /* the machine does not matter */
    return;
#endif
    for (size_t i = 0; i < sizeof trusted / sizeof trusted[0]; i++)
        look->is_trusted = look->is_trusted || strcmp(look->kernel_source, trusted[i]) == 0;
    look->kernel_reading_ns = kernel_reading_ns();
}

void ludus_counter_try(struct ludus_counter_look *look)
{
    look->is_tried = true;
    look_at_kernel(look);
    if (look->is_trusted && look->kernel_reading_ns < SYSCALL_NS)
        ludus_counter_compare_cores(look);
}

static enum ludus_counter_verdict verdict_of(const struct ludus_counter_look *look)
{
    if (!look->is_known)
        return LUDUS_COUNTER_UNKNOWN;
    if (!look->is_invariant)
        return LUDUS_COUNTER_NOT_INVARIANT;
    if (!look->is_allowed)
        return LUDUS_COUNTER_FORBIDDEN;
    if (!look->is_tried)
        return LUDUS_COUNTER_UNTRIED;
    if (!look->is_trusted)
        return LUDUS_COUNTER_NOT_TRUSTED;
    if (look->kernel_reading_ns >= SYSCALL_NS)
        return LUDUS_COUNTER_KERNEL_CALL;
    if (look->asked == 0)
        return LUDUS_COUNTER_NOT_COMPARED;
    return look->has_gone_back ? LUDUS_COUNTER_STEPPED_BACK : LUDUS_COUNTER_FIT;
}

/* "%s" is the kernel's clock source. */
static const struct {
    const char *name;
    const char *reason;
} words[] = {
    [LUDUS_COUNTER_FIT] = {NULL, "invariant; the kernel's clock source is %s"},
    [LUDUS_COUNTER_UNTRIED] = {NULL, ""},
    [LUDUS_COUNTER_UNKNOWN] = {NULL, "no counter is known of this processor"},
    [LUDUS_COUNTER_NOT_INVARIANT] = {"not-invariant", "the counter is not invariant"},
    [LUDUS_COUNTER_FORBIDDEN] = {"forbidden", "the process may not read the counter"},
    [LUDUS_COUNTER_NOT_TRUSTED] = {"kernel-source", "the kernel's clock source is %s"},
    [LUDUS_COUNTER_KERNEL_CALL] = {"kernel-call", "the kernel's clock source is %s, and takes a "
                                                  "system call to be read"},
    [LUDUS_COUNTER_NOT_COMPARED] = {"not-compared", "no core came to compare the counter in time"},
    [LUDUS_COUNTER_STEPPED_BACK] = {"stepped-back", "the counter stepped back between cores"},
};

enum ludus_counter_verdict ludus_counter_judge(const struct ludus_counter_look *look, char *reason,
                                               size_t capacity)
{
    const enum ludus_counter_verdict verdict = verdict_of(look);
    const char *source = look->kernel_source[0] != '\0' ? look->kernel_source : "not known";
    const char *text = words[verdict].reason;
    const char *place = strstr(text, "%s");
    if (place != NULL)
        snprintf(reason, capacity, "%.*s%s%s", (int)(place - text), text, source, place + 2);
    else
        snprintf(reason, capacity, "%s", text);
    const size_t size = strlen(reason);
    if (verdict == LUDUS_COUNTER_FIT)
        snprintf(reason + size, capacity - size, "; it never stepped back on %u of %u cores",
                 (unsigned)look->asked, (unsigned)look->cores);
    return verdict;
}

const char *ludus_counter_fault_name(enum ludus_counter_verdict verdict)
{
    return words[verdict].name;
}
