/*
 * test_output.c - outputs appear whole or not at all: whatever happens before
 * commit, the folder holds what it held.
 *
 * Every test works in a folder of its own, whose listing it checks, so that a
 * hidden file left behind is seen.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tacit/base.h>
#include <unistd.h>

typedef struct place {
    char folder[64];
    char target[96];
} place;

static int enter(void **state)
{
    place *p = calloc(1, sizeof *p);
    if (!p)
        return -1;
    strcpy(p->folder, "/tmp/tacit-output-XXXXXX");
    if (!mkdtemp(p->folder))
        return -1;
    snprintf(p->target, sizeof p->target, "%s/out.csv", p->folder);
    *state = p;
    return 0;
}

static int leave(void **state)
{
    place *p = *state;
    chmod(p->folder, 0700);
    DIR *folder = opendir(p->folder);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (unlinkat(dirfd(folder), entry->d_name, 0) != 0)
            unlinkat(dirfd(folder), entry->d_name, AT_REMOVEDIR);
    closedir(folder);
    int status = rmdir(p->folder);
    free(p);
    return status;
}

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *path, const char *text)
{
    char found[256] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t len = fread(found, 1, sizeof found - 1, file);
    found[len] = '\0';
    fclose(file);
    assert_string_equal(found, text);
}

/* The folder's files, hidden ones among them. */
static int count_files(const place *p)
{
    int count = 0;
    DIR *folder = opendir(p->folder);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count - 2; /* . and .. */
}

static tacit_output *start(const char *path, const char *text)
{
    tacit_output *output = NULL;
    tacit_error err = {0};
    if (tacit_output_new(&output, path, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    ssize_t len = (ssize_t)strlen(text);
    assert_int_equal(write(tacit_output_fd(output), text, (size_t)len), len);
    return output;
}

static void commit(const char *path, const char *text)
{
    tacit_output *output = start(path, text);
    tacit_error err = {0};
    tacit_output_flush_early(output);
    if (tacit_output_commit(output, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_output_free(output);
}

static void appears_on_commit(void **state)
{
    place *p = *state;
    tacit_output *output = start(p->target, "new");
    assert_int_equal(access(p->target, F_OK), -1);
    char back[4] = "";
    assert_int_equal(pread(tacit_output_fd(output), back, 3, 0), 3); /* it can be read back */
    assert_string_equal(back, "new");
    tacit_error err = {0};
    assert_int_equal(tacit_output_commit(output, &err), TACIT_OK);
    assert_holds(p->target, "new");
    assert_int_equal(count_files(p), 1);
    tacit_output_free(output);
    assert_holds(p->target, "new");
    assert_int_equal(count_files(p), 1);
}

static void empty_file(void **state)
{
    place *p = *state;
    put(p->target, "old");
    commit(p->target, "");
    assert_holds(p->target, "");
}

static void replaces_the_old_file(void **state)
{
    place *p = *state;
    put(p->target, "old and longer");
    tacit_output *output = start(p->target, "new");
    assert_holds(p->target, "old and longer");
    assert_int_equal(tacit_output_commit(output, NULL), TACIT_OK);
    tacit_output_free(output);
    assert_holds(p->target, "new");
    assert_int_equal(count_files(p), 1);
}

static void keeps_the_mode(void **state)
{
    place *p = *state;
    struct stat about;
    put(p->target, "for few eyes");
    assert_int_equal(chmod(p->target, 0640), 0);
    commit(p->target, "new");
    assert_int_equal(stat(p->target, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0640);
}

static void without_commit_nothing_changes(void **state)
{
    place *p = *state;
    tacit_output_free(start(p->target, "new"));
    assert_int_equal(count_files(p), 0);
    put(p->target, "old");
    tacit_output_free(start(p->target, "new"));
    assert_holds(p->target, "old");
    assert_int_equal(count_files(p), 1);
    tacit_output_free(NULL);
}

static void relative_names(void **state)
{
    place *p = *state;
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(p->folder), 0);
    commit("out.csv", "new");
    commit("./out.csv", "newer");
    assert_int_equal(chdir(before), 0);
    free(before);
    assert_holds(p->target, "newer");
    assert_int_equal(count_files(p), 1);
}

static void killed_before_commit(void **state)
{
    place *p = *state;
    put(p->target, "old");
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        tacit_output *output = NULL;
        bool begun = tacit_output_new(&output, p->target, NULL) == TACIT_OK &&
                     write(tacit_output_fd(output), "half a re", 9) == 9 &&
                     write(ready[1], "x", 1) == 1;
        if (begun)
            for (;;)
                pause();
        _exit(1);
    }
    close(ready[1]);
    char byte;
    assert_int_equal(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    kill(child, SIGKILL);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status));
    assert_holds(p->target, "old");
    assert_int_equal(count_files(p), 1);
}

/* A limit on the size of files stands for a disk that is full. */
static void disk_full(void **state)
{
    place *p = *state;
    put(p->target, "old");
    struct rlimit before, tight;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    tight = (struct rlimit){.rlim_cur = 5, .rlim_max = before.rlim_max};
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
    tacit_output *output = NULL;
    tacit_status status = tacit_output_new(&output, p->target, NULL);
    ssize_t first = write(tacit_output_fd(output), "0123456789", 10);
    ssize_t second = write(tacit_output_fd(output), "56789", 5);
    int reason = errno;
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(status, TACIT_OK);
    assert_int_equal(first, 5);
    assert_int_equal(second, -1);
    assert_int_equal(reason, EFBIG);
    tacit_output_free(output);
    assert_holds(p->target, "old");
    assert_int_equal(count_files(p), 1);
}

static void full_device(void **state)
{
    (void)state;
    tacit_output *output = start("/dev/full", "new");
    tacit_error err = {0};
    assert_int_equal(tacit_output_commit(output, &err), TACIT_IO);
    assert_string_equal(err.file, "/dev/full");
    assert_string_equal(err.message, "cannot write: No space left on device");
    tacit_output_free(output);
    commit("/dev/null", "new");
    struct stat about;
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode)); /* not replaced by a file */
}

static void folder_without_permission(void **state)
{
    place *p = *state;
    if (geteuid() == 0) {
        print_message("the superuser may write everywhere: skipped\n");
        skip();
    }
    put(p->target, "old");
    assert_int_equal(chmod(p->folder, 0500), 0);
    tacit_output *output = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_output_new(&output, p->target, &err), TACIT_IO);
    assert_null(output);
    assert_string_equal(err.file, p->target);
    assert_string_equal(err.message, "cannot create: Permission denied");
    assert_holds(p->target, "old");
}

static void link_stays_a_link(void **state)
{
    place *p = *state;
    char link[96];
    snprintf(link, sizeof link, "%s/link.csv", p->folder);
    put(p->target, "old");
    assert_int_equal(symlink("out.csv", link), 0);
    commit(link, "new");
    struct stat about;
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_holds(p->target, "new");
    assert_int_equal(count_files(p), 2);
}

static void link_to_nowhere(void **state)
{
    place *p = *state;
    const struct {
        const char *to, *message;
    } cases[] = {{"gone.csv", "cannot follow the link: No such file or directory"},
                 {"out.csv", "cannot follow the link: Too many levels of symbolic links"}};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(symlink(cases[i].to, p->target), 0);
        tacit_output *output = NULL;
        tacit_error err = {0};
        assert_int_equal(tacit_output_new(&output, p->target, &err), TACIT_IO);
        assert_null(output);
        assert_string_equal(err.file, p->target);
        assert_string_equal(err.message, cases[i].message);
        struct stat about;
        assert_int_equal(lstat(p->target, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
        assert_int_equal(count_files(p), 1);
        unlink(p->target);
    }
}

static void target_is_a_folder(void **state)
{
    place *p = *state;
    tacit_output *output = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_output_new(&output, p->folder, &err), TACIT_IO);
    assert_null(output);
    assert_string_equal(err.file, p->folder);
    assert_string_equal(err.message, "cannot write: Is a directory");
    assert_int_equal(count_files(p), 0);
}

static void folder_is_missing(void **state)
{
    place *p = *state;
    char path[128];
    snprintf(path, sizeof path, "%s/missing/out.csv", p->folder);
    tacit_output *output = NULL;
    tacit_error err = {0};
    assert_int_equal(tacit_output_new(&output, path, &err), TACIT_IO);
    assert_null(output);
    assert_string_equal(err.file, path);
    assert_string_equal(err.message, "cannot create: No such file or directory");
    assert_int_equal(count_files(p), 0);
}

/* The longest name that a file may have; the hidden one must not exceed it. */
static void longest_name(void **state)
{
    place *p = *state;
    char name[256], path[400];
    memset(name, 'n', 255);
    name[255] = '\0';
    snprintf(path, sizeof path, "%s/%s", p->folder, name);
    commit(path, "new");
    assert_holds(path, "new");
    assert_int_equal(count_files(p), 1);
}

static void mode_respects_umask(void **state)
{
    place *p = *state;
    const struct {
        mode_t mask, mode;
    } cases[] = {{022, 0644}, {077, 0600}, {0, 0666}};
    for (size_t i = 0; i < 3; i++) {
        mode_t before = umask(cases[i].mask);
        commit(p->target, "new");
        umask(before);
        struct stat about;
        assert_int_equal(stat(p->target, &about), 0);
        assert_int_equal(about.st_mode & 07777, cases[i].mode);
        unlink(p->target);
    }
}

/* Commits text to "-" with descriptor 1 being `to`, in a child; its exit status. */
static int commit_to_stdout(const char *text, int to, tacit_status expected, const char *message)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        tacit_output *output = NULL;
        tacit_error err = {0};
        if (dup2(to, STDOUT_FILENO) < 0 || tacit_output_new(&output, "-", &err) != TACIT_OK)
            _exit(2);
        size_t len = strlen(text);
        bool same = write(tacit_output_fd(output), text, len) == (ssize_t)len &&
                    tacit_output_commit(output, &err) == expected &&
                    strcmp(err.message, message) == 0;
        tacit_output_free(output);
        _exit(same ? 0 : 1);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void dash_is_standard_output(void **state)
{
    place *p = *state;
    int file = open(p->target, O_RDWR | O_CREAT, 0600);
    assert_int_equal(write(file, "before ", 7), 7);
    assert_int_equal(commit_to_stdout("to a file", file, TACIT_OK, ""), 0);
    close(file);
    assert_holds(p->target, "before to a file"); /* behind what stands there */
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(commit_to_stdout("to a pipe", ends[1], TACIT_OK, ""), 0);
    char found[16] = "";
    assert_int_equal(read(ends[0], found, sizeof found - 1), 9);
    assert_string_equal(found, "to a pipe");
    close(ends[0]);
    close(ends[1]);
    int full = open("/dev/full", O_WRONLY);
    assert_int_equal(
        commit_to_stdout("lost", full, TACIT_IO, "cannot write: No space left on device"), 0);
    close(full);
}

int main(void)
{
#define IN_A_FOLDER(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        IN_A_FOLDER(appears_on_commit),
        IN_A_FOLDER(empty_file),
        IN_A_FOLDER(replaces_the_old_file),
        IN_A_FOLDER(keeps_the_mode),
        IN_A_FOLDER(without_commit_nothing_changes),
        IN_A_FOLDER(relative_names),
        IN_A_FOLDER(killed_before_commit),
        IN_A_FOLDER(disk_full),
        IN_A_FOLDER(full_device),
        IN_A_FOLDER(folder_without_permission),
        IN_A_FOLDER(link_stays_a_link),
        IN_A_FOLDER(link_to_nowhere),
        IN_A_FOLDER(target_is_a_folder),
        IN_A_FOLDER(folder_is_missing),
        IN_A_FOLDER(longest_name),
        IN_A_FOLDER(mode_respects_umask),
        IN_A_FOLDER(dash_is_standard_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
