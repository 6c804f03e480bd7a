/*
 * test_audit_written_random.c - random tables, flat, hierarchical and linked, with random
 * patterns: what is written passes the second check in any order of its rows, and any other
 * row, field, column or letter is found, without a value in what is said.
 */
#include "written.h"

#include "random_cases.h"

enum { LINES = 4096, FIELDS = 8, BYTES = 16, MAX_TEXT = 1 << 16 };

/* A release cut into lines and fields; line 0 is the header. */
typedef struct release {
    int lines, fields;
    char field[LINES][FIELDS][BYTES];
} release;

static void cut(release *r, const char *text)
{
    r->lines = r->fields = 0;
    while (*text) {
        int field = 0;
        assert_true(r->lines < LINES);
        for (;; field++, text++) {
            size_t len = strcspn(text, ";\n");
            assert_true(field < FIELDS && len < BYTES);
            snprintf(r->field[r->lines][field], BYTES, "%.*s", (int)len, text);
            text += len;
            if (*text != ';')
                break;
        }
        text += *text == '\n';
        r->fields = field + 1;
        r->lines++;
    }
}

static char *text_of(const release *r)
{
    char *text = malloc((size_t)(r->lines + 1) * FIELDS * BYTES), *at = text;
    *at = '\0';
    for (int i = 0; i < r->lines; i++)
        for (int k = 0; k < r->fields; k++)
            at += sprintf(at, "%s%c", r->field[i][k], k + 1 < r->fields ? ';' : '\n');
    return text;
}

static int by_fields(const void *a, const void *b)
{
    return memcmp(a, b, FIELDS * BYTES);
}

/* The same rows, in whatever order. */
static bool same_release(const release *a, const release *b)
{
    static release x, y;
    if (a->lines != b->lines || memcmp(a->field[0], b->field[0], sizeof a->field[0]) != 0)
        return false;
    x = *a;
    y = *b;
    qsort(x.field[1], (size_t)x.lines - 1, sizeof x.field[0], by_fields);
    qsort(y.field[1], (size_t)y.lines - 1, sizeof y.field[0], by_fields);
    for (int i = 1; i < x.lines; i++)
        for (int k = 0; k < x.fields; k++)
            if (strcmp(x.field[i][k], y.field[i][k]) != 0)
                return false;
    return true;
}

/* ---- tables ---- */

typedef struct ground {
    int count;
    char codes[16][BYTES];
} ground;

/* A hierarchy of some ground codes in groups, now and then with a code that has one part. */
static void hierarchy_text(char *text, ground *g, char letter)
{
    g->count = 0;
    text += sprintf(text, "%cT\n", letter);
    for (int group = 0, groups = 1 + random_below(3); group < groups; group++) {
        int parts = random_below(3);
        text += sprintf(text, "@%cg%d\n", letter, group);
        if (!parts)
            sprintf(g->codes[g->count++], "%cg%d", letter, group);
        for (int i = 0; i < parts; i++) {
            sprintf(g->codes[g->count], "%c%d", letter, g->count);
            text += sprintf(text, "@@%s\n", g->codes[g->count++]);
        }
    }
}

/* Two dimensions; what all parts say of the first alone is the same. */
static tacit_cells *random_part(const char *first, const char *second, bool counts)
{
    char text[1024], name[32], dimensions[512];
    static char csv[MAX_TEXT];
    char *at = csv;
    ground g;
    hierarchy_text(text, &g, second[0]);
    snprintf(name, sizeof name, "%s.hrc", second);
    snprintf(dimensions, sizeof dimensions, "%s %s=%s", first, second, file_of(name, text));
    at += sprintf(at, "%s,%s,%s\n", first, second, counts ? "freq" : "v");
    for (int i = 0; i < 3; i++)
        for (int k = 0, left = 1000 * (i + 1); k < g.count; k++) {
            int share = k + 1 == g.count ? left : random_below(100);
            left -= share;
            at += sprintf(at, "r%d,%s,%d\n", i, g.codes[k], share);
        }
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    spec->value = counts ? NULL : "v";
    return cells_of(csv, spec, tacit_cells_from_table);
}

static tacit_cells *random_table(void)
{
    tacit_cells *parts[2] = {0}, *cells = NULL;
    int count = 1 + random_below(2);
    bool counts = random_below(2);
    for (int i = 0; i < count; i++)
        parts[i] = random_part("r", i ? "e" : "d", counts);
    assert_int_equal(tacit_cells_link(&cells, (const tacit_cells *const *)parts, count, 0, NULL),
                     TACIT_OK);
    for (int i = 0; i < count; i++)
        tacit_cells_free(parts[i]);
    for (int32_t i = 0; i < cells->count; i++)
        cells->status[i] = "suzx"[random_below(8) < 5 ? 0 : random_below(4)];
    return cells;
}

/* ---- tampering ---- */

static void change_field(release *r)
{
    int line = random_below(r->lines), field = random_below(r->fields);
    static const char *const OTHERS[] = {"", "s", "u", "x", "0", "1", "Total", "nan", "10 ", "é"};
    if (random_below(2) == 0)
        strcpy(r->field[line][field], OTHERS[random_below(10)]);
    else
        memcpy(r->field[line][field], r->field[random_below(r->lines)][random_below(r->fields)],
               BYTES);
}

static void change_digit(release *r)
{
    char *value = r->field[1 + random_below(r->lines - 1)][r->fields - 2];
    if (*value)
        *value = (char)('1' + (*value - '0') % 9);
}

static void drop_line(release *r)
{
    int line = 1 + random_below(r->lines - 1);
    memmove(r->field[line], r->field[line + 1], sizeof r->field[0] * (size_t)(r->lines - line - 1));
    r->lines--;
}

static void add_line(release *r)
{
    memcpy(r->field[r->lines], r->field[1 + random_below(r->lines - 1)], sizeof r->field[0]);
    r->lines++;
}

static void add_column(release *r)
{
    for (int i = 0; i < r->lines; i++)
        sprintf(r->field[i][r->fields], "%s%d", i ? "" : "more", i);
    r->fields++;
}

/* Changes nothing but the order. */
static void swap_lines(release *r)
{
    char kept[FIELDS][BYTES];
    int a = 1 + random_below(r->lines - 1), b = 1 + random_below(r->lines - 1);
    memcpy(kept, r->field[a], sizeof kept);
    memmove(r->field[a], r->field[b], sizeof kept);
    memcpy(r->field[b], kept, sizeof kept);
}

static void swap_fields(release *r)
{
    int a = 1 + random_below(r->lines - 1), b = 1 + random_below(r->lines - 1);
    int field = random_below(r->fields);
    char kept[BYTES];
    memcpy(kept, r->field[a][field], BYTES);
    memmove(r->field[a][field], r->field[b][field], BYTES);
    memcpy(r->field[b][field], kept, BYTES);
}

static void tamper(release *r)
{
    static void (*const WAYS[])(release *) = {change_field, change_digit, drop_line,  add_line,
                                              add_column,   swap_lines,   swap_fields};
    WAYS[random_below(7)](r);
}

/* Names of columns that are the same are refused by the reader. */
static bool readable(const release *r)
{
    for (int i = 0; i < r->fields; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(r->field[0][i], r->field[0][k]))
                return false;
    return true;
}

/* No number of the table, and none of the file, stands in a message. */
static void check_silent(const tacit_cells_written *found)
{
    for (int32_t i = 0; i < found->listed; i++) {
        const char *what = strrchr(found->problems[i].message, ':');
        for (; what && *what; what++)
            assert_false(*what >= '0' && *what <= '9');
    }
}

static void test_tampering(void **state)
{
    uint64_t *seed = *state;
    static release honest, changed;
    int64_t broken = 0, whole = 0;
    for (*seed = 1; *seed <= many_cases(1500); ++*seed) {
        random_start(*seed);
        tacit_cells *cells = random_table();
        char *text = release_of(cells, NULL);
        cut(&honest, text);
        changed = honest;
        for (int k = random_below(3); k >= 0; k--)
            tamper(&changed);
        free(text);
        if (readable(&changed)) {
            text = text_of(&changed);
            tacit_cells_written *found = checked(cells, NULL, text);
            bool same = same_release(&honest, &changed);
            assert_int_equal(found->holds, same);
            assert_int_equal(found->problem_count == 0, same);
            if (same)
                assert_memory_equal(found->status, cells->status, cells->count);
            check_silent(found);
            *(same ? &whole : &broken) += 1;
            tacit_cells_written_free(found);
            free(text);
        }
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    assert_true(broken > 10 * 10 && whole > 10);
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {random_test(test_tampering, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
