/* Makes the golden captures: make_golden VALID-DIRECTORY INVALID-DIRECTORY. Run by hand when the
 * format changes; what it writes is committed, because another release of zstd may compress
 * otherwise. The dumps beside the captures are written by test_golden.py --update, which refuses
 * to when the two readers disagree. */
#include <stdio.h>

#include "golden_sets.h"

int main(int argc, char **argv)
{
    if (argc != 3) {
        fputs("usage: make_golden VALID-DIRECTORY INVALID-DIRECTORY\n", stderr);
        return 2;
    }
    golden_make_valid(argv[1]);
    golden_make_game(argv[1]);
    golden_make_sched(argv[1]);
    golden_make_gpu(argv[1]);
    golden_make_gpu_game(argv[1]);
    golden_make_hitch(argv[1]);
    golden_make_overlap(argv[1]);
    golden_make_example(argv[1]);
    golden_make_invalid_files(argv[2]);
    golden_make_invalid_records(argv[2]);
    golden_make_invalid_events(argv[2]);
    return 0;
}
