/*
 * test_ledger_runs.c - several runs with one ledger while somebody removes its lock: nobody's entry
 * is lost, whoever is told that his release is in the ledger finds it there, and who is not is told
 * why. And file systems that cannot do what this needs: an error, never a loss.
 */
#include "ledger_case.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/file.h"

/* A release of its own for each number. */
static tacit_status put(const ledger_place *place, tacit_ledger *ledger, int which,
                        char hash[TACIT_LEDGER_HASH + 1], tacit_error *err)
{
    char text[64], path[160];
    int64_t number = 0;
    snprintf(text, sizeof text, "id,x\n%d,1\n", which);
    snprintf(path, sizeof path, "%s/release-%d.csv", place->folder, which);
    file_write(path, text, strlen(text));
    const tacit_ledger_facts facts = {.source = "people", .path = path, .k = 1};
    tacit_table *release = table_of(text);
    FILE *file = fopen(path, "rb");
    tacit_status status =
        tacit_ledger_announce(&number, ledger, &facts, release, fileno(file), NULL, err);
    if (status == TACIT_OK) {
        memcpy(hash, tacit_ledger_at(ledger, number - 1)->hash, TACIT_LEDGER_HASH + 1);
        status = tacit_ledger_confirm(ledger, number, err);
    }
    fclose(file);
    tacit_table_free(release);
    return status;
}

static bool has_entry(const tacit_ledger *ledger, const char *hash)
{
    for (int64_t i = 0; i < tacit_ledger_count(ledger); i++)
        if (strcmp(tacit_ledger_at(ledger, i)->hash, hash) == 0)
            return true;
    return false;
}

/* ---- by hand ---- */

/* The lock is removed under the first run, and the second takes a new one. */
static void test_lock_removed(void **state)
{
    (void)state;
    ledger_place place;
    char hash[TACIT_LEDGER_HASH + 1];
    tacit_error err = {0};
    place_open(&place);
    tacit_ledger *first = ledger_open(&place, TACIT_LEDGER_WRITE);
    unlink(place_path(&place, "lock"));
    tacit_ledger *second = ledger_open(&place, TACIT_LEDGER_WRITE);
    assert_int_equal(put(&place, second, 2, hash, &err), TACIT_OK);
    assert_int_equal(put(&place, first, 1, hash, &err), TACIT_IO);
    assert_non_null(strstr(err.message, "lock was removed or replaced"));
    tacit_ledger_free(first);
    tacit_ledger_free(second);
    second = ledger_open(&place, TACIT_LEDGER_READ);
    assert_int_equal(tacit_ledger_count(second), 1);
    assert_int_equal(tacit_ledger_check(second, NULL, &err), TACIT_OK);
    tacit_ledger_free(second);
    place_close(&place);
}

/* The lock is back in its place when the first run looks: its number is taken all the same. */
static void test_number_taken(void **state)
{
    (void)state;
    ledger_place place;
    char hash[TACIT_LEDGER_HASH + 1], kept[160];
    tacit_error err = {0};
    place_open(&place);
    snprintf(kept, sizeof kept, "%s/kept", place.folder);
    tacit_ledger *first = ledger_open(&place, TACIT_LEDGER_WRITE);
    rename(place_path(&place, "lock"), kept);
    tacit_ledger *second = ledger_open(&place, TACIT_LEDGER_WRITE);
    assert_int_equal(put(&place, second, 2, hash, &err), TACIT_OK);
    rename(kept, place_path(&place, "lock"));
    char *path = strdup(place_path(&place, "000001.json"));
    size_t len = 0, later = 0;
    char *before = file_read(path, &len);
    char other[TACIT_LEDGER_HASH + 1];
    assert_int_equal(put(&place, first, 1, other, &err), TACIT_IO);
    assert_non_null(strstr(err.message, "another run has written entry 1"));
    char *after = file_read(path, &later);
    assert_int_equal(len, later);
    assert_memory_equal(before, after, len);
    free(before);
    free(after);
    free(path);
    tacit_ledger_free(first);
    tacit_ledger_free(second);
    place_close(&place);
}

struct waiting {
    const ledger_place *place;
    tacit_ledger *first, *second;
    int asked;
};

/* Whoever waits for a lock that is removed meanwhile goes on waiting for the one that has its name.
 */
static bool remove_lock(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)phase;
    (void)done;
    (void)total;
    struct waiting *story = payload;
    story->asked++;
    if (story->asked == 1) {
        unlink(place_path(story->place, "lock"));
        story->second = ledger_open(story->place, TACIT_LEDGER_WRITE);
        tacit_ledger_free(story->first);
    }
    return story->asked < 5;
}

static void test_lock_removed_while_waiting(void **state)
{
    (void)state;
    ledger_place place;
    tacit_error err = {0};
    tacit_ledger *third = NULL;
    tacit_run run;
    place_open(&place);
    struct waiting story = {&place, ledger_open(&place, TACIT_LEDGER_WRITE), NULL, 0};
    tacit_run_init(&run);
    run.progress = remove_lock;
    run.payload = &story;
    assert_int_equal(
        tacit_ledger_open(&third, place.ledger, TACIT_LEDGER_WRITE | TACIT_LEDGER_WAIT, &run, &err),
        TACIT_CANCELLED);
    assert_int_equal(story.asked, 5);
    tacit_ledger_free(story.second);
    place_close(&place);
}

/* A run that has seen to another's entry, or an entry that is another's. */
static void test_confirmed_by_another(void **state)
{
    (void)state;
    ledger_place place;
    tacit_error err = {0};
    place_open(&place);
    tacit_ledger *first = ledger_open(&place, TACIT_LEDGER_WRITE);
    assert_int_equal(ledger_put(&place, first, "id\n1\n", NULL, 0), 1);
    unlink(place_path(&place, "lock"));
    tacit_ledger *second = ledger_open(&place, TACIT_LEDGER_WRITE);
    assert_int_equal(tacit_ledger_confirm(second, 1, &err), TACIT_OK);
    assert_int_equal(tacit_ledger_confirm(first, 1, &err), TACIT_OK);
    assert_int_equal(ledger_put(&place, second, "id\n2\n", NULL, 0), 2);
    tacit_ledger_free(first);
    char *entry = strdup(place_path(&place, "000001.json"));
    assert_int_equal(rename(entry, place_path(&place, "000002.json")), 0);
    assert_int_equal(tacit_ledger_confirm(second, 2, &err), TACIT_PARSE);
    assert_non_null(strstr(err.message, "changed by somebody else"));
    free(entry);
    tacit_ledger_free(second);
    place_close(&place);
}

/* ---- processes ---- */

enum { RUNS = 4 };

/* Runs in a child: so many releases, and the hashes of those that the ledger took are written to a
 * pipe. */
static void work(const ledger_place *place, int run, int releases, int pipe)
{
    for (int i = 0; i < releases; i++) {
        char hash[TACIT_LEDGER_HASH + 1] = "";
        tacit_error err = {0};
        tacit_ledger *ledger = NULL;
        tacit_status status = tacit_ledger_open(&ledger, place->ledger,
                                                TACIT_LEDGER_WRITE | TACIT_LEDGER_WAIT, NULL, &err);
        if (status == TACIT_OK)
            status = put(place, ledger, run * releases + i, hash, &err);
        tacit_ledger_free(ledger);
        if (status != TACIT_OK && status != TACIT_IO)
            _exit(1);
        if (hash[0] && write(pipe, hash, TACIT_LEDGER_HASH) != TACIT_LEDGER_HASH)
            _exit(2);
    }
    _exit(0);
}

static pid_t start_removing(const ledger_place *place)
{
    char lock[160];
    snprintf(lock, sizeof lock, "%s/lock", place->ledger);
    pid_t child = fork();
    if (child == 0)
        for (prctl(PR_SET_PDEATHSIG, SIGKILL);;) {
            unlink(lock);
            usleep(8000);
        }
    return child;
}

static void test_runs_without_a_lock(void **state)
{
    (void)state;
    const int releases = getenv("TACIT_LONG") ? 100 : 12;
    ledger_place place;
    int ends[2], told = 0;
    pid_t children[RUNS];
    place_open(&place);
    pid_t remover = start_removing(&place);
    assert_int_equal(pipe(ends), 0);
    for (int i = 0; i < RUNS; i++)
        if ((children[i] = fork()) == 0)
            work(&place, i, releases, ends[1]);
    close(ends[1]);
    char(*hashes)[TACIT_LEDGER_HASH + 1] = calloc((size_t)(RUNS * releases), sizeof *hashes);
    while (told < RUNS * releases &&
           read(ends[0], hashes[told], TACIT_LEDGER_HASH) == TACIT_LEDGER_HASH)
        told++;
    close(ends[0]);
    for (int i = 0; i < RUNS; i++) {
        int status = 0;
        waitpid(children[i], &status, 0);
        assert_int_equal(status, 0);
    }
    kill(remover, SIGKILL);
    waitpid(remover, NULL, 0);
    tacit_ledger_free(
        ledger_open(&place, TACIT_LEDGER_WRITE)); /* makes a lock where there is none */
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_READ);
    print_message("%d of %d releases were taken\n", told, RUNS * releases);
    assert_true(told > 0);
    assert_int_equal(tacit_ledger_count(ledger), told);
    for (int i = 0; i < told; i++)
        assert_true(has_entry(ledger, hashes[i]));
    assert_int_equal(tacit_ledger_check(ledger, NULL, NULL), TACIT_OK);
    tacit_ledger_free(ledger);
    free(hashes);
    place_close(&place);
}

/* ---- file systems ---- */

/* From here on hard links are refused with EPERM, as on a file system that has none, and, where fd
 * is not negative, syncing anything but that with EIO. False where that cannot be arranged. */
static bool refuse_calls(int fd)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef SYS_link
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_link, 5, 0),
#else
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_linkat, 5, 0),
#endif
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, fd < 0 ? SYS_linkat : 0xFFFFFFF, 4, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, fd < 0 ? 0xFFFFFFF : SYS_fsync, 0, 2),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)fd, 0, 2),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
    };
    struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

enum { WENT_WELL = 0, CANNOT_REFUSE = 77 };

/* Runs a check in a child, since what it is refused stays refused. */
static void in_child(int (*check)(const ledger_place *place))
{
    int status = 0;
    ledger_place place;
    place_open(&place);
    tacit_ledger_free(ledger_open(&place, TACIT_LEDGER_WRITE));
    pid_t child = fork();
    if (child == 0)
        _exit(check(&place));
    waitpid(child, &status, 0);
    int entry = access(place_path(&place, "000001.json"), F_OK);
    place_close(&place);
    if (WIFEXITED(status) && WEXITSTATUS(status) == CANNOT_REFUSE) {
        print_message("calls cannot be refused here\n");
        skip();
    }
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), WENT_WELL);
    assert_int_not_equal(entry, 0);
}

static int put_without_links(const ledger_place *place)
{
    char hash[TACIT_LEDGER_HASH + 1];
    tacit_error err = {0};
    tacit_ledger *ledger = ledger_open(place, TACIT_LEDGER_WRITE);
    if (!refuse_calls(-1))
        return CANNOT_REFUSE;
    if (put(place, ledger, 1, hash, &err) != TACIT_IO)
        return 1;
    return strstr(err.message, "hard link") ? WENT_WELL : 2;
}

static void test_no_links(void **state)
{
    (void)state;
    in_child(put_without_links);
}

static int publish_without_sync(const ledger_place *place)
{
    char path[160];
    bool taken = false;
    tacit_error err = {0};
    tacit_output *output = NULL;
    snprintf(path, sizeof path, "%s/other", place->folder);
    if (tacit_output_new(&output, path, &err) != TACIT_OK)
        return 1;
    if (!refuse_calls(tacit_output_fd(output)))
        return CANNOT_REFUSE;
    if (tacit__output_publish(output, &taken, &err) != TACIT_IO || taken)
        return 2;
    tacit_output_free(output);
    return strstr(err.message, "folder cannot be synced") ? WENT_WELL : 3;
}

static void test_no_sync(void **state)
{
    (void)state;
    in_child(publish_without_sync);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lock_removed),
        cmocka_unit_test(test_number_taken),
        cmocka_unit_test(test_lock_removed_while_waiting),
        cmocka_unit_test(test_confirmed_by_another),
        cmocka_unit_test(test_runs_without_a_lock),
        cmocka_unit_test(test_no_links),
        cmocka_unit_test(test_no_sync),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
