/*
 * fuzz_blank_costs.c - any bytes as the file of `--blank-costs`. The costs are refused, or a
 * release is made and judged with them.
 */
#include "../support/fuzz_command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file table, costs;
    const char *words[] = {"anonymize",
                           fuzz_file_text(&table, "a,b\n1,1\n1,2\n2,1\n2,2\n"),
                           "--blank-costs",
                           fuzz_file_set(&costs, data, size),
                           "--k",
                           "2",
                           "--quasi",
                           "a,b",
                           "--method",
                           "ambiguate",
                           "--heuristic",
                           "exact",
                           "--threads",
                           "1",
                           "--seed",
                           "1",
                           "-o",
                           "/dev/null",
                           NULL};
    int status = fuzz_command(words);
    require(status != CLI_BROKEN, "costs forbid nothing");
    return 0;
}
