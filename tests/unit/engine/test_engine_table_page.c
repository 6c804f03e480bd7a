/*
 * test_engine_table_page.c - a protected table on a page: what is drawn, in which order and how
 * much of it, the words for what can be told, and that the page tells nothing that the
 * release does not: tables with the same release have the same page, byte for byte.
 */
#include "tables.h"

#include "engine/job/files.h"
#include "engine/tables/tables.h"
#include "pages.h"
#include "random_cases.h"

#include <tacit/experimental/audit_cells.h>

#define DISC   "\xE2\x97\x8F"
#define CIRCLE "\xE2\x97\x8B"
#define DASH   " \xE2\x80\x93 "

static tacit_cells *table_of(const char *csv, const char *dimensions)
{
    return cells_of(csv, &spec_of(dimensions)->spec, tacit_cells_from_table);
}

static tacit_cells_audit *audit_of(const tacit_cells *cells)
{
    tacit_cells_audit *audit = NULL;
    tacit_run run;
    tacit_error err = {0};
    tacit_run_init(&run);
    run.threads = 1;
    if (tacit_audit_cells(&audit, cells, NULL, NULL, &run, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    return audit;
}

/* What a page of a table has: levels, and the table. */
static struct {
    const tacit_cells *cells;
    tacit_cells_audit *audit;
    engine_table_levels levels;
} subject;

static void draw(tacit_page *page, const void *nothing)
{
    (void)nothing;
    engine_table_page(page, subject.cells, NULL, subject.audit);
}

static void fill(tacit_report *report, const void *nothing)
{
    engine_table_levels_facts(report, &subject.levels);
    tacit_report_drawing(report, draw, nothing);
}

static char *page_of(const tacit_cells *cells)
{
    subject.cells = cells;
    subject.audit = audit_of(cells);
    assert_int_equal(engine_table_levels_init(&subject.levels, cells, NULL, NULL), TACIT_OK);
    char *html = NULL;
    const engine_reports reports = {.title = "t", .fill = fill};
    assert_int_equal(engine_report_html(&html, &reports, NULL, NULL, NULL), TACIT_OK);
    engine_table_levels_clear(&subject.levels);
    tacit_cells_audit_free(subject.audit);
    return html;
}

/* ---- what is drawn ---- */

static void test_small(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("sex,region,freq,status\nf,n,1,u\nf,s,3,x\nf,e,0,z\nm,n,2,x\n"
                                  "m,s,4000,x\nm,e,7,z\n",
                                  "sex region");
    char *html = page_of(cells);
    assert_sound(html);
    assert_has(html, "Where cells are suppressed");
    assert_has(html, "<figcaption>region by sex</figcaption>\n<p class=\"legend kinds\">");
    assert_has(html, "<thead><tr><td>region\xC2\xA0\xE2\x86\x93 sex\xC2\xA0\xE2\x86\x92</td>"
                     "<th scope=\"col\">Total</th><th scope=\"col\" style=\"--depth:1\">f</th>");
    assert_has(html, "<tr><th scope=\"row\">Total</th><td title=\"Total, Total\">4 013</td>"
                     "<td title=\"Total, f\">4</td><td title=\"Total, m\">4 009</td></tr>\n"
                     "<tr><th scope=\"row\" style=\"--depth:1\">n</th><td title=\"n, Total\">3</td>"
                     "<td class=\"kind1\" tabindex=\"0\" title=\"n, f" DASH
                     "primary (confidential): anybody can tell that it is between 0 and 3\">" DISC
                     "</td><td class=\"kind2\" tabindex=\"0\" title=\"n, m" DASH
                     "secondary (protects others): anybody can tell that it is between 0 and "
                     "3\">" CIRCLE "</td></tr>\n");
    assert_has(html, "<td class=\"kind4\" title=\"e, f" DASH "must be published\">0</td>"
                     "<td class=\"kind3\" title=\"e, m" DASH "must be published\">7</td></tr>");
    assert_null(strstr(html, "left out"));
    tacit_text_free(html);
    tacit_cells_free(cells);
}

/* Grids of a third dimension, the most general first; codes with all their names. */
static void test_grids(void **state)
{
    (void)state;
    char spec[256];
    snprintf(spec, sizeof spec, "age=%s region sex",
             file_of("1.hrc", "T\n@old\n@@70\n@@80\n@young\n@@10\n"));
    tacit_cells *cells = table_of("age,region,sex,freq\n70,n,f,1\n80,s,f,2\n10,e,m,3\n70,w,x,1\n"
                                  "80,u,y,1\n",
                                  spec);
    char *html = page_of(cells);
    /* five codes of age (young and 10 are one), six of region, five of sex */
    assert_has(html, "<figcaption>region by age; sex: Total</figcaption>");
    assert_int_equal(count_of(html, "<table class=\"cells\">"), 5);
    assert_int_equal(count_of(html, "<p class=\"legend kinds\">"), 1);
    assert_has(html, "style=\"--depth:1\">young / 10</th>");
    assert_has(html, "title=\"e, young / 10; sex: m\">3</td>");
    tacit_text_free(html);
    tacit_cells_free(cells);
}

/* Depth first is f1 before m; most general first is m before f1. */
static void test_general_first(void **state)
{
    (void)state;
    char spec[256];
    snprintf(spec, sizeof spec, "c=%s a b", file_of("1.hrc", "T\n@f\n@@f1\n@@f2\n@m\n"));
    tacit_cells *cells =
        table_of("c,a,b,freq\nf1,1,1,1\nf2,2,2,2\nm,3,3,3\nm,4,4,3\nm,5,5,5\n", spec);
    char *html = page_of(cells), *at = html;
    static const char *const order[] = {"T", "f", "m", "f1", "f2"};
    for (size_t i = 0; i < 5; i++) {
        char title[64];
        snprintf(title, sizeof title, "<figcaption>a by b; c: %s</figcaption>", order[i]);
        assert_non_null(at = strstr(at, title));
    }
    tacit_text_free(html);
    tacit_cells_free(cells);
}

static void test_single(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,freq,status\np,1,u\nq,2,x\nr,5,s\n", "a");
    char *html = page_of(cells);
    assert_has(html, "<figcaption>a</figcaption>");
    assert_has(html, "<thead><tr><td>a</td><th scope=\"col\">number</th></tr></thead>");
    assert_has(html, "title=\"p" DASH "primary (confidential): anybody can tell that it is "
                     "between 0 and 3\">");
    tacit_text_free(html);
    tacit_cells_free(cells);
}

static void test_linked(void **state)
{
    (void)state;
    tacit_cells *a =
        table_of("region,sex,freq,status\nn,f,1,u\nn,m,2,x\ns,f,3,x\ns,m,4,x\n", "region sex");
    tacit_cells *b = table_of("region,age,freq\nn,old,3\ns,old,5\ns,new,2\n", "region age");
    const tacit_cells *parts[] = {a, b};
    tacit_cells *cells = NULL;
    assert_int_equal(tacit_cells_link(&cells, parts, 2, 0, NULL), TACIT_OK);
    char *html = page_of(cells);
    assert_has(html, ">The tables</h2>");
    assert_has(html, "<figcaption>Table 1: region by sex</figcaption>");
    assert_has(html, "<figcaption>Table 2: region by age</figcaption>");
    assert_has(html, "title=\"n, old\">3</td>");
    tacit_text_free(html);
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(cells);
}

/* More cells than a page should have: 200 columns and 200 rows, total and all. */
static void test_large(void **state)
{
    (void)state;
    char *csv = malloc(250 * 32 + 64), *at = csv + sprintf(csv, "a,b,freq\n");
    for (int i = 0; i < 250; i++)
        at += sprintf(at, "a%d,b%d,%d\n", i, i % 220, i);
    tacit_cells *cells = table_of(csv, "a b");
    char *html = page_of(cells);
    assert_has(html, "15 471 of 55 471 cells are left out here; the release has all of them.");
    assert_int_equal(count_of(html, "<td class=\"kind4\"") + count_of(html, "<td title="), 40000);
    assert_has(html, "<th scope=\"row\">Total</th>");
    assert_has(html, ">a198</th>");
    assert_null(strstr(html, ">a199</th>"));
    tacit_text_free(html);
    tacit_cells_free(cells);
    free(csv);
}

static void test_jj(void **state)
{
    (void)state;
    tacit_cells *cells = jj_of("0\n4\n0 10 1 s 0 99 0 0 0\n1 4 1 u 3 5 1 1 0\n2 6 1 x 5 7 0 0 0\n"
                               "3 1 1 z 0 9 0 0 0\n1\n0 3 : 0 (-1) 1 (1) 2 (1)\n");
    char *html = page_of(cells);
    assert_sound(html);
    assert_null(strstr(html, "Where cells"));
    assert_has(html, "<th scope=\"row\" class=\"number\">1</th><td>primary (confidential): "
                     "anybody can tell that it is between 0 and 10</td></tr>\n"
                     "<tr><th scope=\"row\" class=\"number\">2</th>"
                     "<td>secondary (protects others): ");
    tacit_text_free(html);
    tacit_cells_free(cells);
}

static void test_jj_long(void **state)
{
    (void)state;
    enum { CELLS = 1200 };
    char *text = malloc(CELLS * 40 + 64), *at = text + sprintf(text, "0\n%d\n", CELLS);
    for (int i = 0; i < CELLS; i++)
        at += sprintf(at, "%d 4 1 %c 0 9 0 0 0\n", i, i < 150 ? 's' : 'x');
    sprintf(at, "0\n");
    tacit_cells *cells = jj_of(text);
    char *html = page_of(cells);
    assert_has(html, "50 of 1 050 suppressed cells are left out here");
    assert_int_equal(count_of(html, ": anybody can tell that it is 0 or more</td>"), 1000);
    tacit_text_free(html);
    tacit_cells_free(cells);
    free(text);
}

/* ---- words ---- */

static void assert_words(const tacit_cells *cells, const tacit_cell_finding *finding,
                         const char *expected)
{
    char text[256];
    tacit_cells_audit audit = {.cell_count = 1, .cells = (tacit_cell_finding *)finding};
    engine_table_intervals intervals;
    engine_table_intervals_init(&intervals, cells, NULL, &audit);
    assert_null(intervals.own); /* the total is published */
    assert_string_equal(engine_table_interval(text, sizeof text, &intervals, finding->cell),
                        expected);
    engine_table_intervals_clear(&intervals);
}

static void test_words(void **state)
{
    (void)state;
    static const struct {
        tacit_cell_finding finding;
        const char *words;
    } cases[] = {
        {{1, .low = 1234, .high = 5678}, "anybody can tell that it is between 1 234.0 and 5 678.0"},
        {{1, .low = 1.26, .high = 5.31}, "anybody can tell that it is between 1.2 and 5.4"},
        {{1, .low = 0.99999999, .high = 2.00000001},
         "anybody can tell that it is between 1.0 and 2.0"},
        {{1, .low = -3.2, .high = INFINITY}, "anybody can tell that it is -3.2 or more"},
        {{1, .low = -INFINITY, .high = 7}, "anybody can tell that it is 7.0 or less"},
        {{1, .low = -INFINITY, .high = INFINITY}, "nothing is known about it"},
        {{1, .low = 4, .high = 4, .disclosed = true}, "anybody can work out its value"},
        {{1, .low = 4, .high = 5, .disclosed = true, .unknown = true},
         "what can be worked out about it was not computed"},
    };
    tacit_cells_spec *spec = &spec_of("a")->spec;
    spec->value = "v";
    tacit_cells *cells =
        cells_of("a,v,status\np,1.55,u\nq,2.95,x\nr,5,s\n", spec, tacit_cells_from_table);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_words(cells, &cases[i].finding, cases[i].words);
    tacit_cells_free(cells);
}

/* A cell that the audit does not have, and no audit at all that could be made. */
static void test_unknown(void **state)
{
    (void)state;
    char text[256];
    engine_table_intervals intervals = {0};
    assert_string_equal(engine_table_interval(text, sizeof text, &intervals, 3),
                        "what can be worked out about it was not computed");
}

/* ---- nothing that the release does not tell ---- */

enum { SIDE = 5 };

/* A square table with suppressed cells at the corners of a rectangle, whose values differ by
 * `shift` and still add up. Row and column 0 are the totals; with `whole` it reaches there. */
typedef struct twin {
    bool whole, negative;
    double percent; /* what everybody knows values within; 0: the usual bounds */
    int ground[SIDE][SIDE];
    int row[2], column[2];
} twin;

static void make_twin(twin *t)
{
    for (int r = 1; r < SIDE; r++)
        for (int c = 1; c < SIDE; c++)
            t->ground[r][c] = 5 + random_below(40) - (t->negative ? 20 : 0);
    for (int i = 0; i < 2; i++) {
        t->row[i] = t->whole && i ? 0 : 1 + random_below(2) + 2 * i;
        t->column[i] = t->whole && i ? 0 : 1 + random_below(2) + 2 * i;
    }
}

static void suppress(tacit_cells *cells, const twin *t)
{
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            int32_t cell = t->row[i] * SIDE + t->column[j];
            cells->status[cell] = i || j ? 'x' : 'u';
            cells->lpl[cell] = cells->upl[cell] = i || j ? 0 : fabs(cells->value[cell]) / 10;
            if (cells->assumed && cells->upper[cell] < cells->value[cell] + cells->upl[cell])
                cells->upper[cell] = cells->value[cell] + cells->upl[cell];
        }
}

static tacit_cells *cells_of_twin(const twin *t, int shift)
{
    char csv[1024], *at = csv + sprintf(csv, "a,b,v\n");
    for (int r = 1; r < SIDE; r++)
        for (int c = 1; c < SIDE; c++) {
            bool row = r == t->row[0] || r == t->row[1],
                 column = c == t->column[0] || c == t->column[1];
            int sign = (r == t->row[1]) == (c == t->column[1]) ? 1 : -1;
            at += sprintf(at, "r%d,c%d,%d\n", r, c,
                          t->ground[r][c] + (row && column ? sign * shift : 0));
        }
    tacit_cells_spec *spec = &spec_of("a b")->spec;
    spec->value = "v";
    spec->negative = t->negative;
    tacit_cells *cells = cells_of(csv, spec, tacit_cells_from_table);
    tacit_cells_set_bounds(cells, t->percent);
    suppress(cells, t);
    return cells;
}

static void test_twins(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(200); ++*seed) {
        twin t = {0};
        random_start(*seed);
        t.whole = random_below(2);
        t.negative = random_below(3) == 0;
        t.percent = random_below(3) == 0 ? 60 : 0;
        make_twin(&t);
        tacit_cells *one = cells_of_twin(&t, 0), *other = cells_of_twin(&t, 1 + random_below(4));
        char *release = written(write_release, one), *same = written(write_release, other);
        assert_string_equal(release, same);
        assert_true(one->value[t.row[0] * SIDE + t.column[0]] !=
                    other->value[t.row[0] * SIDE + t.column[0]]);
        char *page = page_of(one), *twin_page = page_of(other);
        assert_string_equal(page, twin_page);
        assert_int_equal(count_of(page, ": anybody can ") + count_of(page, ": nothing is known"),
                         4);
        free(release);
        free(same);
        tacit_text_free(page);
        tacit_text_free(twin_page);
        tacit_cells_free(one);
        tacit_cells_free(other);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small),
        cmocka_unit_test_teardown(test_grids, tables_end),
        cmocka_unit_test_teardown(test_general_first, tables_end),
        cmocka_unit_test(test_single),
        cmocka_unit_test(test_linked),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_jj),
        cmocka_unit_test(test_jj_long),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_unknown),
        random_test(test_twins, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
