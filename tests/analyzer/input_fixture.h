/* Inputs of captures that a test builds: the file's, or that of the database made of it. */
#ifndef INPUT_FIXTURE_H
#define INPUT_FIXTURE_H

#include "golden_fixture.h"
#include "selection.h"

struct input_fixture {
    struct trace_input *input;
    struct trace_chosen chosen;
    const struct trace_model *model;
};

/* Takes the builder over. The selection is looked up in the input. */
void input_open(struct input_fixture *fixture, struct capture_builder *builder, bool is_database,
                const struct trace_selection *selection);
void input_close(struct input_fixture *fixture);

#endif
