/* Takes the text of a window apart: [NAME=]frames:A..B, time:A..B, marks:A..B, last:N. */
#include <string.h>

#include "failure.h"
#include "trace.h"
#include "window.h"

/* A part of the text. */
struct piece {
    const char *at;
    const char *end;
};

static struct trace_text text_of(struct piece piece)
{
    return (struct trace_text){piece.at, (size_t)(piece.end - piece.at)};
}

static bool is_empty(struct piece piece)
{
    return piece.at == piece.end;
}

static bool starts_with(struct piece *piece, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(piece->end - piece->at) < size || memcmp(piece->at, word, size) != 0)
        return false;
    piece->at += size;
    return true;
}

static bool equals(struct piece piece, const char *word)
{
    return starts_with(&piece, word) && is_empty(piece);
}

/* Digits at the begin of a piece, at least one. */
static bool take_number(struct piece *piece, uint64_t *number)
{
    const char *first = piece->at;
    *number = 0;
    for (; piece->at < piece->end && *piece->at >= '0' && *piece->at <= '9'; piece->at++) {
        uint64_t digit = (uint64_t)(*piece->at - '0');
        if (*number > (UINT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return piece->at != first;
}

/* A time such as 2s, 16.6ms, 250us, 1.5min or 0, exactly, in nanoseconds. */
static bool take_time(struct piece piece, int64_t *time_ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1},
                 {"us", 1000},
                 {"ms", 1000000},
                 {"s", 1000000000},
                 {"min", UINT64_C(60000000000)},
                 {"h", UINT64_C(3600000000000)}};
    uint64_t whole, part_ns = 0;
    struct piece digits = {NULL, NULL};
    if (!take_number(&piece, &whole))
        return false;
    if (starts_with(&piece, ".")) {
        digits.at = piece.at;
        while (piece.at < piece.end && *piece.at >= '0' && *piece.at <= '9')
            piece.at++;
        digits.end = piece.at;
        if (is_empty(digits))
            return false;
    }
    if (is_empty(piece) && whole == 0 && digits.at == NULL) {
        *time_ns = 0;
        return true;
    }
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (!equals(piece, units[i].name))
            continue;
        uint64_t place_ns = units[i].ns;
        for (const char *digit = digits.at; digit != digits.end; digit++) {
            if ((place_ns == 0 || place_ns % 10 != 0) && *digit != '0')
                return false; /* finer than a nanosecond */
            place_ns /= 10;
            part_ns += (uint64_t)(*digit - '0') * place_ns;
        }
        if (whole > (uint64_t)(INT64_MAX / 2) / units[i].ns)
            return false;
        *time_ns = (int64_t)(whole * units[i].ns + part_ns);
        return true;
    }
    return false;
}

bool trace_parse_time(const char *text, int64_t *time_ns)
{
    return take_time((struct piece){text, text + strlen(text)}, time_ns);
}

/* Splits at "..": false when there is none. */
static bool split_range(struct piece piece, struct piece *first, struct piece *last)
{
    for (const char *at = piece.at; at + 2 <= piece.end; at++) {
        if (at[0] == '.' && at[1] == '.') {
            *first = (struct piece){piece.at, at};
            *last = (struct piece){at + 2, piece.end};
            return true;
        }
    }
    return false;
}

/* Whether a number is longer than any that fits: then that is wrong, and not its form. */
static bool has_long_number(struct piece piece)
{
    size_t digits = 0;
    for (const char *at = piece.at; at < piece.end && digits < 19; at++)
        digits = *at >= '0' && *at <= '9' ? digits + 1 : 0;
    return digits == 19;
}

/* What a range should have been. */
static enum ludus_status refuse(const char *text, const char *reason, struct ludus_error *error)
{
    return trace_fail(error, LUDUS_ERROR_ARGUMENT, "'%s' is no window: %s", text, reason);
}

/* One number is a range of one frame. */
static const char *parse_frames(struct piece piece, struct trace_window_spec *spec)
{
    static const char usage[] = "frames are a number or a range, such as frames:100..400";
    struct piece first = piece, last = piece;
    spec->kind = TRACE_SPEC_FRAMES;
    (void)split_range(piece, &first, &last);
    spec->has_begin = !is_empty(first);
    spec->has_end = !is_empty(last);
    if (spec->has_begin && (!take_number(&first, &spec->first) || !is_empty(first)))
        return usage;
    if (spec->has_end && (!take_number(&last, &spec->last) || !is_empty(last)))
        return usage;
    if (!spec->has_begin && !spec->has_end)
        return usage;
    if (spec->has_begin && spec->has_end && spec->last < spec->first)
        return "it ends before it begins";
    return NULL;
}

static const char *parse_time(struct piece piece, struct trace_window_spec *spec)
{
    static const char usage[] = "times have units (ns, us, ms, s, min, h), such as time:2s..5s";
    struct piece first, last;
    spec->kind = TRACE_SPEC_TIME;
    if (!split_range(piece, &first, &last))
        return usage;
    spec->has_begin = !is_empty(first);
    spec->has_end = !is_empty(last);
    if ((spec->has_begin && !take_time(first, &spec->begin_ns)) ||
        (spec->has_end && !take_time(last, &spec->end_ns)) || (!spec->has_begin && !spec->has_end))
        return usage;
    if (spec->has_begin && spec->has_end && spec->end_ns < spec->begin_ns)
        return "it ends before it begins";
    if (spec->has_begin && spec->has_end && spec->end_ns == spec->begin_ns)
        return "it is empty: its end is not part of it";
    return NULL;
}

/* Takes "#2" from the end of a name; what else follows a '#' is part of the name. False when it is
 * a number that no mark has. */
static bool take_occurrence(struct piece *name, uint64_t *occurrence)
{
    const char *end = name->end;
    while (end != name->at && end[-1] >= '0' && end[-1] <= '9')
        end--;
    if (end == name->end || end - name->at < 2 || end[-1] != '#')
        return true;
    struct piece digits = {end, name->end};
    name->end = end - 1;
    return take_number(&digits, occurrence) && *occurrence != 0;
}

/* The first ".." stands between the names. */
static const char *parse_marks(struct piece piece, struct trace_window_spec *spec)
{
    static const char usage[] = "marks are two names, such as marks:LevelLoad..LevelReady or, for "
                                "one of several, marks:LevelLoad#2..LevelReady";
    struct piece first, last;
    spec->kind = TRACE_SPEC_MARKS;
    if (!split_range(piece, &first, &last) || is_empty(first) || is_empty(last))
        return usage;
    if (!take_occurrence(&first, &spec->occurrence))
        return "marks of one name are counted from #1, and not beyond 2^64";
    spec->begin_mark = text_of(first);
    spec->end_mark = text_of(last);
    return NULL;
}

static const char *parse_last(struct piece piece, struct trace_window_spec *spec)
{
    static const char usage[] = "last is a count of frames or a time, such as last:120frames or "
                                "last:2s";
    struct piece number = piece;
    spec->kind = TRACE_SPEC_LAST;
    if (take_number(&number, &spec->first) && (equals(number, "frames") || equals(number, "frame")))
        return spec->first != 0 ? NULL : "it is empty: no frame is in it";
    spec->first = 0;
    if (!take_time(piece, &spec->end_ns))
        return usage;
    return spec->end_ns != 0 ? NULL : "it is empty: no time is in it";
}

enum ludus_status trace_window_parse(const char *text, struct trace_window_spec *spec,
                                     struct ludus_error *error)
{
    struct piece piece = {text, text + strlen(text)};
    const char *colon = strchr(text, ':');
    const char *equal = strchr(text, '=');
    const char *problem;
    *spec = (struct trace_window_spec){.name = text_of(piece)};
    if (equal != NULL && (colon == NULL || equal < colon)) {
        spec->name = (struct trace_text){text, (size_t)(equal - text)};
        piece.at = equal + 1;
        if (equal == text)
            return refuse(text, "there is no name in front of the '='", error);
    }
    if (starts_with(&piece, "frames:"))
        problem = parse_frames(piece, spec);
    else if (starts_with(&piece, "time:"))
        problem = parse_time(piece, spec);
    else if (starts_with(&piece, "marks:"))
        problem = parse_marks(piece, spec);
    else if (starts_with(&piece, "last:"))
        problem = parse_last(piece, spec);
    else
        problem = "it is [NAME=]frames:A..B, time:A..B, marks:A..B or last:N";
    if (problem != NULL && spec->kind != TRACE_SPEC_MARKS && has_long_number(piece))
        problem = "a number in it is too large";
    return problem == NULL ? LUDUS_OK : refuse(text, problem, error);
}
