/* The kernel's own clock_gettime, which a process finds in its memory. */
#ifndef LUDUS_VDSO_CLOCK_H
#define LUDUS_VDSO_CLOCK_H

#include <time.h>

typedef int ludus_clock_gettime_fn(clockid_t clock, struct timespec *now);

/* The function in the vDSO that the C library's clock_gettime calls; NULL: it cannot be found, as
 * on other architectures than x86-64 and aarch64. Takes no lock: looks only at memory that does not
 * change. */
ludus_clock_gettime_fn *ludus_vdso_clock_gettime(void);

#endif
