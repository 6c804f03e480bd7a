/*
 * tables.h - statistical tables for the tests of the cells room: text in, cells out,
 * files that are gone at the end, and comparisons.
 */
#ifndef TACIT_TESTS_SUPPORT_TABLES_H
#define TACIT_TESTS_SUPPORT_TABLES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <tacit/experimental/cells.h>
#include <unistd.h>

/* Numbers that are the same every time. */
static uint64_t random_state;

static inline void random_start(uint64_t seed)
{
    random_state = seed * UINT64_C(0x9E3779B97F4A7C15) + 1;
}

static inline int random_below(int bound)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)((random_state >> 11) % (uint64_t)bound);
}

/* A file with that text, known by its name until tables_end. */
static struct {
    char folder[64];
    char paths[64][128];
    int count;
} tables_files;

static inline const char *file_of(const char *name, const char *text)
{
    if (!tables_files.folder[0]) {
        strcpy(tables_files.folder, "/tmp/tacit-tables-XXXXXX");
        assert_non_null(mkdtemp(tables_files.folder));
    }
    assert_true(tables_files.count < 64);
    char *path = tables_files.paths[tables_files.count++];
    strcpy(path, tables_files.folder);
    strcat(path, "/");
    strncat(path, name, 60);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
    return path;
}

static inline int tables_end(void **state)
{
    (void)state;
    while (tables_files.count)
        unlink(tables_files.paths[--tables_files.count]);
    if (tables_files.folder[0])
        rmdir(tables_files.folder);
    tables_files.folder[0] = '\0';
    return 0;
}

static inline tacit_table *csv_of(const char *text)
{
    tacit_csv_options options;
    tacit_run run;
    tacit_error err = {0};
    tacit_table *table = NULL;
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    run.threads = 1;
    if (tacit_table_read_memory(&table, tacit_strview_of(text), "t.csv", &options, &run, &err) !=
        TACIT_OK)
        fail_msg("%s", err.message);
    return table;
}

/* Up to four dimensions as "name" or "name=file" or "name=file,file". */
typedef struct table_spec {
    tacit_cells_spec spec;
    tacit_dimension_spec dimensions[4];
    const char *files[4][4];
    char text[1024];
} table_spec;

static inline table_spec *spec_of(const char *dimensions)
{
    static table_spec made;
    made = (table_spec){0};
    tacit_cells_spec_init(&made.spec);
    made.spec.dimensions = made.dimensions;
    snprintf(made.text, sizeof made.text, "%s", dimensions);
    char *rest = made.text, *save = NULL;
    for (char *word; (word = strtok_r(rest, " ", &save)); rest = NULL) {
        int d = made.spec.dimension_count++;
        char *file = strchr(word, '=');
        made.dimensions[d] = (tacit_dimension_spec){.column = word, .hierarchies = made.files[d]};
        while (file) {
            *file++ = '\0';
            made.files[d][made.dimensions[d].hierarchy_count++] = file;
            file = strchr(file, ',');
        }
    }
    return &made;
}

typedef tacit_status (*tables_reader)(tacit_cells **, const tacit_table *, const tacit_cells_spec *,
                                      const tacit_run *, tacit_error *);

/* What must be read. */
static inline tacit_cells *cells_of(const char *csv, const tacit_cells_spec *spec,
                                    tables_reader reader)
{
    tacit_table *table = csv_of(csv);
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    if (reader(&cells, table, spec, NULL, &err) != TACIT_OK)
        fail_msg("%s:%lld: %s", err.file, (long long)err.line, err.message);
    tacit_table_free(table);
    return cells;
}

/* What must be refused, and the message with its place. */
static inline void refused(const char *csv, const tacit_cells_spec *spec, tables_reader reader,
                           const char *message)
{
    tacit_table *table = csv_of(csv);
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    char text[1200];
    tacit_status status = reader(&cells, table, spec, NULL, &err);
    assert_int_not_equal(status, TACIT_OK);
    assert_int_equal(status, err.status);
    assert_null(cells);
    assert_string_equal(tacit_error_format(&err, text, sizeof text), message);
    tacit_table_free(table);
}

/* The cell of some names, a name a dimension with | between. */
static inline int32_t cell_named(const tacit_cells *cells, const char *names)
{
    int64_t place = 0;
    for (int32_t d = 0; d < cells->dimension_count; d++) {
        size_t len = strcspn(names, "|");
        const tacit_dimension *dimension = &cells->dimensions[d];
        int32_t i = 0;
        while (i < dimension->label_count &&
               !tacit_strview_equal(dimension->labels[i], (tacit_strview){names, len}))
            i++;
        assert_true(i < dimension->label_count);
        place += dimension->code_of[i] * cells->tables[0].strides[d];
        names += len + (names[len] == '|');
    }
    return (int32_t)place;
}

static inline double value_named(const tacit_cells *cells, const char *names)
{
    return cells->value[cell_named(cells, names)];
}

/* Whatever a writer wrote, to be freed. */
static inline char *written(tacit_status (*write)(int fd, const void *context, tacit_error *err),
                            const void *context)
{
    tacit_error err = {0};
    FILE *file = tmpfile();
    assert_non_null(file);
    if (write(fileno(file), context, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    fseek(file, 0, SEEK_END);
    size_t len = (size_t)ftell(file);
    char *text = calloc(len + 1, 1);
    rewind(file);
    assert_int_equal(fread(text, 1, len, file), len);
    fclose(file);
    return text;
}

static inline tacit_status write_as_jj(int fd, const void *cells, tacit_error *err)
{
    return tacit_cells_write_jj(fd, "out.jj", cells, NULL, err);
}

static inline tacit_status write_as_csv(int fd, const void *cells, tacit_error *err)
{
    return tacit_cells_write_csv(fd, "out.csv", cells, NULL, &(tacit_cells_csv_options){0}, err);
}

static inline tacit_status write_release(int fd, const void *cells, tacit_error *err)
{
    return tacit_cells_write_csv(fd, "out.csv", cells, NULL,
                                 &(tacit_cells_csv_options){.release = true}, err);
}

static inline tacit_cells *jj_of(const char *text)
{
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    if (tacit_cells_parse_jj(&cells, tacit_strview_of(text), "t.jj", 0, NULL, &err) != TACIT_OK)
        fail_msg("%lld:%lld: %s", (long long)err.line, (long long)err.column, err.message);
    return cells;
}

/* Relations in an order of their own: by their first item, then all others. */
static const tacit_relations *relations_sorted;

static inline int compare_relations(const void *left, const void *right)
{
    const tacit_relations *all = relations_sorted;
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    int64_t many = all->starts[a + 1] - all->starts[a],
            others = all->starts[b + 1] - all->starts[b];
    for (int64_t i = 0; i < many && i < others; i++) {
        int32_t x = all->items[all->starts[a] + i], y = all->items[all->starts[b] + i];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return many < others ? -1 : many > others;
}

static inline int32_t *sorted_relations(const tacit_relations *all)
{
    int32_t *order = malloc(((size_t)all->count + 1) * sizeof *order);
    for (int32_t i = 0; i < all->count; i++)
        order[i] = i;
    relations_sorted = all;
    qsort(order, (size_t)all->count, sizeof *order, compare_relations);
    return order;
}

/* The same relations in any order of theirs; their terms stand in the same order. */
static inline void assert_same_relations(const tacit_relations *a, const tacit_relations *b)
{
    assert_int_equal(a->count, b->count);
    int32_t *first = sorted_relations(a), *second = sorted_relations(b);
    for (int32_t r = 0; r < a->count; r++) {
        int64_t x = a->starts[first[r]], y = b->starts[second[r]];
        int64_t many = a->starts[first[r] + 1] - x;
        assert_int_equal(many, b->starts[second[r] + 1] - y);
        assert_memory_equal(a->items + x, b->items + y, many * sizeof *a->items);
        assert_memory_equal(a->coefs + x, b->coefs + y, many * sizeof *a->coefs);
        assert_true(a->rhs[first[r]] == b->rhs[second[r]]);
    }
    free(first);
    free(second);
}

static inline void assert_same_cells(const tacit_cells *a, const tacit_cells *b)
{
    size_t bytes = (size_t)a->count * sizeof(double);
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->status, b->status, a->count);
    assert_memory_equal(a->value, b->value, bytes);
    assert_memory_equal(a->cost, b->cost, bytes);
    assert_memory_equal(a->lower, b->lower, bytes);
    assert_memory_equal(a->upper, b->upper, bytes);
    assert_memory_equal(a->lpl, b->lpl, bytes);
    assert_memory_equal(a->upl, b->upl, bytes);
    assert_memory_equal(a->spl, b->spl, bytes);
    assert_same_relations(&a->relations, &b->relations);
}

#endif
