/*
 * test_ledger.c - a ledger from its first release on: what is in it, what is recalled, and what is
 * refused when a file of it is gone, changed or somebody else's.
 */
#include "ledger_case.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "ledger/ledger.h"

static const char DATA[] = "ZIP,age,birth,job,diagnosis\n"
                           "02138,21,1965-09-20,nurse,\"flu, \"\"bad\"\"\"\n"
                           "02139,24,1965-02-14,nurse,asthma\n"
                           "02141,37,1964-05-05,doctor,\n"
                           "02142,38,1964-11-30,doctor,flu\n";
static const char RELEASE[] = "ZIP,age,birth,job,diagnosis\n"
                              "0213*,20-24,1965,medical,\"flu, \"\"bad\"\"\"\n"
                              "0213*,20-24,1965,medical,asthma\n"
                              "0214*,*,1964,doctor,\n"
                              "0214*,35-39,1960-1969,doctor,flu\n";
static const char JOBS[] = "nurse;medical;all\ndoctor;medical;all\nbaker;food;all\n";

/* The columns of DATA as a policy has them. */
typedef struct columns {
    tacit_hierarchy_spec specs[4];
    tacit_hierarchy *bound[4];
    tacit_ledger_fact facts[4];
    char jobs[96];
    tacit_table *data;
} columns;

static void columns_open(columns *c, const ledger_place *place, const char *data)
{
    static const char *const names[] = {"ZIP", "age", "birth", "job"};
    const char *rules[] = {"mask:right", "interval:0/5,10", "date", c->jobs};
    memset(c, 0, sizeof *c);
    snprintf(c->jobs, sizeof c->jobs, "%s/jobs.csv", place->folder);
    file_write(c->jobs, JOBS, strlen(JOBS));
    c->data = table_of(data);
    for (int i = 0; i < 4; i++) {
        tacit_error err = {0};
        int32_t column = tacit_table_find(c->data, tacit_strview_of(names[i]));
        assert_int_equal(tacit_hierarchy_spec_parse(&c->specs[i], rules[i], NULL, &err), TACIT_OK);
        if (tacit_hierarchy_new(&c->bound[i], &c->specs[i], c->data, column, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        c->facts[i] = (tacit_ledger_fact){
            .name = names[i], .role = "quasi", .spec = &c->specs[i], .hierarchy = c->bound[i]};
    }
}

static void columns_close(columns *c)
{
    for (int i = 0; i < 4; i++) {
        tacit_hierarchy_free(c->bound[i]);
        tacit_hierarchy_spec_clear(&c->specs[i]);
    }
    tacit_table_free(c->data);
}

static tacit_ledger_recalled recall(const tacit_ledger *ledger, const columns *c,
                                    const tacit_table *data)
{
    const tacit_ledger_sight sight = {.data = data, .columns = c->facts, .column_count = 4};
    tacit_ledger_recalled out = {0};
    tacit_error err = {0};
    if (tacit_ledger_recall(&out, ledger, 1, &sight, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return out;
}

/* Whether what is recalled has the rows of a text. */
static void assert_rows(const tacit_ledger_recalled *recalled, const char *text)
{
    tacit_table *found = table_of(recalled->csv), *expected = table_of(text);
    char *found_rows = sorted_rows(found), *expected_rows = sorted_rows(expected);
    assert_string_equal(found_rows, expected_rows);
    free(found_rows);
    free(expected_rows);
    tacit_table_free(found);
    tacit_table_free(expected);
}

/* A ledger with one release, which was not confirmed. */
typedef struct world {
    ledger_place place;
    columns c;
} world;

static void world_open(world *w)
{
    place_open(&w->place);
    columns_open(&w->c, &w->place, DATA);
    tacit_ledger *ledger = ledger_open(&w->place, TACIT_LEDGER_WRITE);
    assert_int_equal(ledger_put(&w->place, ledger, RELEASE, w->c.facts, 4), 1);
    tacit_ledger_free(ledger);
}

static void world_close(world *w)
{
    columns_close(&w->c);
    place_close(&w->place);
}

static void test_recalls_what_was_released(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_READ);
    tacit_ledger_recalled out = recall(ledger, &w.c, w.c.data);
    assert_rows(&out, RELEASE);
    assert_int_equal(out.rows, 4);
    assert_int_equal(out.unknown_rows, 0);
    assert_int_equal(out.unknown_labels, 0);
    tacit_text_free(out.csv);
    assert_int_equal(tacit_ledger_check(ledger, NULL, NULL), TACIT_OK);
    tacit_ledger_free(ledger);
    world_close(&w);
}

static void test_says_what_it_knows(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    const tacit_ledger_entry *entry = tacit_ledger_at(ledger, 0);
    assert_int_equal(tacit_ledger_count(ledger), 1);
    assert_int_equal(entry->state, TACIT_LEDGER_PENDING);
    assert_string_equal(entry->source, "people");
    assert_string_equal(entry->path, w.place.release);
    assert_int_equal(entry->size, sizeof RELEASE - 1);
    assert_int_equal(entry->rows, 4);
    assert_int_equal(entry->classes, 4);
    assert_int_equal(entry->k, 2);
    assert_string_equal(entry->columns[0].hierarchy, "mask:right");
    assert_int_equal(entry->columns[0].form, 5);
    assert_string_equal(entry->columns[1].hierarchy, "interval:0/5,10");
    assert_string_equal(entry->columns[3].hierarchy, w.c.jobs);
    assert_string_equal(entry->columns[4].role, "none");
    assert_int_equal(tacit_ledger_confirm(ledger, 1, NULL), TACIT_OK);
    assert_int_equal(entry->state, TACIT_LEDGER_RELEASED);
    tacit_ledger_free(ledger);
    ledger = ledger_open(&w.place, TACIT_LEDGER_READ);
    assert_int_equal(tacit_ledger_at(ledger, 0)->state, TACIT_LEDGER_RELEASED);
    assert_int_equal(tacit_ledger_check(ledger, NULL, NULL), TACIT_OK);
    tacit_ledger_free(ledger);
    world_close(&w);
}

/* Two ledgers hash the same label differently; no file but the release holds a value. */
static void test_holds_no_value(void **state)
{
    (void)state;
    static const char *const values[] = {"0213", "20-24", "1965-09", "medical", "asthma", "nurse"};
    world w, other;
    world_open(&w);
    world_open(&other);
    size_t len, other_len;
    char *text = file_read(place_path(&w.place, "000001.json"), &len);
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        assert_null(strstr(text, values[i]));
    char *text_of_other = file_read(place_path(&other.place, "000001.json"), &other_len);
    const char *labels = strstr(text, "\"labels\""), *others = strstr(text_of_other, "\"labels\"");
    assert_int_not_equal(strncmp(labels, others, 40), 0);
    free(text);
    free(text_of_other);
    world_close(&w);
    world_close(&other);
}

static void test_files_are_the_owners(void **state)
{
    (void)state;
    static const char *const names[] = {"", "key", "lock", "000001.json"};
    world w;
    world_open(&w);
    for (size_t i = 0; i < 4; i++) {
        struct stat about;
        assert_int_equal(stat(place_path(&w.place, names[i]), &about), 0);
        assert_int_equal(about.st_mode & 077, 0);
    }
    world_close(&w);
}

/* ---- the data goes on ---- */

static void test_longer_values_and_fractions(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    char grown[512];
    snprintf(grown, sizeof grown, "%s02138-1234,20.5,1980,baker,cold\n", DATA);
    tacit_table *data = table_of(grown);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_READ);
    tacit_ledger_recalled out = recall(ledger, &w.c, data);
    assert_rows(&out, RELEASE);
    assert_int_equal(out.unknown_labels, 0);
    tacit_text_free(out.csv);
    tacit_table_free(data);
    tacit_ledger_free(ledger);
    world_close(&w);
}

/* The first two rows' people have left: their labels cannot be found, and match nobody. */
static void test_people_who_left(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    tacit_table *data = table_of("ZIP,age,birth,job,diagnosis\n"
                                 "02141,37,1964-05-05,doctor,\n"
                                 "02142,38,1964-11-30,doctor,flu\n");
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_READ);
    tacit_ledger_recalled out = recall(ledger, &w.c, data);
    char zip[TACIT_MAX_LEVELS];
    snprintf(zip, sizeof zip, "?%061d?", 0);
    char expected[512];
    snprintf(expected, sizeof expected,
             "ZIP,age,birth,job,diagnosis\n"
             "%s,900000000000000000,9999-01-01,medical,?0\n"
             "%s,900000000000000000,9999-01-01,medical,?1\n"
             "0214*,*,1964,doctor,\n"
             "0214*,35-39,1960-1969,doctor,flu\n",
             zip, zip);
    assert_rows(&out, expected);
    assert_int_equal(out.unknown_rows, 2);
    assert_int_equal(out.unknown_labels, 5);
    tacit_text_free(out.csv);
    tacit_table_free(data);
    tacit_ledger_free(ledger);
    world_close(&w);
}

/* Pseudonyms are in no data and no hierarchy, but in a later release. */
static void test_values_of_a_later_release(void **state)
{
    (void)state;
    ledger_place place;
    place_open(&place);
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_WRITE);
    ledger_put(&place, ledger, "id,x\nabc,1\ndef,2\n", NULL, 0);
    tacit_table *data = table_of("id,x\n1,1\n2,2\n"), *later = table_of("id,x\nabc,1\n");
    const tacit_ledger_sight sight = {.data = data, .release = later};
    tacit_ledger_recalled out = {0};
    assert_int_equal(tacit_ledger_recall(&out, ledger, 1, &sight, NULL, NULL), TACIT_OK);
    assert_rows(&out, "id,x\nabc,1\n?0,2\n");
    assert_int_equal(out.unknown_rows, 1);
    tacit_text_free(out.csv);
    tacit_table_free(data);
    tacit_table_free(later);
    tacit_ledger_free(ledger);
    place_close(&place);
}

static size_t backwards(tacit_strview value, char *out, size_t size, const void *payload)
{
    assert_true(value.len <= size && payload);
    for (size_t i = 0; i < value.len; i++)
        out[i] = value.bytes[value.len - 1 - i];
    return value.len;
}

/* Pseudonyms that the data's values get again. */
static void test_rewritten_values(void **state)
{
    (void)state;
    ledger_place place;
    place_open(&place);
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_WRITE);
    ledger_put(&place, ledger, "id,x\ncba,1\nfed,2\nihg,12\n", NULL, 0);
    tacit_table *data = table_of("id,x\nabc,1\ndef,2\n,21\n");
    const tacit_ledger_fact facts[] = {{.name = "id", .rewrite = backwards, .payload = &place}};
    const tacit_ledger_sight sight = {.data = data, .columns = facts, .column_count = 1};
    tacit_ledger_recalled out = {0};
    assert_int_equal(tacit_ledger_recall(&out, ledger, 1, &sight, NULL, NULL), TACIT_OK);
    assert_rows(&out, "id,x\ncba,1\nfed,2\n?0,?0\n");
    assert_int_equal(out.unknown_rows, 1);
    tacit_text_free(out.csv);
    tacit_table_free(data);
    tacit_ledger_free(ledger);
    place_close(&place);
}

/* What recalling says with jobs.csv as given (NULL: gone) and, where used is not NULL, with a file
 * of another name that the policy has now. */
static void recall_by_files(const char *jobs, const char *used, const char *message)
{
    world w;
    world_open(&w);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_READ);
    char other[128];
    snprintf(other, sizeof other, "%s/used.csv", w.place.folder);
    if (jobs)
        file_write(w.c.jobs, jobs, strlen(jobs));
    else
        unlink(w.c.jobs);
    if (used)
        file_write(other, used, strlen(used));
    const tacit_hierarchy_spec spec = {.kind = TACIT_HIERARCHY_FILE,
                                       .path = used ? other : w.c.jobs};
    const tacit_ledger_fact fact = {.name = "job", .role = "quasi", .spec = &spec};
    for (int facts = used != NULL; facts < 2; facts++) {
        const tacit_ledger_sight sight = {
            .data = w.c.data, .columns = &fact, .column_count = facts && jobs};
        tacit_ledger_recalled out = {0};
        tacit_error err = {0};
        tacit_status status = tacit_ledger_recall(&out, ledger, 1, &sight, NULL, &err);
        assert_int_equal(status, message ? TACIT_INVALID : TACIT_OK);
        if (message)
            assert_non_null(strstr(err.message, message));
        tacit_text_free(out.csv);
    }
    tacit_ledger_free(ledger);
    unlink(other);
    world_close(&w);
}

static void test_a_hierarchy_that_changed(void **state)
{
    (void)state;
    static const char more[] =
        "nurse;medical;all\ndoctor;medical;all\nbaker;food;all\npilot;travel;all\n";
    static const char moved[] = "nurse;medical;all\ndoctor;food;all\nbaker;medical;all\n";
    static const char renamed[] = "nurse;health;all\ndoctor;health;all\nbaker;food;all\n";
    static const char fewer[] = "nurse;medical;all\nbaker;food;all\n";
    static const char deeper[] =
        "nurse;medical;work;all\ndoctor;medical;work;all\nbaker;food;work;all\n";
    static const char gone[] = "jobs.csv is gone or was changed since; put it back";
    recall_by_files(JOBS, NULL, NULL);
    recall_by_files(moved, NULL, gone);
    recall_by_files(more, NULL, gone);
    recall_by_files(renamed, NULL, gone);
    recall_by_files("", more, gone);
    recall_by_files(NULL, NULL, gone);
    recall_by_files(JOBS, JOBS, NULL);
    recall_by_files(moved, JOBS, NULL);
    recall_by_files(JOBS, more, NULL);
    recall_by_files(more, more, gone);
    recall_by_files(JOBS, moved, "its line 2 is the first");
    recall_by_files(JOBS, fewer, "its line 2 is the first");
    recall_by_files(JOBS, renamed, "its line 1 is the first");
    recall_by_files(JOBS, deeper, "its line 1 is the first");
}

/* ---- damage ---- */

static void test_every_byte_counts(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    size_t len;
    const char *path = place_path(&w.place, "000001.json");
    char *bytes = file_read(path, &len);
    for (size_t i = 0; i < len; i++) {
        tacit_ledger *ledger = NULL;
        tacit_error err = {0};
        bytes[i] ^= 1;
        file_write(path, bytes, len);
        bytes[i] ^= 1;
        assert_int_equal(tacit_ledger_open(&ledger, w.place.ledger, i % 2, NULL, &err),
                         TACIT_PARSE);
        assert_non_null(strstr(err.file, "000001.json"));
    }
    for (size_t i = 0; i < len; i++) {
        file_write(path, bytes, i);
        ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_PARSE, "damaged");
    }
    file_write(path, bytes, len);
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_READ));
    free(bytes);
    world_close(&w);
}

/* Puts three more releases in; then one file is removed. */
static void test_missing_entries(void **state)
{
    (void)state;
    static const char *const names[] = {"000002.json", "000004.json", "000001.json"};
    world w;
    world_open(&w);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    for (int i = 2; i <= 4; i++)
        assert_int_equal(ledger_put(&w.place, ledger, RELEASE, w.c.facts, 4), i);
    tacit_ledger_free(ledger);
    for (int i = 0; i < 3; i++) {
        char kept[200];
        snprintf(kept, sizeof kept, "%s/kept", w.place.folder);
        assert_int_equal(rename(place_path(&w.place, names[i]), kept), 0);
        ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_IO, "there have been 4");
        ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_IO, "missing");
        assert_int_equal(rename(kept, place_path(&w.place, names[i])), 0);
    }
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_WRITE));
    rename(place_path(&w.place, "000001.json"), w.place.release);
    char *first = strdup(place_path(&w.place, "000001.json"));
    rename(place_path(&w.place, "000002.json"), first);
    rename(w.place.release, place_path(&w.place, "000002.json"));
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_PARSE, "that of release 2");
    free(first);
    world_close(&w);
}

static void test_keys(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    size_t len;
    char *key = file_read(place_path(&w.place, "key"), &len);
    assert_int_equal(len, 32);
    key[3] ^= 1;
    file_write(place_path(&w.place, "key"), key, len);
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_PARSE, "another key");
    file_write(place_path(&w.place, "key"), key, 31);
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_PARSE, "no file of 32 bytes");
    unlink(place_path(&w.place, "key"));
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_IO, "key is missing");
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_IO, "key is missing");
    key[3] ^= 1;
    file_write(place_path(&w.place, "key"), key, len);
    chmod(place_path(&w.place, "key"), 0644);
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_INVALID, "chmod 600");
    chmod(place_path(&w.place, "key"), 0600);
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_READ));
    free(key);
    world_close(&w);
}

/* Every entry gone and the key too: it is said, and no key of no use is made. */
static void test_nothing_left(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    unlink(place_path(&w.place, "000001.json"));
    unlink(place_path(&w.place, "key"));
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_IO, "missing");
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_IO, "missing");
    assert_int_not_equal(access(place_path(&w.place, "key"), F_OK), 0);
    world_close(&w);
}

/* An entry of a later tacit: right, but for what this one knows. */
static void test_later_formats(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    size_t len, key_len;
    const char *path = place_path(&w.place, "000001.json");
    char *bytes = file_read(path, &len), *at = strstr(bytes, "\"tacit ledger\": 2");
    at[sizeof "\"tacit ledger\": " - 1] = '4';
    char *key = file_read(place_path(&w.place, "key"), &key_len);
    tacit__strbuf text = {0};
    tacit__strbuf_add(&text, bytes, len - TACIT__ENTRY_TAIL);
    tacit__entry_checksum(&text, (const unsigned char *)key);
    file_write(place_path(&w.place, "000001.json"), text.bytes, text.len);
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_PARSE, "format 4");
    tacit__strbuf_clear(&text);
    free(key);
    free(bytes);
    world_close(&w);
}

/* An entry of the first format, which knew data by its name alone: recalled as ever. */
static void test_first_format(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    size_t len, key_len;
    char *bytes = file_read(place_path(&w.place, "000001.json"), &len);
    strstr(bytes, "\"tacit ledger\": 2")[sizeof "\"tacit ledger\": " - 1] = '1';
    char *sketch = strstr(bytes, "\"sketch\": ");
    char *key = file_read(place_path(&w.place, "key"), &key_len);
    tacit__strbuf text = {0};
    tacit__strbuf_add(&text, bytes, (size_t)(sketch - bytes));
    tacit__entry_checksum(&text, (const unsigned char *)key);
    file_write(place_path(&w.place, "000001.json"), text.bytes, text.len);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    tacit_ledger_likeness like = {.sketched = true};
    assert_int_equal(tacit_ledger_recognize(&like, ledger, w.c.data, NULL, NULL), TACIT_OK);
    assert_false(like.sketched || like.recognized);
    tacit_ledger_recalled out = recall(ledger, &w.c, w.c.data);
    assert_rows(&out, RELEASE);
    tacit_text_free(out.csv);
    assert_int_equal(tacit_ledger_confirm(ledger, 1, NULL), TACIT_OK);
    tacit_ledger_free(ledger);
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_READ));
    tacit__strbuf_clear(&text);
    free(key);
    free(bytes);
    world_close(&w);
}

/* ---- others ---- */

static bool stop(const char *phase, int64_t done, int64_t total, void *payload)
{
    (void)done;
    (void)total;
    assert_string_equal(phase, "waiting for the ledger");
    return ++*(int *)payload < 3;
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    world w;
    world_open(&w);
    int asked = 0;
    char who[64];
    tacit_run run;
    tacit_error err = {0};
    tacit_ledger *second = NULL, *first = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    snprintf(who, sizeof who, "process %lld is at work", (long long)getpid());
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_LIMIT, who);
    ledger_refused(&w.place, TACIT_LEDGER_READ, TACIT_LIMIT, who);
    tacit_run_init(&run);
    run.progress = stop;
    run.payload = &asked;
    assert_int_equal(tacit_ledger_open(&second, w.place.ledger,
                                       TACIT_LEDGER_WRITE | TACIT_LEDGER_WAIT, &run, &err),
                     TACIT_CANCELLED);
    assert_int_equal(asked, 3);
    tacit_ledger_free(first);
    first = ledger_open(&w.place, TACIT_LEDGER_READ);
    second = ledger_open(&w.place, TACIT_LEDGER_READ);
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_LIMIT, "at work");
    tacit_ledger_free(first);
    tacit_ledger_free(second);
    world_close(&w);
}

static void test_no_ledger(void **state)
{
    (void)state;
    ledger_place place;
    place_open(&place);
    ledger_refused(&place, TACIT_LEDGER_READ, TACIT_IO, "is no ledger");
    file_write(place.ledger, "x", 1);
    ledger_refused(&place, TACIT_LEDGER_WRITE, TACIT_IO, "Not a directory");
    unlink(place.ledger);
    strcat(place.ledger, "/deeper");
    ledger_refused(&place, TACIT_LEDGER_WRITE, TACIT_IO, "cannot make the ledger's folder");
    place_close(&place);
}

/* Who may not write may read. */
static void test_read_only(void **state)
{
    (void)state;
    if (geteuid() == 0) {
        print_message("nothing is read-only for root\n");
        skip();
    }
    world w;
    world_open(&w);
    chmod(w.place.ledger, 0500);
    tacit_ledger *ledger = ledger_open(&w.place, TACIT_LEDGER_WRITE);
    const tacit_ledger_facts facts = {.source = "people", .path = "-"};
    int64_t number = 0;
    tacit_error err = {0};
    assert_int_equal(tacit_ledger_announce(&number, ledger, &facts, w.c.data, 0, NULL, &err),
                     TACIT_IO);
    assert_int_equal(tacit_ledger_count(ledger), 1);
    tacit_ledger_free(ledger);
    chmod(place_path(&w.place, "lock"), 0400);
    ledger_refused(&w.place, TACIT_LEDGER_WRITE, TACIT_IO, "cannot open the ledger's lock");
    tacit_ledger_free(ledger_open(&w.place, TACIT_LEDGER_READ));
    chmod(w.place.ledger, 0700);
    world_close(&w);
}

/* What a killed run leaves: a hidden file, or a folder without a key. */
static void test_what_is_left_over(void **state)
{
    (void)state;
    ledger_place place;
    place_open(&place);
    tacit_ledger_free(ledger_open(&place, TACIT_LEDGER_WRITE));
    unlink(place_path(&place, "key"));
    file_write(place_path(&place, ".000001.json.tacit-0123abcd"), "{", 1);
    file_write(place_path(&place, "notes.txt"), "mine", 4);
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_READ);
    assert_int_equal(tacit_ledger_count(ledger), 0);
    tacit_ledger_free(ledger);
    tacit_ledger_free(ledger_open(&place, TACIT_LEDGER_WRITE));
    assert_int_not_equal(access(place_path(&place, ".000001.json.tacit-0123abcd"), F_OK), 0);
    assert_int_equal(access(place_path(&place, "notes.txt"), F_OK), 0);
    place_close(&place);
}

/* Names that need care in JSON, in CSV, and a source that is none. */
static void test_awkward_names(void **state)
{
    (void)state;
    static const char text[] = "\"a \"\"b\"\"\",\"c,d\\\",\"e\nf\"\n1,\"x\n\"\"y\",\n,,\n,,\n";
    ledger_place place;
    place_open(&place);
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_WRITE);
    ledger_put(&place, ledger, text, NULL, 0);
    tacit_ledger_free(ledger);
    ledger = ledger_open(&place, TACIT_LEDGER_WRITE);
    tacit_table *data = table_of(text);
    const tacit_ledger_sight sight = {.data = data};
    tacit_ledger_recalled out = {0};
    assert_int_equal(tacit_ledger_recall(&out, ledger, 1, &sight, NULL, NULL), TACIT_OK);
    assert_rows(&out, text);
    tacit_table *found = table_of(out.csv);
    for (int32_t c = 0; c < 3; c++)
        assert_true(tacit_strview_equal(tacit_table_name(found, c), tacit_table_name(data, c)));
    int64_t number = 0;
    const tacit_ledger_facts nameless = {.source = "\xff", .path = "-"};
    tacit_error err = {0};
    assert_int_equal(tacit_ledger_announce(&number, ledger, &nameless, data, 0, NULL, &err),
                     TACIT_INVALID);
    tacit_table_free(found);
    tacit_text_free(out.csv);
    tacit_table_free(data);
    tacit_ledger_free(ledger);
    place_close(&place);
}

/* What a table with noise spends is kept, in a format that an earlier version refuses; of another
 * release nothing is. */
static void test_budget(void **state)
{
    (void)state;
    ledger_place place;
    place_open(&place);
    tacit_ledger *ledger = ledger_open(&place, TACIT_LEDGER_WRITE);
    tacit_table *release = table_of("sex,freq\nm,3\nf,-1\n");
    const tacit_ledger_facts facts = {.source = "people",
                                      .path = place.release,
                                      .method = "dp",
                                      .metric = "records",
                                      .epsilon = 250000,
                                      .budget = 2000000};
    int64_t number = 0;
    tacit_error err = {0};
    FILE *file = tmpfile();
    assert_int_equal(
        tacit_ledger_announce(&number, ledger, &facts, release, fileno(file), NULL, &err),
        TACIT_OK);
    assert_int_equal(tacit_ledger_confirm(ledger, number, &err), TACIT_OK);
    fclose(file);
    tacit_ledger_free(ledger);
    tacit_table_free(release);
    ledger = ledger_open(&place, TACIT_LEDGER_READ);
    assert_int_equal(tacit_ledger_at(ledger, 0)->epsilon, 250000);
    assert_int_equal(tacit_ledger_at(ledger, 0)->budget, 2000000);
    assert_string_equal(tacit_ledger_at(ledger, 0)->metric, "records");
    tacit_ledger_free(ledger);
    size_t len = 0;
    char path[160];
    snprintf(path, sizeof path, "%s/000001.json", place.ledger);
    char *bytes = file_read(path, &len);
    assert_non_null(strstr(bytes, "\"tacit ledger\": 3"));
    free(bytes);
    place_close(&place);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recalls_what_was_released),
        cmocka_unit_test(test_says_what_it_knows),
        cmocka_unit_test(test_holds_no_value),
        cmocka_unit_test(test_files_are_the_owners),
        cmocka_unit_test(test_longer_values_and_fractions),
        cmocka_unit_test(test_people_who_left),
        cmocka_unit_test(test_values_of_a_later_release),
        cmocka_unit_test(test_rewritten_values),
        cmocka_unit_test(test_a_hierarchy_that_changed),
        cmocka_unit_test(test_every_byte_counts),
        cmocka_unit_test(test_missing_entries),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_nothing_left),
        cmocka_unit_test(test_later_formats),
        cmocka_unit_test(test_first_format),
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_no_ledger),
        cmocka_unit_test(test_read_only),
        cmocka_unit_test(test_what_is_left_over),
        cmocka_unit_test(test_awkward_names),
        cmocka_unit_test(test_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
