/* Writes captures into files that are gone when they are closed. */
#include "input_fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(char *path, struct lcap_bytes bytes)
{
    int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, bytes.data, bytes.size), (ssize_t)bytes.size);
    ck_assert_int_eq(close(file), 0);
}

void input_open(struct input_fixture *fixture, struct capture_builder *builder, bool is_database,
                const struct trace_selection *selection)
{
    char capture[] = "/tmp/ludus-input-XXXXXX", database[64];
    const char *const paths[] = {capture};
    struct ludus_error error = {0};
    enum ludus_status status = LUDUS_OK;
    *fixture = (struct input_fixture){0};
    write_file(capture, builder_bytes(builder));
    builder_destroy(builder);
    (void)snprintf(database, sizeof database, "%s.db", capture);
    if (is_database)
        status = trace_import(paths, 1, NULL, database, NULL, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_open(is_database ? database : capture, 0, &fixture->input, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    (void)unlink(capture);
    status = trace_chosen_create(fixture->input, selection, &fixture->chosen, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    status = trace_input_model(fixture->input, TRACE_DETAIL_FACTS, &fixture->model, &error);
    ck_assert_msg(status == LUDUS_OK, "%s", error.message);
    (void)unlink(database);
}

void input_close(struct input_fixture *fixture)
{
    trace_chosen_destroy(&fixture->chosen);
    trace_close(fixture->input);
}
