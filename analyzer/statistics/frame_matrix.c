/* Holds sums by subject and frame, and ranks the frames of a subject. */
#include "frame_matrix.h"

#include <stdlib.h>
#include <string.h>

uint32_t trace_frame_matrix_room(uint32_t frames, size_t budget_bytes)
{
    size_t sorted_bytes = (size_t)frames * sizeof(struct trace_ranked);
    size_t row_bytes = (size_t)frames * sizeof(int64_t);
    if (frames == 0)
        return UINT32_MAX;
    if (budget_bytes < sorted_bytes + row_bytes)
        return 1;
    size_t room = (budget_bytes - sorted_bytes) / row_bytes;
    return room < UINT32_MAX ? (uint32_t)room : UINT32_MAX;
}

bool trace_frame_matrix_create(struct trace_frame_matrix *matrix, uint32_t subjects,
                               uint32_t frames)
{
    *matrix = (struct trace_frame_matrix){.subjects = subjects, .frames = frames};
    if (frames != 0 && subjects > SIZE_MAX / sizeof *matrix->values / frames)
        return false;
    size_t cells = (size_t)subjects * frames;
    matrix->values = calloc(cells == 0 ? 1 : cells, sizeof *matrix->values);
    matrix->sorted = malloc(((size_t)frames + 1) * sizeof *matrix->sorted);
    if (matrix->values != NULL && matrix->sorted != NULL)
        return true;
    trace_frame_matrix_destroy(matrix);
    return false;
}

void trace_frame_matrix_clear(struct trace_frame_matrix *matrix)
{
    memset(matrix->values, 0, (size_t)matrix->subjects * matrix->frames * sizeof *matrix->values);
}

void trace_frame_matrix_destroy(struct trace_frame_matrix *matrix)
{
    free(matrix->values);
    free(matrix->sorted);
    *matrix = (struct trace_frame_matrix){0};
}

uint32_t trace_frame_matrix_sort(struct trace_frame_matrix *matrix, uint32_t subject,
                                 const bool *is_counted)
{
    uint32_t count = 0;
    for (uint32_t frame = 0; frame < matrix->frames; frame++)
        if (is_counted == NULL || is_counted[frame])
            matrix->sorted[count++] =
                (struct trace_ranked){trace_frame_matrix_value(matrix, subject, frame), frame};
    trace_ranked_sort(matrix->sorted, count);
    matrix->sorted_count = count;
    return count;
}
