/* The schemas that are built into the program. */
#ifndef LUDUS_SCHEMAS_H
#define LUDUS_SCHEMAS_H

/* The text of schemas/capture.sql. */
const char *ludus_schema_capture_sql(void);

/* The text of schemas/diff-config.schema.json. */
const char *ludus_schema_diff_config(void);

#endif
