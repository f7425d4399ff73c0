/* The sets of golden files. Each function writes its files into the directory. */
#ifndef GOLDEN_SETS_H
#define GOLDEN_SETS_H

/* Files that break no rule, but may be unfinished. */
void golden_make_valid(const char *directory);

/* A recording as of a game, whose numbers reports are held against. */
void golden_make_game(const char *directory);

/* A recording on a machine that is busy, with samples of who ran. */
void golden_make_sched(const char *directory);

/* A recording with GPU samples, likewise; and every kind of their blocks. */
void golden_make_gpu(const char *directory);
/* One whose device is lost, with numbers of every kind. */
void golden_make_gpu_game(const char *directory);

/* A part of a recording about a long frame, likewise. */
void golden_make_hitch(const char *directory);

/* A recording whose scopes run on two tracks at the same time, likewise. */
void golden_make_overlap(const char *directory);

/* Two recordings of a game with threads, flows and counters: the example of docs/sql.md. */
void golden_make_example(const char *directory);

/* Files with one fault each, named REASON.CASE: the reason of the page, or "gap", or
 * "not-a-capture". */
void golden_make_invalid_files(const char *directory);
void golden_make_invalid_records(const char *directory);
void golden_make_invalid_events(const char *directory);

#endif
