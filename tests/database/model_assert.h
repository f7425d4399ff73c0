/* Holds two models against each other, member by member. */
#ifndef MODEL_ASSERT_H
#define MODEL_ASSERT_H

#include "model.h"

/* All that a database keeps of a model; fails with the first difference. */
void model_assert_equal(const struct trace_model *a, const struct trace_model *b);

#endif
