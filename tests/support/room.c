/*
 * room.c - the tests of a room as one program (tests/CMakeLists.txt): without arguments all of its
 * files, otherwise those that are named.
 *
 *     unit_table                    everything
 *     unit_table test_csv_read      one file
 *
 * Each file runs in a process of its own, as if it were a program, so that what it leaves behind
 * (limits, streams, what it made allocations do) meets no other. One file alone is not forked: a
 * debugger stays with it.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEST_FILE(name) int main_of_##name(void);
#include TEST_FILES
#undef TEST_FILE

#define TEST_FILE(name) {#name, main_of_##name},
static const struct test_file {
    const char *name;
    int (*run)(void);
} files[] = {
#include TEST_FILES
};
#undef TEST_FILE

enum { FILES = sizeof files / sizeof *files };

static const struct test_file *find_file(const char *name)
{
    for (int i = 0; i < FILES; i++)
        if (strcmp(files[i].name, name) == 0)
            return &files[i];
    return NULL;
}

static bool passes_apart(const struct test_file *file)
{
    printf("%s\n", file->name);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        exit(file->run() != 0 ? 1 : 0);
    int status = 0;
    bool passed = child > 0 && waitpid(child, &status, 0) == child && status == 0;
    if (!passed)
        printf("%s: failed\n", file->name);
    return passed;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!find_file(argv[i])) {
            fprintf(stderr, "%s: no test file of this program\n", argv[i]);
            return 2;
        }
    }
    if (argc == 2)
        return find_file(argv[1])->run() != 0;
    bool passed = true;
    for (int i = 1; i < argc; i++)
        passed &= passes_apart(find_file(argv[i]));
    for (int i = 0; argc == 1 && i < FILES; i++)
        passed &= passes_apart(&files[i]);
    return passed ? 0 : 1;
}
