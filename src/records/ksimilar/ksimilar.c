/*
 * ksimilar.c - Sweeney's k-Similar (Computational Disclosure Control, chapter 8, Figures 84 to
 * 106): tuples are put into clusters of k or more of their closest, and each cluster is
 * generalized, cell by cell, just so far that it is one (TableConstruct, Figure 94).
 *
 * The thesis takes the result for a k-minimal distortion. It is not one: the tuples of Figure 34
 * can be clustered with a Prec of 0.8486, and k-Similar reaches 0.827. It is here because it is
 * published; `optimal` is the method that proves, and `local` the one for tables of any size. This
 * one looks at groups of k tuples one by one and refuses where there are too many (ksimilar.h).
 *
 * What the listings leave undone, and what is done here:
 *   - GenerateMinimums and Traverse compare a tuple with later ones only and empty
 *     the common list: minimals are found as the text says (clusters.c);
 *   - FindComplements finds everything; here it finds what the examples show (ibid.);
 *   - complements may share tuples, or leave fewer than k behind: one that does is
 *     not taken;
 *   - Partition goes through the minimals once and so may cut a part in two, the
 *     second with fewer than k tuples: parts are connected here;
 *   - kSimilarRunParts takes for granted that the minimals of a part of 2k tuples
 *     share one, and runs for ever where they do not: the tuple that most of them
 *     have is withheld instead;
 *   - AddTuple only looks at clusters of exactly 2k minus the withheld, and has no
 *     result where there is none; AddTupleMin drops tuples from the cluster that it
 *     splits, tries one choice twice, and compares distortions of different clusters.
 *     Here the withheld join a cluster or split one, whichever adds the least.
 * So every cluster has k tuples, and every tuple is in one.
 *
 * Every row is taken for a person: a frame with a person column is refused. Distance vectors
 * between the tuples of a table: Figures 85 to 91 of Sweeney, Computational Disclosure Control.
 *
 * The distance of two values is the lowest level on which they are one value. Tuples with the same
 * values have the same distances, so vectors are kept by class: memory and time are classes
 * squared times attributes. Levels count by the weights of the attributes, where the data holder
 * gave some. A floor under the levels of a release (least_level) is a floor under every distance.
 */
#include "records/ksimilar/ksimilar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/apply/boxes.h"
#include "records/apply/holdout.h"
#include "records/classes/classes.h"
#include "records/methods/methods.h"
#include "records/metrics/costs.h"

/* Sums of distances over all tuples and attributes stay below 2^62: without weights, and with. */
static const int64_t LARGEST_UNIT = INT64_C(1) << 40, LARGEST_WEIGHTED = INT64_C(1) << 24;
static const int64_t WEIGHT_ONE = INT64_C(1) << 20;

static int height_of(const tacit_frame *frame, int32_t attribute)
{
    return tacit_hierarchy_height(frame->attributes[attribute].hierarchy);
}

static int64_t common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Whether the data holder gave weights that tell attributes apart. Then the distance is that of
 * weighted Prec (section 5.4); the thesis takes equal weights "for convenience" (8.2). */
static bool has_weights(const tacit_frame *frame)
{
    bool differ = false, any = false;
    for (int32_t a = 0; a < frame->attribute_count; a++) {
        any |= frame->attributes[a].weight > 0;
        differ |= frame->attributes[a].weight != frame->attributes[0].weight;
    }
    return any && differ;
}

/* A unit that every height divides, where there is one of reasonable size. */
static void make_weights(tacit__clique *clique, const tacit_frame *frame)
{
    double weights[TACIT_MAX_ATTRIBUTES];
    bool weighted = has_weights(frame);
    int64_t unit = 1, largest = weighted ? LARGEST_WEIGHTED : LARGEST_UNIT;
    for (int32_t a = 0; a < frame->attribute_count && unit < largest; a++)
        unit *= height_of(frame, a) / common_divisor(unit, height_of(frame, a));
    clique->unit = unit < largest ? unit : largest;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        clique->weights[a] = clique->unit / height_of(frame, a);
    if (!weighted)
        return;
    tacit__weights(weights, frame);
    clique->unit *= WEIGHT_ONE;
    for (int32_t a = 0; a < frame->attribute_count; a++)
        clique->weights[a] *= llround(weights[a] * (double)WEIGHT_ONE);
}

static void make_floor(tacit__clique *clique, const tacit_frame *frame, bool most_general)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        clique->least[a] =
            (uint8_t)(most_general ? height_of(frame, a) : frame->attributes[a].least_level);
}

/* Fills one attribute of every vector. */
static void fill_attribute(tacit__clique *clique, const tacit_frame *frame,
                           const tacit_classes *classes, int32_t attribute)
{
    const tacit_hierarchy *hierarchy = frame->attributes[attribute].hierarchy;
    for (int64_t x = 0; x < clique->classes; x++)
        for (int64_t y = 0; y <= x; y++) {
            uint32_t a = tacit_classes_code(classes, x, attribute);
            uint32_t b = tacit_classes_code(classes, y, attribute);
            int level = clique->least[attribute];
            while (tacit_hierarchy_map(hierarchy, level)[a] !=
                   tacit_hierarchy_map(hierarchy, level)[b])
                level++;
            int64_t there = (x * clique->classes + y) * clique->attributes + attribute;
            int64_t back = (y * clique->classes + x) * clique->attributes + attribute;
            clique->vectors[there] = clique->vectors[back] = (uint8_t)level;
        }
}

tacit_status tacit__clique_init(tacit__clique *clique, const tacit_frame *frame,
                                const tacit_classes *classes, const tacit_records_options *options,
                                const tacit_run *run, tacit_error *err)
{
    int64_t count = tacit_classes_count(classes);
    tacit__clique made = {.k = options->k,
                          .attributes = frame->attribute_count,
                          .tuples = (int32_t)tacit_classes_rows(classes),
                          .classes = count,
                          .steps = TACIT__KSIMILAR_STEPS,
                          .run = run};
    made.class_of = tacit__alloc_array((size_t)made.tuples, sizeof *made.class_of);
    made.vectors = tacit__alloc_array((size_t)(count * count), (size_t)made.attributes);
    tacit_status status = made.class_of && made.vectors
                              ? tacit_classes_assign(classes, frame, made.class_of, run, err)
                              : tacit__nomem(err);
    if (status != TACIT_OK) {
        tacit__clique_clear(&made);
        return status;
    }
    make_weights(&made, frame);
    make_floor(&made, frame, options->most_general);
    for (int32_t a = 0; a < made.attributes; a++)
        fill_attribute(&made, frame, classes, a);
    *clique = made;
    return TACIT_OK;
}

void tacit__clique_clear(tacit__clique *clique)
{
    tacit__free(clique->class_of);
    tacit__free(clique->vectors);
    *clique = (tacit__clique){0};
}

int64_t tacit__clique_distance(const tacit__clique *clique, const uint8_t *vector)
{
    int64_t distance = 0;
    for (int32_t a = 0; a < clique->attributes; a++)
        distance += vector[a] * clique->weights[a];
    return distance;
}

void tacit__clique_span(uint8_t *vector, const tacit__clique *clique, const uint32_t *tuples,
                        int64_t count)
{
    memcpy(vector, clique->least, (size_t)clique->attributes);
    for (int64_t i = 1; i < count; i++) {
        const uint8_t *edge = tacit__clique_vector(clique, tuples[0], tuples[i]);
        for (int32_t a = 0; a < clique->attributes; a++)
            if (edge[a] > vector[a])
                vector[a] = edge[a];
    }
}

tacit_status tacit__clique_step(tacit__clique *clique, int64_t steps, tacit_error *err)
{
    enum { OFTEN = 1 << 14 }; /* steps between two looks at whether to go on */
    int64_t before = clique->steps / OFTEN;
    clique->steps -= steps;
    if (clique->steps < 0)
        return tacit__error(err, TACIT_LIMIT,
                            "k-similar would have to look at more than %d groups of records; use "
                            "the method local, or optimal",
                            TACIT__KSIMILAR_STEPS);
    if (clique->steps / OFTEN == before)
        return TACIT_OK;
    return tacit__progress(clique->run, "comparing records", TACIT__KSIMILAR_STEPS - clique->steps,
                           0, err);
}

/* Where a tuple of a class leaves. */
typedef struct leaving {
    uint32_t class_index;
    uint32_t box;
} leaving;

static int by_class(const void *a, const void *b)
{
    const leaving *x = a, *y = b;
    if (x->class_index != y->class_index)
        return x->class_index < y->class_index ? -1 : 1;
    return x->box < y->box ? -1 : x->box > y->box;
}

/* What a cluster is released as. */
static tacit_status add_box(uint32_t *box, tacit__box_list *list, const tacit__clique *clique,
                            const tacit_frame *frame, const tacit_classes *classes,
                            const uint32_t *members, int64_t count, tacit_error *err)
{
    uint8_t levels[TACIT_MAX_ATTRIBUTES];
    uint32_t numbers[TACIT_MAX_ATTRIBUTES];
    int64_t class = clique->class_of[members[0]];
    tacit__clique_span(levels, clique, members, count);
    for (int32_t a = 0; a < frame->attribute_count; a++)
        numbers[a] = tacit_hierarchy_map(frame->attributes[a].hierarchy,
                                         levels[a])[tacit_classes_code(classes, class, a)];
    return tacit__box_list_add(box, list, levels, numbers, err);
}

/* Says of every tuple where it leaves, in the order of the classes. */
static tacit_status list_leaving(leaving *out, tacit__box_list *list, const tacit__clique *clique,
                                 const tacit_frame *frame, const tacit_classes *classes,
                                 const int32_t *cluster_of, int32_t clusters, tacit_error *err)
{
    uint32_t *members = tacit__alloc_array((size_t)clique->tuples, sizeof *members);
    tacit_status status = members ? TACIT_OK : tacit__nomem(err);
    int64_t placed = 0;
    for (int32_t cluster = 0; status == TACIT_OK && cluster < clusters; cluster++) {
        int64_t count = 0;
        uint32_t box = 0;
        for (int32_t t = 0; t < clique->tuples; t++)
            if (cluster_of[t] == cluster)
                members[count++] = (uint32_t)t;
        status = add_box(&box, list, clique, frame, classes, members, count, err);
        for (int64_t i = 0; status == TACIT_OK && i < count; i++)
            out[placed++] = (leaving){clique->class_of[members[i]], box};
    }
    if (status == TACIT_OK)
        qsort(out, (size_t)placed, sizeof *out, by_class);
    tacit__free(members);
    return status;
}

/* A class leaves in the first of its boxes, and parts of it in the others. */
static void fill_boxes(tacit_boxes *boxes, const leaving *leavings, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        const leaving *l = &leavings[i];
        bool first = i == 0 || l[-1].class_index != l->class_index;
        if (first)
            boxes->box_of[l->class_index] = l->box;
        else if (l->box == l[-1].box && l->box != boxes->box_of[l->class_index])
            boxes->parts[boxes->part_count - 1].people++;
        else if (l->box != l[-1].box)
            boxes->parts[boxes->part_count++] = (tacit_part){l->class_index, l->box, 1};
    }
}

/* The solution that clusters make; it takes the classes. */
static tacit_status conclude(tacit_solution **out, tacit_classes *classes,
                             const tacit__clique *clique, const tacit_frame *frame,
                             const int32_t *cluster_of, int32_t clusters, tacit_error *err)
{
    tacit__box_list list = {.attributes = frame->attribute_count};
    tacit_solution *solution = NULL;
    leaving *leavings = tacit__alloc_array((size_t)clique->tuples, sizeof *leavings);
    tacit_status status =
        leavings ? list_leaving(leavings, &list, clique, frame, classes, cluster_of, clusters, err)
                 : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit__cells_solution_new(&solution, frame, classes, clique->tuples, err);
    if (status == TACIT_OK) {
        tacit__box_list_give(solution->boxes, &list);
        fill_boxes(solution->boxes, leavings, clique->tuples);
        solution->classes = classes;
        *out = solution;
    }
    tacit__box_list_clear(&list);
    tacit__free(leavings);
    return status;
}

static tacit_status cluster(tacit_solution **out, tacit_classes *classes, tacit__clique *clique,
                            const tacit_frame *frame, tacit_error *err)
{
    int32_t clusters = 0;
    int32_t *cluster_of = tacit__alloc_array((size_t)clique->tuples, sizeof *cluster_of);
    tacit_status status = cluster_of ? tacit__ksimilar_clusters(&clusters, cluster_of, clique, err)
                                     : tacit__nomem(err);
    if (status == TACIT_OK)
        status = conclude(out, classes, clique, frame, cluster_of, clusters, err);
    tacit__free(cluster_of);
    return status;
}

static tacit_status check(const tacit_frame *frame, const tacit_records_options *options,
                          tacit_error *err)
{
    tacit_status status = tacit__request_check(frame, options, err);
    int64_t rows = tacit__frame_rows(frame);
    if (status != TACIT_OK)
        return status;
    if (frame->person >= 0)
        return tacit__error(err, TACIT_INVALID,
                            "k-similar treats every row as a person; where a column says which "
                            "rows are one person's, use the method local, or optimal");
    if (rows > TACIT__KSIMILAR_TUPLES)
        return tacit__error(err, TACIT_LIMIT,
                            "k-similar compares every record with every other and takes %d "
                            "records at most, not %lld; use the method local, or optimal",
                            TACIT__KSIMILAR_TUPLES, (long long)rows);
    return TACIT_OK;
}

static tacit_status ksimilar_solve(tacit_solution **out, const tacit_frame *frame,
                                   const tacit_records_options *options, const tacit_run *run,
                                   tacit_error *err)
{
    if (options->resist_minimality)
        return tacit__holdout_solve(out, frame, options, run, err);
    static const int ground[TACIT_MAX_ATTRIBUTES] = {0};
    tacit_classes *classes = NULL;
    tacit__clique clique = {0};
    tacit_solution *solution = NULL;
    tacit_status status = check(frame, options, err);
    if (status == TACIT_OK)
        status = tacit_classes_new(&classes, frame, ground, run, err);
    if (status == TACIT_OK)
        status = tacit__clique_init(&clique, frame, classes, options, run, err);
    if (status == TACIT_OK)
        status = cluster(&solution, classes, &clique, frame, err);
    tacit__clique_clear(&clique);
    if (status == TACIT_OK)
        *out = solution;
    else
        tacit_classes_free(classes);
    return status;
}

const tacit_method tacit__method_ksimilar = {
    .name = "k-similar",
    .summary = "clusters of k or more closest records, for small tables",
    .solve = ksimilar_solve,
    .features = TACIT_METHOD_CELLS | TACIT_METHOD_RESISTS,
};
