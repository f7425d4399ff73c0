/* What the program calls itself, and what it reads. */
#include "trace.h"

#include "lcap_layout.h"

#define AS_TEXT(x)   AS_TEXT_2(x)
#define AS_TEXT_2(x) #x

/* The format's numbers have a `u` behind them, so that they are said again here and compared. */
#define FORMAT_MAJOR 1
#define FORMAT_MINOR 1
_Static_assert(FORMAT_MAJOR == LCAP_VERSION_MAJOR, "the capture format's version has changed");
_Static_assert(FORMAT_MINOR == LCAP_VERSION_MINOR, "the capture format's version has changed");

const char *trace_version(void)
{
    return LUDUS_VERSION ", capture format " AS_TEXT(FORMAT_MAJOR) "." AS_TEXT(
        FORMAT_MINOR) ", database schema " LUDUS_SCHEMA_VERSION;
}
