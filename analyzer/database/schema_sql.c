/* The schema of databases, as the build embedded it. */
#include "schemas.h"
#include "trace.h"

const char *trace_schema_sql(void)
{
    return ludus_schema_capture_sql();
}
