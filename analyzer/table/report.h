/* The one shape of every answer: tables of typed columns. Reports are made with these functions and
 * shown by the renderers (render_*.c); JSON Schemas and the docs' column lists come from the same
 * column tables. Private to the analyzer. */
#ifndef TRACE_REPORT_H
#define TRACE_REPORT_H

#include "trace.h"

enum trace_type {
    TRACE_TYPE_TEXT,
    TRACE_TYPE_INTEGER, /* int64_t */
    TRACE_TYPE_REAL     /* double, shown with a fixed number of decimals */
};

enum trace_unit {
    TRACE_UNIT_NONE,
    TRACE_UNIT_COUNT,
    TRACE_UNIT_NANOSECONDS, /* shown as us, ms or s in tables, as it is elsewhere */
    TRACE_UNIT_BYTES,       /* shown as KiB, MiB in tables */
    TRACE_UNIT_PERCENT,     /* 0 to 100 and beyond */
    TRACE_UNIT_PER_FRAME,   /* a count per frame */
    TRACE_UNIT_TICKS
};

/* Describes one column, with static storage. */
struct trace_column {
    const char
        *name; /* key in JSON and CSV: lower case, digits, '_'; ends in _ns for nanoseconds */
    const char *title; /* heading in tables and Markdown: short */
    enum trace_type type;
    enum trace_unit unit;
    int decimals;            /* REAL: 0 to 9 */
    const char *window;      /* over which part of the capture; NULL: not a statistic */
    const char *denominator; /* divided by what; NULL: not a quotient */
    const char *description; /* one sentence, for schemas and docs */
    bool is_position;        /* INTEGER, nanoseconds: when, which people see all digits of */
    bool is_detail;          /* in JSON and CSV only: tables for people leave it out */
    bool is_for_people;      /* in tables for people only: JSON, CSV and schemas leave it out */
    bool is_indented;        /* TEXT: dots in front, ". ", show a level, and are not cut off */
    bool is_cut_last;        /* TEXT: words, of which a part says nothing: others are cut first */
    bool is_left_out_when_same; /* people are not shown it when all rows have the same text, or none
                                   has one; of numbers: when all are 0 or null */
    const char *tells_apart; /* a detail, unless rows differ in it that are the same in the columns
                                of these names, with spaces between */
    const char *stands_in_for; /* a detail, unless the column of this name has no number but 0 */
};

/* Describes one table of a report, with static storage. */
struct trace_table_type {
    const char *name;  /* key in JSON */
    const char *title; /* heading */
    const struct trace_column *columns;
    size_t column_count;
    size_t line_width; /* columns that lines of a table for people are fitted into; 0: as usual */
    bool is_record;    /* has one row; tables for people show it as lines of name and value */
    bool is_left_out_when_empty; /* without rows and notes people are not shown it at all */
    bool is_detail;              /* in JSON and CSV only */
    bool is_list;      /* of texts: people are shown each row as "a: b" on lines that wrap */
    bool is_folded;    /* Markdown shows its heading, and the rest on demand */
    const char *shown; /* the columns that people see, spaces between; NULL: all but details */
};

/* A table type whose columns are an array in sight. */
#define TRACE_TABLE(table_name, table_title, table_columns)                                        \
    {                                                                                              \
        .name = table_name, .title = table_title, .columns = table_columns,                        \
        .column_count = sizeof(table_columns) / sizeof(table_columns)[0]                           \
    }

/* Columns of the screen that reports for people are made for. */
#define TRACE_SCREEN_WIDTH 100u

/* Describes one report, with static storage. */
struct trace_report_type {
    const char *name;
    int version; /* of its JSON; raised when a name changes meaning or goes */
    const struct trace_table_type *tables;
    size_t table_count;
    size_t main_table; /* what CSV shows when the report does not say */
    uint32_t width;    /* that tables for people are fitted into; 0: what the renderer takes */
};

/* The reports that there are; what trace_schema_json and the docs' test walk. NULL behind the last.
 */
extern const struct trace_report_type *const trace_report_types[];

LUDUS_CHECKED enum ludus_status trace_report_create(const struct trace_report_type *type,
                                                    struct trace_report **report,
                                                    struct ludus_error *error);

/* Appends a row to the table with this index in the type; its cells are then set one by one from
 * the left. Cells that are not set are null. The first failure (memory) is kept and returned by
 * trace_report_finish, so that callers check once. Text is copied; it may hold any bytes. */
void trace_report_row(struct trace_report *report, size_t table);
void trace_report_text(struct trace_report *report, const char *text, size_t size);
void trace_report_string(struct trace_report *report, const char *text); /* zero-terminated */
void trace_report_integer(struct trace_report *report, int64_t value);
void trace_report_real(struct trace_report *report, double value);
void trace_report_null(struct trace_report *report);
/* The cell could not be made: there was no memory. */
void trace_report_fail(struct trace_report *report);

/* Makes rows when they are shown, so that many need no memory. `make` sets the cells of one row as
 * those of kept rows are set, from the left; it may be called several times for a row, in any
 * order. */
struct trace_row_maker {
    void *context;
    void (*make)(void *context, struct trace_report *report, size_t row);
    void (*destroy)(void *context); /* with the report; may be NULL */
};

/* Gives a table without rows `count` of them. The maker belongs to the report from then on. */
void trace_report_make_rows(struct trace_report *report, size_t table, size_t count,
                            struct trace_row_maker maker);

/* Adds a sentence shown under a table (which window, which denominator, what is left out). */
void trace_report_note(struct trace_report *report, size_t table, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Puts the answer in one line above all tables for people. Text is copied. */
void trace_report_set_headline(struct trace_report *report, const char *text);

/* Makes another table the one that CSV shows. */
void trace_report_set_main(struct trace_report *report, size_t table);

LUDUS_CHECKED enum ludus_status trace_report_finish(struct trace_report *report,
                                                    struct ludus_error *error);

/* Ends the making of a report: finishes it when `status`, that of making it, is LUDUS_OK, and hands
 * it over; otherwise, or when that fails, releases it. Returns the status. */
LUDUS_CHECKED enum ludus_status trace_report_deliver(struct trace_report *report,
                                                     enum ludus_status status,
                                                     struct trace_report **out,
                                                     struct ludus_error *error);

/* --- for the renderers ----------------------------------------------------------------------- */

struct trace_cell {
    enum { TRACE_CELL_NULL, TRACE_CELL_TEXT, TRACE_CELL_INTEGER, TRACE_CELL_REAL } kind;
    union {
        struct {
            const char *data;
            size_t size;
        } text;
        int64_t integer;
        double real;
    } as;
};

const struct trace_report_type *trace_report_get_type(const struct trace_report *report);
size_t trace_report_main(const struct trace_report *report);
size_t trace_report_row_count(const struct trace_report *report, size_t table);
/* A text in the cell is valid until another row of a table whose rows are made is asked for. */
struct trace_cell trace_report_cell(const struct trace_report *report, size_t table, size_t row,
                                    size_t column);
/* False when there was no memory for a row that was made. */
bool trace_report_is_whole(const struct trace_report *report);
/* Whether people are shown the table, and the column. */
bool trace_report_shows_table(const struct trace_report *report, size_t table);
bool trace_report_shows_column(const struct trace_report *report, size_t table, size_t column);
size_t trace_report_note_count(const struct trace_report *report, size_t table);
const char *trace_report_get_note(const struct trace_report *report, size_t table, size_t index);
/* NULL when there is none. */
const char *trace_report_headline(const struct trace_report *report);

#endif
