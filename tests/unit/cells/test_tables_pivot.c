/*
 * test_tables_pivot.c - tables with one dimension across: exact texts, several names of a code,
 * linked tables, what is refused; and on random tables every field against the long CSV of
 * the same release.
 */
#include "tables.h"

#include "random_cases.h"

typedef struct pivot {
    const tacit_cells *cells;
    const char *status;
    tacit_pivot_options options;
} pivot;

static tacit_status write_pivot(int fd, const void *context, tacit_error *err)
{
    const pivot *p = context;
    return tacit_cells_write_pivot(fd, "out.csv", p->cells, p->status, &p->options, err);
}

static tacit_cells *table_of(const char *csv, const char *dimensions)
{
    return cells_of(csv, &spec_of(dimensions)->spec, tacit_cells_from_table);
}

static void assert_written(const pivot *p, const char *expected)
{
    char *text = written(write_pivot, p);
    assert_string_equal(text, expected);
    free(text);
}

static void test_plain(void **state)
{
    (void)state;
    tacit_cells_spec *spec = &spec_of("region sex")->spec;
    spec->value = "v";
    tacit_cells *cells = cells_of("region,sex,v,status\nn,f,1,u\nn,m,2,x\ns,f,30,x\ns,m,4.5,x\n",
                                  spec, tacit_cells_from_table);
    pivot p = {.cells = cells};
    tacit_pivot_options_init(&p.options);
    assert_written(&p, "region;Total;f;m\nTotal;37.5;31;6.5\nn;3;x;x\ns;34.5;x;x\n");
    p.options = (tacit_pivot_options){.across = 0, .delimiter = ',', .mark = "."};
    assert_written(&p, "sex,Total,n,s\nTotal,37.5,3,34.5\nf,31,.,.\nm,6.5,.,.\n");
    p.options.mark = "not, published";
    p.status = "szsusssss";
    assert_written(&p, "sex,Total,n,s\nTotal,37.5,\"not, published\",34.5\nf,31,1,30\n"
                       "m,6.5,2,4.5\n");
    tacit_cells_free(cells);
}

/* The order of places: the last of the row dimensions goes round first, whichever is across. */
static void test_three(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,b,c,freq\np,q,r,1\nP,Q,R,2\n", "a b c");
    pivot p = {.cells = cells, .options = {.across = 1}};
    assert_written(&p, "a;c;Total;q;Q\nTotal;Total;3;1;2\nTotal;r;1;1;0\nTotal;R;2;0;2\n"
                       "p;Total;1;1;0\np;r;1;1;0\np;R;0;0;0\n"
                       "P;Total;2;0;2\nP;r;0;0;0\nP;R;2;0;2\n");
    tacit_cells_free(cells);
}

/* One dimension: a line of names and a line of values. */
static void test_single(void **state)
{
    (void)state;
    tacit_cells *cells = table_of("a,freq,status\np,1,u\nq,2,x\nr,0,z\n", "a");
    pivot p = {.cells = cells, .options = {.across = -1}};
    assert_written(&p, "Total;p;q;r\n3;x;x;0\n");
    tacit_cells_free(cells);
}

/* A total with a single part, down and across; names that need quotes. */
static void test_names(void **state)
{
    (void)state;
    char dimensions[512];
    const char *first = file_of("1.hrc", "T\n@A\n@@a;1\n@b\n");
    snprintf(dimensions, sizeof dimensions, "d=%s \"e\"", first);
    tacit_table *table = csv_of("d,\"\"\"e\"\"\",freq,status\nA,x,1,u\nb,y,2,s\n");
    tacit_cells *cells = NULL;
    tacit_cells_spec *spec = &spec_of(dimensions)->spec;
    tacit_error err = {0};
    if (tacit_cells_from_table(&cells, table, spec, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    pivot p = {.cells = cells, .options = {.across = 0, .delimiter = ','}};
    assert_written(&p, "\"\"\"e\"\"\",T,A,a;1,b\nTotal,3,1,1,2\nx,1,x,x,0\ny,2,0,0,2\n");
    p.options = (tacit_pivot_options){.across = 1};
    assert_written(&p, "d;Total;x;y\nT;3;1;2\nA;1;x;0\n\"a;1\";1;x;0\nb;2;0;2\n");
    tacit_cells_free(cells);
    tacit_table_free(table);
}

/* Each in full, what they share in both; the dimension across where there is one of that
 * name. */
static void test_linked(void **state)
{
    (void)state;
    tacit_cells *a =
        table_of("region,sex,freq,status\nn,f,1,u\nn,m,2,x\ns,f,3,x\ns,m,4,x\n", "region sex");
    tacit_cells *b = table_of("region,age,freq\nn,old,3\ns,old,5\ns,new,2\n", "region age");
    const tacit_cells *parts[] = {a, b};
    pivot p = {.options = {.across = -1}};
    tacit_cells *cells = NULL;
    assert_int_equal(tacit_cells_link(&cells, parts, 2, 0, NULL), TACIT_OK);
    p.cells = cells;
    assert_written(&p, "region;Total;f;m\nTotal;10;4;6\nn;3;x;x\ns;7;x;x\n\n"
                       "region;Total;old;new\nTotal;10;8;2\nn;3;3;0\ns;7;5;2\n");
    p.options.across = 0;
    assert_written(&p, "sex;Total;n;s\nTotal;10;3;7\nf;4;x;x\nm;6;x;x\n\n"
                       "age;Total;n;s\nTotal;10;3;7\nold;8;3;5\nnew;2;0;2\n");
    p.options.across = 1; /* sex, which the second table does not have */
    assert_written(&p, "region;Total;f;m\nTotal;10;4;6\nn;3;x;x\ns;7;x;x\n\n"
                       "region;Total;old;new\nTotal;10;8;2\nn;3;3;0\ns;7;5;2\n");
    tacit_cells_free(a);
    tacit_cells_free(b);
    tacit_cells_free(cells);
}

static void assert_refused(const pivot *p, const char *message)
{
    tacit_error err = {0};
    FILE *file = tmpfile();
    assert_int_equal(write_pivot(fileno(file), p, &err), TACIT_INVALID);
    assert_string_equal(err.message, message);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

static void test_refused(void **state)
{
    (void)state;
    tacit_cells *jj = jj_of("0\n1\n0 5 5 s 0 9 0 0 0\n0\n");
    tacit_cells *cells = table_of("a,b,freq\np,q,1\nr,s,1\n", "a b");
    assert_refused(&(pivot){.cells = jj, .options = {.across = -1}},
                   "cells of a .jj file have no dimensions to pivot; write them as .jj");
    assert_refused(&(pivot){.cells = cells, .options = {.across = 2}},
                   "dimension 2 cannot go across: the table has 2, counted from 0");
    assert_refused(&(pivot){.cells = cells, .options = {.across = -2}},
                   "dimension -2 cannot go across: the table has 2, counted from 0");
    tacit_error err = {0};
    assert_int_equal(write_pivot(-1, &(pivot){.cells = cells}, &err), TACIT_IO);
    tacit_cells_free(jj);
    tacit_cells_free(cells);
}

/* ---- against the long CSV ---- */

enum { WORLDS = 200, MAX = 3, FIELDS = 64 };

/* A hierarchy of few codes, some of them with a single part. */
static const char *random_hierarchy(int d, char *leaves, int *leaf_count)
{
    char text[1024] = "T\n", name[16];
    *leaf_count = 0;
    leaves[0] = '\0';
    for (int g = 0, groups = 2 + random_below(3); g < groups; g++) {
        int parts = random_below(4); /* 0: a ground code itself */
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "@g%d\n", g);
        for (int i = 0; i < parts; i++) {
            len = strlen(text);
            snprintf(text + len, sizeof text - len, "@@l%d\n", *leaf_count);
            len = strlen(leaves);
            snprintf(leaves + len, 256 - len, "l%d ", (*leaf_count)++);
        }
        len = strlen(leaves);
        if (parts == 0) {
            snprintf(leaves + len, 256 - len, "g%d ", g);
            ++*leaf_count;
        }
    }
    snprintf(name, sizeof name, "%d.hrc", d);
    return file_of(name, text);
}

static const char *word_at(const char *words, int at, int *len)
{
    while (at-- > 0)
        words = strchr(words, ' ') + 1;
    *len = (int)strcspn(words, " ");
    return words;
}

static tacit_cells *random_cells(int dimensions)
{
    char spec[1024] = "", csv[8192] = "", leaves[MAX][256], *at = csv;
    int counts[MAX];
    for (int d = 0; d < dimensions; d++) {
        size_t len = strlen(spec);
        snprintf(spec + len, sizeof spec - len, "d%d=%s ", d,
                 random_hierarchy(d, leaves[d], &counts[d]));
        at += sprintf(at, "d%d,", d);
    }
    at += sprintf(at, "v\n");
    for (int i = 0; i < 40; i++) {
        for (int d = 0; d < dimensions; d++) {
            int len;
            const char *word = word_at(leaves[d], random_below(counts[d]), &len);
            at += sprintf(at, "%.*s,", len, word);
        }
        at += sprintf(at, "%d.%d\n", random_below(1000), random_below(10));
    }
    tacit_cells_spec *made = &spec_of(spec)->spec;
    made->value = "v";
    tacit_cells *cells = cells_of(csv, made, tacit_cells_from_records);
    for (int32_t c = 0; c < cells->count; c++)
        cells->status[c] = "ssszuxx"[random_below(7)];
    return cells;
}

/* What the long CSV has as value for some names; lines are "d0;d1;...;value;status". */
static void long_value(char *value, size_t size, const char *csv, const char *names)
{
    char start[256];
    snprintf(start, sizeof start, "\n%s;", names);
    const char *line = strstr(csv, start);
    if (!line)
        fail_msg("the long CSV has no %s", names);
    line += strlen(start);
    snprintf(value, size, "%.*s", (int)strcspn(line, ";"), line);
}

static int split(char *line, char **fields)
{
    int count = 0;
    for (char *rest = line; rest; count++) {
        assert_true(count < FIELDS);
        fields[count] = strsep(&rest, ";");
    }
    return count;
}

/* A line of the pivot, its columns named by the header. */
static int check_line(char *line, char **header, int width, int dimensions, int across,
                      const char *csv)
{
    char *fields[FIELDS];
    assert_int_equal(split(line, fields), width);
    for (int i = dimensions - 1; i < width; i++) {
        char names[200] = "", value[64];
        for (int d = 0, row = 0; d < dimensions; d++) {
            strcat(names, d ? ";" : "");
            strcat(names, d == across ? header[i] : fields[row++]);
        }
        long_value(value, sizeof value, csv, names);
        assert_string_equal(fields[i], value[0] ? value : "x");
    }
    return width - (dimensions - 1);
}

static int check_pivot(char *text, int dimensions, int across, const char *csv)
{
    char *header[FIELDS], *rest = text;
    int width = split(strsep(&rest, "\n"), header), cells = 0;
    for (int d = 0, row = 0; d < dimensions; d++)
        if (d != across)
            assert_int_equal(header[row++][1], '0' + d);
    for (char *line; *rest && (line = strsep(&rest, "\n"));)
        cells += check_line(line, header, width, dimensions, across, csv);
    return cells;
}

static void test_random(void **state)
{
    uint64_t *seed = *state;
    for (*seed = 1; *seed <= many_cases(WORLDS); ++*seed) {
        random_start(*seed);
        int dimensions = 1 + random_below(MAX), across = random_below(dimensions), lines = -1;
        tacit_cells *cells = random_cells(dimensions);
        char *csv = written(write_release, cells);
        char *text = written(write_pivot, &(pivot){.cells = cells, .options = {.across = across}});
        for (const char *at = csv; (at = strchr(at, '\n')); at++)
            lines++;
        assert_int_equal(check_pivot(text, dimensions, across, csv), lines);
        free(csv);
        free(text);
        tacit_cells_free(cells);
        tables_end(NULL);
    }
    *seed = 0;
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),    cmocka_unit_test(test_three),
        cmocka_unit_test(test_single),   cmocka_unit_test_teardown(test_names, tables_end),
        cmocka_unit_test(test_linked),   cmocka_unit_test(test_refused),
        random_test(test_random, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
