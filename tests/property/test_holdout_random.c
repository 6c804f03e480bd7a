/*
 * test_holdout_random.c - releases that resist who knows the method, on random tables.
 *
 *   - Whatever the hidden values of released rows are, with the same rows held out the same
 *     rows leave, in the same boxes: every original that the release leaves is as likely to have
 *     made it. Small tables are tried with every choice of rows to held out.
 *   - Every released class has k rows, and lies under its box.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "knowing.h"
#include "random_cases.h"

#include "base/alloc.h"
#include "records/apply/holdout.h"

enum { CASES = 60, MANY = 400, MAX_TRIED = 200 };

/* What became of every row: its box, or nothing. */
typedef struct fate {
    bool left_out[KNOWN_ROWS];
    char label[KNOWN_ROWS][KNOWN_COLUMNS][4];
} fate;

static void label_row(fate *out, const fixture *f, int row, const uint8_t *levels)
{
    for (int a = 0; a < f->frame.attribute_count; a++) {
        uint32_t number = value_on(f, row, a, levels[a]);
        tacit_strview label = tacit_hierarchy_label(f->hierarchies[a], levels[a], number);
        snprintf(out->label[row][a], 4, "%.*s", (int)label.len, label.bytes);
    }
}

/* Lays boxes out on the rows of `held` (bits). */
static void lay_out(fate *out, const fixture *f, uint32_t held, int64_t k)
{
    tacit__local local;
    tacit__local_layout layout = {0};
    tacit_error err = {0};
    tacit_run run;
    int rows = (int)tacit_table_rows(f->table);
    uint32_t class_of[KNOWN_ROWS], drawn[KNOWN_ROWS] = {0};
    const tacit_records_options options = {.k = k};
    tacit_run_init(&run);
    run.threads = 1;
    assert_int_equal(tacit__local_init(&local, &f->frame, &options, &run, &err), TACIT_OK);
    assert_int_equal(tacit_classes_assign(local.classes, &f->frame, class_of, &run, &err),
                     TACIT_OK);
    for (int r = 0; r < rows; r++)
        drawn[class_of[r]] += held >> r & 1;
    assert_int_equal(tacit__holdout_layout(&layout, &local, drawn, &err), TACIT_OK);
    *out = (fate){0};
    for (int r = 0; r < rows; r++)
        out->left_out[r] = true;
    for (int64_t b = 0; b < layout.boxes; b++)
        for (int64_t s = layout.starts[b]; s < layout.starts[b + 1]; s++)
            for (int r = 0; r < rows; r++) {
                const uint8_t *levels = layout.levels + b * local.attributes;
                bool top = true;
                for (int a = 0; a < local.attributes; a++)
                    top &= levels[a] == local.height[a];
                if (class_of[r] != layout.shares[s].class_index || (held >> r & 1) || top)
                    continue;
                out->left_out[r] = false;
                label_row(out, f, r, levels);
            }
    tacit__layout_clear(&layout);
    tacit__local_clear(&local);
}

static void check_k(const fate *x, int rows, int columns, int64_t k)
{
    for (int r = 0; r < rows; r++) {
        int64_t alike = 0;
        for (int s = 0; s < rows; s++)
            alike += !x->left_out[s] &&
                     memcmp(x->label[r], x->label[s], (size_t)columns * sizeof x->label[r][0]) == 0;
        assert_true(x->left_out[r] || alike >= k);
    }
}

/* The cells of a table, with released ones changed for others under their labels. */
static void change(char *text, const fixture *f, const fate *x, uint64_t *random)
{
    int rows = (int)tacit_table_rows(f->table), columns = f->frame.attribute_count;
    strcpy(text, columns == 3 ? "a,b,c\n" : columns == 2 ? "a,b\n" : "a\n");
    for (int r = 0; r < rows; r++)
        for (int a = 0; a < columns; a++) {
            int32_t column = f->attributes[a].column;
            uint32_t code = value_on(f, r, a, 0), count = tacit_table_distinct(f->table, column);
            for (int tries = 0; tries < MAX_TRIED && !x->left_out[r]; tries++) {
                uint32_t other = next_number(random, count);
                bool under = false;
                for (int level = 0; level <= tacit_hierarchy_height(f->hierarchies[a]); level++) {
                    uint32_t up = tacit_hierarchy_map(f->hierarchies[a], level)[other];
                    under |=
                        tacit_strview_equal(tacit_hierarchy_label(f->hierarchies[a], level, up),
                                            tacit_strview_of(x->label[r][a]));
                }
                if (under) {
                    code = other;
                    break;
                }
            }
            tacit_strview value = tacit_table_value(f->table, column, code);
            sprintf(text + strlen(text), "%.*s%c", (int)value.len, value.bytes,
                    a + 1 < columns ? ',' : '\n');
        }
}

/* One table, one choice of rows: what is hidden is changed, and nothing else does. */
static bool try_choice(const known_world *w, uint32_t held, uint64_t *random)
{
    char text[1024];
    fate before, after;
    known_world other;
    bool released = false;
    lay_out(&before, &w->f, held, w->k);
    check_k(&before, w->rows, w->columns, w->k);
    change(text, &w->f, &before, random);
    known_open(&other, text, w->columns, w->k);
    lay_out(&after, &other.f, held, w->k);
    for (int r = 0; r < w->rows; r++) {
        assert_int_equal(before.left_out[r], after.left_out[r]);
        released |= !before.left_out[r];
    }
    assert_memory_equal(before.label, after.label, sizeof before.label);
    fixture_close(&other.f);
    return released;
}

static void draw_small(known_world *w, uint64_t *random, int rows)
{
    char text[1024];
    int columns = 1 + (int)next_number(random, KNOWN_COLUMNS);
    known_draw(text, random, rows, columns, 2 + (int)next_number(random, 2));
    known_open(w, text, columns, 1 + next_number(random, 3));
}

static void every_choice(void **state)
{
    uint64_t *seed = *state;
    int released = 0;
    for (*seed = 1; *seed <= many_cases(CASES); ++*seed) {
        uint64_t random = *seed;
        known_world w;
        draw_small(&w, &random, 6);
        for (uint32_t held = 0; held < 1u << w.rows; held++)
            released += try_choice(&w, held, &random);
        fixture_close(&w.f);
    }
    *seed = 0;
    assert_true(released > 0);
}

static void larger_tables(void **state)
{
    uint64_t *seed = *state;
    int released = 0;
    for (*seed = 1; *seed <= many_cases(MANY); ++*seed) {
        uint64_t random = *seed * 13;
        known_world w;
        draw_small(&w, &random, KNOWN_ROWS);
        released += try_choice(&w, next_number(&random, 1u << KNOWN_ROWS), &random);
        fixture_close(&w.f);
    }
    *seed = 0;
    assert_true(released > 0);
}

int main(void)
{
    static uint64_t seed;
    const struct CMUnitTest tests[] = {
        random_test(every_choice, &seed),
        random_test(larger_tables, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
