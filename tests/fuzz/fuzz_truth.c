/*
 * fuzz_truth.c - any bytes as the file of `tacit audit --truth`, who stands behind which row. The
 * audit ends with a status that it has, whatever the file says.
 */
#include "../support/fuzz_command.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_file release, people, truth;
    const char *words[] = {"audit",
                           fuzz_file_text(&release, "ZIP,x\n02139,1\n02138,2\n"),
                           "--population",
                           fuzz_file_text(&people, "name,ZIP\nAnn,02139\nAbe,02138\nAl,02138\n"),
                           "--truth",
                           fuzz_file_set(&truth, data, size),
                           "--uniqueness",
                           "0",
                           "--threads",
                           "1",
                           NULL};
    fuzz_command(words);
    return 0;
}
