/* Compares trace_import with its floor: a bare loop of prepared inserts of the same rows, columns
 * and index statements, under the same settings, in the same run.
 *
 * import_floor CAPTURE [FOLDER]: FOLDER (default: the working folder) is where the two databases
 * are written, and removed again. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <sqlite3.h>

#include "database_schema.h"
#include "database_writer.h"
#include "trace.h"

#define BATCH_ROWS  1024u
#define MAX_COLUMNS 64
#define MAX_TABLES  64

static void fail(const char *what, const char *why)
{
    (void)fprintf(stderr, "import_floor: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

static void check(sqlite3 *connection, int status)
{
    if (status != SQLITE_OK)
        fail("SQLite", sqlite3_errmsg(connection));
}

/* Processor time is that of one core which nothing else uses; the time on the wall is shorter where
 * threads share the work, and longer on a busy machine. */
struct spent {
    double wall_s;
    double cpu_s;
};

static double seconds_of(clockid_t clock)
{
    struct timespec time;

    (void)clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static struct spent now(void)
{
    return (struct spent){seconds_of(CLOCK_MONOTONIC), seconds_of(CLOCK_PROCESS_CPUTIME_ID)};
}

static void add_since(struct spent *spent, struct spent begin)
{
    struct spent end = now();

    spent->wall_s += end.wall_s - begin.wall_s;
    spent->cpu_s += end.cpu_s - begin.cpu_s;
}

/* Rows that wait in memory, so that reading them is not part of the time. Plain integers, as a loop
 * has them that makes nothing else. */
struct batch {
    int64_t integers[BATCH_ROWS][MAX_COLUMNS];
    sqlite3_value *others[BATCH_ROWS][MAX_COLUMNS]; /* text and reals; NULL: an integer */
    bool nulls[BATCH_ROWS][MAX_COLUMNS];
    unsigned rows;
};

struct floor {
    sqlite3 *source;
    sqlite3 *target;
    struct spent spent;
    struct spent index; /* part of it: indexes and commit */
    uint64_t rows;
    struct batch batch;
};

static void read_value(struct batch *batch, sqlite3_stmt *select, int column)
{
    unsigned row = batch->rows;
    int type = sqlite3_column_type(select, column);

    batch->nulls[row][column] = type == SQLITE_NULL;
    batch->integers[row][column] = sqlite3_column_int64(select, column);
    batch->others[row][column] = NULL;
    if (type == SQLITE_NULL || type == SQLITE_INTEGER)
        return;
    batch->others[row][column] = sqlite3_value_dup(sqlite3_column_value(select, column));
    if (batch->others[row][column] == NULL)
        fail("memory", "there is none");
}

static void read_batch(struct batch *batch, sqlite3_stmt *select)
{
    int columns = sqlite3_column_count(select);

    batch->rows = 0;
    while (batch->rows < BATCH_ROWS && sqlite3_step(select) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++)
            read_value(batch, select, i);
        batch->rows++;
    }
}

/* What is measured. */
static void insert_batch(struct floor *floor, sqlite3_stmt *insert, int columns)
{
    const struct batch *batch = &floor->batch;
    struct spent begin = now();

    for (unsigned row = 0; row < batch->rows; row++) {
        for (int i = 0; i < columns; i++) {
            if (batch->nulls[row][i])
                (void)sqlite3_bind_null(insert, i + 1);
            else if (batch->others[row][i] == NULL)
                (void)sqlite3_bind_int64(insert, i + 1, batch->integers[row][i]);
            else
                (void)sqlite3_bind_value(insert, i + 1, batch->others[row][i]);
        }
        (void)sqlite3_step(insert);
        check(floor->target, sqlite3_reset(insert));
    }
    add_since(&floor->spent, begin);
    floor->rows += batch->rows;
}

static void free_batch(struct batch *batch, int columns)
{
    for (unsigned row = 0; row < batch->rows; row++) {
        for (int i = 0; i < columns; i++)
            sqlite3_value_free(batch->others[row][i]);
    }
}

static void copy_table(struct floor *floor, const char *table)
{
    char *select_sql = sqlite3_mprintf("SELECT * FROM %s", table);
    sqlite3_str *insert_sql = sqlite3_str_new(NULL);
    sqlite3_stmt *select;
    sqlite3_stmt *insert;
    char *text;
    int columns;

    check(floor->source, sqlite3_prepare_v2(floor->source, select_sql, -1, &select, NULL));
    columns = sqlite3_column_count(select);
    if (columns > MAX_COLUMNS)
        fail(table, "has too many columns");
    sqlite3_str_appendf(insert_sql, "INSERT INTO %s VALUES (?", table);
    for (int i = 1; i < columns; i++)
        sqlite3_str_appendall(insert_sql, ",?");
    sqlite3_str_appendall(insert_sql, ")");
    text = sqlite3_str_finish(insert_sql);
    check(floor->target,
          sqlite3_prepare_v3(floor->target, text, -1, SQLITE_PREPARE_PERSISTENT, &insert, NULL));
    do {
        read_batch(&floor->batch, select);
        insert_batch(floor, insert, columns);
        free_batch(&floor->batch, columns);
    } while (floor->batch.rows == BATCH_ROWS);
    check(floor->target, sqlite3_finalize(insert));
    check(floor->source, sqlite3_finalize(select));
    sqlite3_free(select_sql);
    sqlite3_free(text);
}

static void copy_tables(struct floor *floor)
{
    sqlite3_stmt *tables;
    char names[MAX_TABLES][64];
    int count = 0;

    check(floor->source,
          sqlite3_prepare_v2(floor->source,
                             "SELECT name FROM sqlite_schema WHERE type = 'table' AND "
                             "name NOT LIKE 'sqlite_%'",
                             -1, &tables, NULL));
    while (sqlite3_step(tables) == SQLITE_ROW) {
        if (count == MAX_TABLES)
            fail("schema", "has too many tables");
        sqlite3_snprintf(sizeof names[0], names[count++], "%s", sqlite3_column_text(tables, 0));
    }
    check(floor->source, sqlite3_finalize(tables));
    for (int i = 0; i < count; i++)
        copy_table(floor, names[i]);
}

static void run_floor(struct floor *floor, const char *source_path, const char *path)
{
    struct spent begin;

    check(floor->source, sqlite3_open_v2(source_path, &floor->source, SQLITE_OPEN_READONLY, NULL));
    check(floor->target,
          sqlite3_open_v2(path, &floor->target,
                          SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, NULL));
    check(floor->target,
          sqlite3_exec(floor->target, trace_database_bulk_settings, NULL, NULL, NULL));
    check(floor->target, sqlite3_exec(floor->target, "BEGIN", NULL, NULL, NULL));
    check(floor->target, trace_database_create(floor->target, TRACE_SCHEMA_TABLES));
    copy_tables(floor);
    begin = now();
    check(floor->target, trace_database_create(floor->target, TRACE_SCHEMA_INDEXES));
    check(floor->target, sqlite3_exec(floor->target, "COMMIT", NULL, NULL, NULL));
    check(floor->target, sqlite3_close(floor->target));
    add_since(&floor->index, begin);
    add_since(&floor->spent, begin);
    check(floor->source, sqlite3_close(floor->source));
}

static long peak_kib(void)
{
    struct rusage usage;

    (void)getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void report(const char *name, struct spent spent, uint64_t rows)
{
    (void)printf("%-6s %9.0f rows/s  %6.2f s of processor time, %6.2f s on the wall", name,
                 (double)rows / spent.cpu_s, spent.cpu_s, spent.wall_s);
}

int main(int argc, char **argv)
{
    const char *folder = argc > 2 ? argv[2] : ".";
    struct floor *floor = calloc(1, sizeof *floor);
    char import_path[512];
    char floor_path[512];
    struct ludus_error error;
    struct stat facts;
    struct spent import = {0};
    struct spent begin;
    long import_kib;

    if (argc < 2 || floor == NULL)
        fail("usage", "import_floor CAPTURE [FOLDER]");
    (void)snprintf(import_path, sizeof import_path, "%s/import_floor-1.db", folder);
    (void)snprintf(floor_path, sizeof floor_path, "%s/import_floor-2.db", folder);
    (void)unlink(floor_path);
    begin = now();
    if (trace_import((const char *const[]){argv[1]}, 1, NULL, import_path, NULL, &error) !=
        LUDUS_OK)
        fail("import", error.message);
    add_since(&import, begin);
    import_kib = peak_kib();
    run_floor(floor, import_path, floor_path);
    if (stat(import_path, &facts) != 0)
        fail(import_path, "is gone");
    report("import", import, floor->rows);
    (void)printf(", peak %ld MiB\n", import_kib / 1024);
    report("floor", floor->spent, floor->rows);
    (void)printf(", indexes and commit %.2f s\n", floor->index.cpu_s);
    (void)printf(
        "import reaches %.0f %% of the floor, %.0f %% by the clock on the wall: %llu rows, "
        "%.1f bytes a row in the database\n",
        100 * floor->spent.cpu_s / import.cpu_s, 100 * floor->spent.wall_s / import.wall_s,
        (unsigned long long)floor->rows, (double)facts.st_size / (double)floor->rows);
    (void)unlink(import_path);
    (void)unlink(floor_path);
    free(floor);
    return EXIT_SUCCESS;
}
