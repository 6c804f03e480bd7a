/*
 * replay.c - feeds every file of the folders or files named on the command line
 * to a fuzzer's entry point, so that its corpus is an ordinary test.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    size_t got = data ? fread(data, 1, (size_t)size, file) : 0;
    fclose(file);
    if (data)
        LLVMFuzzerTestOneInput(data, got);
    free(data);
    return 0;
}

static int replay_folder(const char *path, int *count)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        return 1;
    }
    int failures = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failures += replay_file(name);
        ++*count;
    }
    closedir(folder);
    return failures;
}

int main(int argc, char **argv)
{
    int count = 0, failures = 0;
    for (int i = 1; i < argc; i++) {
        struct stat about;
        if (stat(argv[i], &about) == 0 && S_ISDIR(about.st_mode))
            failures += replay_folder(argv[i], &count);
        else {
            failures += replay_file(argv[i]);
            count++;
        }
    }
    printf("%d inputs replayed\n", count);
    return failures || count == 0;
}
