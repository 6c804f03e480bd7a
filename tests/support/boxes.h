/*
 * boxes.h - cell-level solutions for tests: from clusters of rows, and from
 * attribute-level solutions.
 */
#ifndef TACIT_TESTS_SUPPORT_BOXES_H
#define TACIT_TESTS_SUPPORT_BOXES_H

#include "figures.h"

static inline tacit_solution *solution_on_ground(const fixture *f)
{
    tacit_run run;
    tacit_run_init(&run);
    tacit_solution *solution = calloc(1, sizeof *solution);
    solution->attribute_count = f->frame.attribute_count;
    solution->levels = calloc((size_t)f->frame.attribute_count, sizeof *solution->levels);
    assert_int_equal(tacit_classes_new(&solution->classes, &f->frame, solution->levels, &run, NULL),
                     TACIT_OK);
    return solution;
}

static inline tacit_boxes *boxes_of(const fixture *f, int64_t count, int64_t classes)
{
    size_t cells = (size_t)(count * f->frame.attribute_count);
    tacit_boxes *boxes = calloc(1, sizeof *boxes);
    boxes->count = count;
    boxes->levels = calloc(cells, sizeof *boxes->levels);
    boxes->numbers = calloc(cells, sizeof *boxes->numbers);
    boxes->box_of = calloc((size_t)classes, sizeof *boxes->box_of);
    return boxes;
}

/* The lowest level of an attribute on which all rows of a cluster agree. */
static inline int meeting_level(const fixture *f, const int *cluster_of, int cluster,
                                int32_t attribute)
{
    int64_t rows = tacit_table_rows(f->table);
    for (int level = 0;; level++) {
        int64_t first = -1;
        bool same = true;
        for (int64_t row = 0; row < rows; row++) {
            if (cluster_of[row] != cluster)
                continue;
            first = first < 0 ? row : first;
            same &= value_on(f, row, attribute, level) == value_on(f, first, attribute, level);
        }
        if (same)
            return level;
    }
}

/* A solution that releases each cluster of rows as the smallest box around it.
 * Rows of one class must be in one cluster. */
static inline tacit_solution *solution_of_clusters(const fixture *f, const int *cluster_of,
                                                   int clusters)
{
    tacit_solution *solution = solution_on_ground(f);
    int64_t rows = tacit_table_rows(f->table);
    tacit_boxes *boxes = boxes_of(f, clusters, tacit_classes_count(solution->classes));
    uint32_t *class_of = calloc((size_t)rows, sizeof *class_of);
    tacit_run run;
    tacit_run_init(&run);
    assert_int_equal(tacit_classes_assign(solution->classes, &f->frame, class_of, &run, NULL),
                     TACIT_OK);
    int32_t attributes = f->frame.attribute_count;
    for (int64_t row = 0; row < rows; row++) {
        int64_t box = cluster_of[row];
        boxes->box_of[class_of[row]] = (uint32_t)box;
        for (int32_t a = 0; a < attributes; a++) {
            int level = meeting_level(f, cluster_of, cluster_of[row], a);
            boxes->levels[box * attributes + a] = (uint8_t)level;
            boxes->numbers[box * attributes + a] = value_on(f, row, a, level);
        }
    }
    free(class_of);
    solution->boxes = boxes;
    return solution;
}

/* Applies a solution and measures it; the outcome takes it over. */
static inline void measure_solution(outcome *o, const fixture *f, tacit_solution *solution,
                                    int64_t k, uint64_t seed, int threads)
{
    const tacit_apply_options apply = {.keep_order = true};
    const tacit_records_options options = {.k = k};
    tacit_run run;
    tacit_run_init(&run);
    tacit_run_seed_number(&run, seed);
    run.threads = threads;
    *o = (outcome){.solution = solution};
    assert_int_equal(tacit_solution_apply(&o->application, solution, &f->frame, &apply, &run, NULL),
                     TACIT_OK);
    assert_int_equal(
        tacit_metrics_of(&o->metrics, solution, o->application, &f->frame, &options, &run, NULL),
        TACIT_OK);
    tacit_metrics bare; /* boxes say everything before rows are drawn for them */
    assert_int_equal(tacit_metrics_of(&bare, solution, NULL, &f->frame, &options, &run, NULL),
                     TACIT_OK);
    assert_memory_equal(&bare, &o->metrics, sizeof bare);
}

/* What a cell is released as; bytes NULL where it stays as it is. */
static inline tacit_strview released(const outcome *o, int32_t attribute, int64_t row)
{
    uint32_t number = tacit_codes_at(o->application->codes[attribute], row);
    assert_true(number < o->application->label_counts[attribute]);
    return o->application->labels[attribute][number];
}

#endif
