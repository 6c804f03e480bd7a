/*
 * test_ledger_recall.c - random releases remembered and recalled with data that has changed: people
 * have left, others have come, with longer and with fractional values. Whatever row belongs to a
 * person who is still there is recalled as it was released; whatever is not known is told apart as
 * it was; and every recalled value can be put into a lineage beside the data.
 */
#include "ledger_case.h"

#include <tacit/experimental/lineage.h>

#include "random_cases.h"

enum { COLUMNS = 6, MAX_ROWS = 24, WIDTH = 128 };

static const char *const NAMES[COLUMNS] = {"zip", "age", "birth", "job", "sex", "note"};
static const char JOBS[] = "nurse;medical;all\ndoctor;medical;all\nbaker;food;all\ncook;food;all\n";

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

typedef char cell[WIDTH];

/* What the people of a row are like; later ones may be written in longer ways. */
static void draw_row(cell *row, uint64_t *seed, bool later)
{
    static const char *const jobs[] = {"nurse", "doctor", "baker", "cook"};
    unsigned zip = 2130 + (unsigned)next(seed) % 30, age = 20 + (unsigned)next(seed) % 12;
    bool longer = later && next(seed) % 4 == 0, shorter = next(seed) % 6 == 0;
    snprintf(row[0], WIDTH, longer ? "%u-99" : shorter ? "%.0u7" : "%u", zip);
    snprintf(row[1], WIDTH, longer ? "%u.5" : "%u", age);
    snprintf(row[2], WIDTH, "%u-%02u-%02u", 1960 + (unsigned)next(seed) % 12,
             1 + (unsigned)next(seed) % 2, 1 + (unsigned)next(seed) % 28);
    snprintf(row[3], WIDTH, "%s", jobs[next(seed) % 4]);
    snprintf(row[4], WIDTH, "%s", next(seed) % 2 ? "m" : "f");
    snprintf(row[5], WIDTH, "%u", (unsigned)next(seed) % 9);
    for (int c = 0; c < COLUMNS; c++)
        if (next(seed) % 10 == 0)
            row[c][0] = '\0';
}

typedef struct rows {
    cell cells[MAX_ROWS][COLUMNS];
    int count;
} rows;

static char *write_csv(const rows *r)
{
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    fprintf(out, "zip,age,birth,job,sex,note\n");
    for (int i = 0; i < r->count; i++)
        for (int c = 0; c < COLUMNS; c++)
            fprintf(out, "\"%s\"%s", r->cells[i][c], c + 1 < COLUMNS ? "," : "\n");
    fclose(out);
    return text;
}

typedef struct fixture {
    ledger_place place;
    tacit_hierarchy_spec specs[COLUMNS];
    tacit_hierarchy *bound[COLUMNS];
    tacit_ledger_fact facts[COLUMNS];
} fixture;

static void bind(fixture *f, const tacit_table *data, uint64_t *seed)
{
    char jobs[96];
    snprintf(jobs, sizeof jobs, "%s/jobs.csv", f->place.folder);
    file_write(jobs, JOBS, strlen(JOBS));
    bool fine = next(seed) % 2;
    const char *rules[COLUMNS] = {
        "mask:right", fine ? "interval:0/2.5,5" : "interval:1/2,4,8", "date", jobs, "none", "none"};
    for (int i = 0; i < COLUMNS; i++) {
        tacit_error err = {0};
        assert_int_equal(tacit_hierarchy_spec_parse(&f->specs[i], rules[i], NULL, &err), TACIT_OK);
        if (tacit_hierarchy_new(&f->bound[i], &f->specs[i], data, i, &err) != TACIT_OK)
            fail_msg("%s", err.message);
        f->facts[i] = (tacit_ledger_fact){
            .name = NAMES[i], .role = "quasi", .spec = &f->specs[i], .hierarchy = f->bound[i]};
    }
}

/* Each cell on a level of its own. */
static void release_rows(rows *out, const rows *data, const tacit_table *table, const fixture *f,
                         uint64_t *seed)
{
    out->count = data->count;
    for (int i = 0; i < data->count; i++)
        for (int c = 0; c < COLUMNS; c++) {
            int level = (int)(next(seed) % (uint64_t)(tacit_hierarchy_height(f->bound[c]) + 1));
            uint32_t code = tacit_codes_at(tacit_table_codes(table, c), i);
            uint32_t number = tacit_hierarchy_map(f->bound[c], level)[code];
            tacit_strview label = {"", 0};
            if (number < tacit_hierarchy_count(f->bound[c], level))
                label = tacit_hierarchy_label(f->bound[c], level, number);
            snprintf(out->cells[i][c], WIDTH, "%.*s", (int)label.len, label.bytes);
        }
}

static bool is_stand_in(tacit_strview value)
{
    return value.len > 0 && (value.bytes[0] == '?' || value.len > 15 ||
                             (value.len > 4 && memcmp(value.bytes, "9999", 4) == 0));
}

/* Whether a column of the recalled table has a value. */
static bool has_value(const tacit_table *table, int32_t c, const char *text)
{
    for (uint32_t i = 0; i < tacit_table_distinct(table, c); i++)
        if (tacit_strview_equal(tacit_table_value(table, c, i), tacit_strview_of(text)))
            return true;
    return !*text;
}

/* The rows of a table with one word for all that is not known. */
static char *rows_with_unknown(const tacit_table *table, const tacit_table *known)
{
    rows *r = calloc(1, sizeof *r);
    r->count = (int)tacit_table_rows(table);
    for (int i = 0; i < r->count; i++)
        for (int32_t c = 0; c < COLUMNS; c++) {
            uint32_t code = tacit_codes_at(tacit_table_codes(table, c), i);
            tacit_strview value = {"", 0};
            if (code < tacit_table_distinct(table, c))
                value = tacit_table_value(table, c, code);
            char text[WIDTH];
            snprintf(text, sizeof text, "%.*s", (int)value.len, value.bytes);
            bool strange = known == table ? is_stand_in(value) : !has_value(known, c, text);
            snprintf(r->cells[i][c], WIDTH, "%s", strange ? "unknown" : text);
        }
    char *csv = write_csv(r);
    tacit_table *written = table_of(csv);
    char *sorted = sorted_rows(written);
    tacit_table_free(written);
    free(csv);
    free(r);
    return sorted;
}

static void assert_recalled(const tacit_ledger_recalled *out, const tacit_table *found,
                            const tacit_table *released)
{
    uint32_t unknown = 0;
    int64_t strange = 0;
    for (int32_t c = 0; c < COLUMNS; c++) {
        assert_int_equal(tacit_table_distinct(found, c), tacit_table_distinct(released, c));
        for (uint32_t i = 0; i < tacit_table_distinct(found, c); i++)
            unknown += is_stand_in(tacit_table_value(found, c, i));
    }
    for (int64_t i = 0; i < tacit_table_rows(found); i++) {
        bool any = false;
        for (int32_t c = 0; c < COLUMNS; c++) {
            uint32_t code = tacit_codes_at(tacit_table_codes(found, c), i);
            any |= code < tacit_table_distinct(found, c) &&
                   is_stand_in(tacit_table_value(found, c, code));
        }
        strange += any;
    }
    assert_int_equal(out->unknown_labels, unknown);
    assert_int_equal(out->unknown_rows, strange);
    char *a = rows_with_unknown(found, found), *b = rows_with_unknown(released, found);
    assert_string_equal(a, b);
    free(a);
    free(b);
}

/* Everything of those who stayed is known. */
static void assert_complete(const tacit_table *found, const rows *released, int stayed)
{
    for (int i = 0; i < stayed; i++)
        for (int32_t c = 0; c < COLUMNS; c++)
            if (!has_value(found, c, released->cells[i][c]))
                fail_msg("\"%s\" of %s is not known", released->cells[i][c], NAMES[c]);
}

static void assert_lineage(const tacit_table *found, const tacit_table *data, const fixture *f)
{
    for (int32_t c = 0; c < COLUMNS; c++) {
        const tacit_lineage_source sources[] = {{.table = found, .column = c},
                                                {.table = data, .column = c}};
        tacit_lineage *lineage = NULL;
        tacit_error err = {0};
        if (tacit_lineage_new(&lineage, &f->specs[c], sources, 2, &err) != TACIT_OK)
            fail_msg("%s: %s", NAMES[c], err.message);
        const uint32_t *ends = tacit_lineage_ends(lineage);
        for (uint32_t i = 0; i < tacit_table_distinct(found, c); i++)
            for (uint32_t j = 0; j < tacit_table_distinct(data, c); j++)
                if (is_stand_in(tacit_table_value(found, c, i)))
                    assert_false(tacit_lineage_agree(ends, tacit_lineage_nodes(lineage, 0)[i],
                                                     tacit_lineage_nodes(lineage, 1)[j]));
        tacit_lineage_free(lineage);
    }
}

static void recall_and_compare(const fixture *f, const rows *released, const rows *later,
                               int stayed)
{
    char *text = write_csv(later), *old = write_csv(released);
    tacit_table *data = table_of(text), *table = table_of(old);
    tacit_ledger *ledger = ledger_open(&f->place, TACIT_LEDGER_READ);
    const tacit_ledger_sight sight = {.data = data, .columns = f->facts, .column_count = COLUMNS};
    tacit_ledger_recalled out = {0};
    tacit_error err = {0};
    if (tacit_ledger_recall(&out, ledger, 1, &sight, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table *found = table_of(out.csv);
    assert_recalled(&out, found, table);
    assert_complete(found, released, stayed);
    assert_lineage(found, data, f);
    tacit_table_free(found);
    tacit_text_free(out.csv);
    tacit_ledger_free(ledger);
    tacit_table_free(table);
    tacit_table_free(data);
    free(text);
    free(old);
}

static void one_case(uint64_t seed)
{
    fixture f = {0};
    rows *data = calloc(3, sizeof *data), *released = data + 1, *later = data + 2;
    place_open(&f.place);
    data->count = (int)(next(&seed) % MAX_ROWS);
    for (int i = 0; i < data->count; i++)
        draw_row(data->cells[i], &seed, false);
    char *text = write_csv(data);
    tacit_table *table = table_of(text);
    bind(&f, table, &seed);
    release_rows(released, data, table, &f, &seed);
    tacit_ledger *ledger = ledger_open(&f.place, TACIT_LEDGER_WRITE);
    char *csv = write_csv(released);
    ledger_put(&f.place, ledger, csv, f.facts, COLUMNS);
    tacit_ledger_free(ledger);
    int stayed = data->count ? (int)(next(&seed) % (uint64_t)(data->count + 1)) : 0;
    memcpy(later, data, sizeof *later);
    later->count = stayed + (int)(next(&seed) % (uint64_t)(MAX_ROWS - stayed));
    for (int i = stayed; i < later->count; i++)
        draw_row(later->cells[i], &seed, true);
    recall_and_compare(&f, released, later, stayed);
    for (int i = 0; i < COLUMNS; i++) {
        tacit_hierarchy_free(f.bound[i]);
        tacit_hierarchy_spec_clear(&f.specs[i]);
    }
    tacit_table_free(table);
    free(text);
    free(csv);
    free(data);
    place_close(&f.place);
}

static void test_recall(void **state)
{
    uint64_t *seed = *state;
    uint64_t cases = many_cases(150);
    for (*seed = 1; *seed <= cases; ++*seed)
        one_case(*seed);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_recall, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
