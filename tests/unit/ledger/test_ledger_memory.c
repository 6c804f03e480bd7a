/*
 * test_ledger_memory.c - every allocation failed in turn while a ledger is made, opened, written to
 * and recalled. Whatever fails, the ledger can be opened afterwards and holds what it held, or
 * one entry more. Allocations of the JSON library are not reached.
 */
#include "ledger_case.h"

#include "starve.h"

static const char DATA[] = "ZIP,age,birth,job\n02138,21,1965-09-20,nurse\n02139,24,1965,doctor\n";
static const char RELEASE[] = "ZIP,age,birth,job\n0213*,20-24,1965,medical\n0213*,20-24,*,?\n";
static const char JOBS[] = "nurse;medical\ndoctor;medical\n";

typedef struct work {
    ledger_place place;
    tacit_table *data, *release;
    tacit_hierarchy_spec specs[4];
    tacit_ledger_fact facts[4];
    tacit_ledger *ledger;
    FILE *file;
} work;

static void work_open(work *w)
{
    static const char *const names[] = {"ZIP", "age", "birth", "job"};
    char jobs[96];
    *w = (work){0};
    place_open(&w->place);
    snprintf(jobs, sizeof jobs, "%s/jobs.csv", w->place.folder);
    file_write(jobs, JOBS, strlen(JOBS));
    file_write(w->place.release, RELEASE, strlen(RELEASE));
    w->file = fopen(w->place.release, "rb");
    w->data = table_of(DATA);
    w->release = table_of(RELEASE);
    const char *rules[] = {"mask:right", "interval:0/5", "date", jobs};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(tacit_hierarchy_spec_parse(&w->specs[i], rules[i], NULL, NULL), TACIT_OK);
        w->facts[i] = (tacit_ledger_fact){.name = names[i], .role = "quasi", .spec = &w->specs[i]};
    }
}

static void work_close(work *w)
{
    tacit_table_free(w->data);
    tacit_table_free(w->release);
    for (int i = 0; i < 4; i++)
        tacit_hierarchy_spec_clear(&w->specs[i]);
    fclose(w->file);
    place_close(&w->place);
}

static tacit_status open_it(void *context, tacit_error *err)
{
    work *w = context;
    tacit_ledger *ledger = STARVE_UNTOUCHED;
    tacit_status status =
        tacit_ledger_open(&ledger, w->place.ledger, TACIT_LEDGER_WRITE, NULL, err);
    if (status != TACIT_OK)
        assert_ptr_equal(ledger, STARVE_UNTOUCHED);
    else
        tacit_ledger_free(ledger);
    return status;
}

/* Opens, announces, confirms. */
static tacit_status put(void *context, tacit_error *err)
{
    work *w = context;
    tacit_ledger *ledger = NULL;
    int64_t number = 0;
    const tacit_ledger_facts facts = {.source = "people",
                                      .path = w->place.release,
                                      .policy_file = w->place.release,
                                      .k = 2,
                                      .method = "mingen",
                                      .columns = w->facts,
                                      .column_count = 4,
                                      .data = w->data};
    tacit_status status =
        tacit_ledger_open(&ledger, w->place.ledger, TACIT_LEDGER_WRITE, NULL, err);
    if (status == TACIT_OK)
        status =
            tacit_ledger_announce(&number, ledger, &facts, w->release, fileno(w->file), NULL, err);
    if (status == TACIT_OK)
        status = tacit_ledger_confirm(ledger, number, err);
    tacit_ledger_free(ledger);
    if (status == TACIT_OK) { /* the next attempt needs as much as this one */
        char entry[200];
        snprintf(entry, sizeof entry, "%s/000001.json", w->place.ledger);
        unlink(entry);
        snprintf(entry, sizeof entry, "%s/lock", w->place.ledger);
        unlink(entry);
    }
    return status;
}

static tacit_status recall(void *context, tacit_error *err)
{
    work *w = context;
    const tacit_ledger_sight sight = {
        .data = w->data, .release = w->release, .columns = w->facts, .column_count = 4};
    const tacit_ledger_recalled before = {.rows = 99};
    tacit_ledger_recalled out = before;
    tacit_run run = starve_run(1);
    tacit_status status = tacit_ledger_recall(&out, w->ledger, 1, &sight, &run, err);
    if (status != TACIT_OK)
        assert_int_equal(out.rows, before.rows);
    else
        tacit_text_free(out.csv);
    return status;
}

static tacit_status recognize(void *context, tacit_error *err)
{
    work *w = context;
    tacit_ledger_likeness like;
    tacit_run run = starve_run(1);
    return tacit_ledger_recognize(&like, w->ledger, w->data, &run, err);
}

static tacit_status check(void *context, tacit_error *err)
{
    return tacit_ledger_check(((work *)context)->ledger, NULL, err);
}

static void test_opening(void **state)
{
    (void)state;
    work w;
    work_open(&w);
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_WRITE));
    starve(open_it, &w);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    ledger_put(&w.place, ledger, RELEASE, w.facts, 4);
    tacit_ledger_free(ledger);
    starve(open_it, &w);
    work_close(&w);
}

/* An attempt that is refused after its entry was written leaves the entry: a new ledger each time.
 */
static void test_writing(void **state)
{
    (void)state;
    work w;
    work_open(&w);
    for (long long allocation = 0;; allocation++) {
        tacit_status status = starve_try(put, &w, STARVE_FOR_GOOD, allocation);
        if (status == TACIT_OK && !starving.refused)
            break;
        tacit_ledger *ledger = NULL;
        tacit_error err = {0};
        status = tacit_ledger_open(&ledger, w.place.ledger, TACIT_LEDGER_READ, NULL, &err);
        if (status == TACIT_OK) {
            assert_true(tacit_ledger_count(ledger) <= 1);
            assert_int_equal(tacit_ledger_check(ledger, NULL, &err), TACIT_OK);
            tacit_ledger_free(ledger);
        } else
            assert_non_null(strstr(err.message, "is no ledger"));
        nftw(w.place.ledger, place_remove, 8, FTW_DEPTH | FTW_PHYS);
    }
    work_close(&w);
}

static void test_recalling(void **state)
{
    (void)state;
    work w;
    work_open(&w);
    w.ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    ledger_put(&w.place, w.ledger, RELEASE, w.facts, 4);
    starve(recall, &w);
    starve(check, &w);
    tacit_ledger_free(w.ledger);
    work_close(&w);
}

/* Data that is there again. */
static void test_recognizing(void **state)
{
    (void)state;
    work w;
    int64_t number = 0;
    work_open(&w);
    w.ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    const tacit_ledger_facts facts = {.source = "people", .path = "-", .data = w.data};
    assert_int_equal(
        tacit_ledger_announce(&number, w.ledger, &facts, w.release, fileno(w.file), NULL, NULL),
        TACIT_OK);
    starve(recognize, &w);
    tacit_ledger_free(w.ledger);
    work_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_writing),
        cmocka_unit_test(test_recalling),
        cmocka_unit_test(test_recognizing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
