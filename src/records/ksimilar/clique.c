/*
 * clique.c - distance vectors between the tuples of a table: Figures 85
 * to 91 of Sweeney, Computational Disclosure Control.
 *
 * The distance of two values is the lowest level on which they are one value.
 * Tuples with the same values have the same distances, so vectors are kept by
 * class: memory and time are classes squared times attributes. Levels count by the
 * weights of the attributes, where the data holder gave some. A floor under the
 * levels of a release (least_level) is a floor under every distance.
 */
#include "records/ksimilar/ksimilar.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/classes.h"
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
