/*
 * noise.c - the judge of counts with noise.
 *
 * Records are sorted by person, and those of a person by their place in the file; then people are
 * counted one after the other, in so many different cells as are allowed. The method goes another
 * way (it puts records in order by counting, and cells by the reader's numbers). What was counted
 * must be the same, cell by cell.
 *
 * The noise is what is published less what was counted. Its empirical distribution is compared with
 * the discrete Laplace one that is claimed: with n cells, the largest distance D of the two is
 * above t with probability at most 2 exp(-2 n t^2), whatever the distribution (Dvoretzky, Kiefer
 * and Wolfowitz; the constant is Massart's, 1990). That is a bound, not an approximation, also
 * where values repeat, as whole numbers do. A few hundred cells are needed before noise that is
 * missing altogether is as unlikely as what refuses a release.
 *
 * n log n in the records, and in the cells; 16 bytes a record and 8 a cell.
 */
#include <tacit/experimental/audit_noise.h>

#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "hierarchy/names.h"

static const double EPSILON_UNIT = 1e6;

/* A record: whose it is, and the ground cell that it names. */
typedef struct entry {
    uint32_t person, row;
    int32_t cell;
} entry;

typedef struct recount {
    const tacit_cells *cells;
    const tacit_noise_claim *claim;
    entry *entries;
    int64_t count;
    double *counted; /* a cell each */
    tacit_noise_audit audit;
} recount;

/* ---- which cell a record names ---- */

static tacit_status names_of(tacit__names *names, const tacit_dimension *dimension,
                             tacit_error *err)
{
    for (int32_t i = 0; i < dimension->label_count; i++) {
        bool added;
        if (tacit__names_add(names, dimension->labels[i], &added) == TACIT__NONE)
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status unknown_code(const tacit_table *records, tacit_error *err)
{
    return tacit__error(err, TACIT_INFEASIBLE,
                        "%.200s: the judge finds a record outside the declared codes; nothing is "
                        "written",
                        tacit_table_file(records));
}

/* Adds the part of its cell's number that a dimension has to every record. */
static tacit_status place_records(recount *r, int32_t d, const tacit__names *names,
                                  tacit_error *err)
{
    const tacit_table *records = r->claim->records;
    const tacit_dimension *dimension = &r->cells->dimensions[d];
    int32_t column = tacit_table_find(records, dimension->name);
    if (column < 0)
        return unknown_code(records, err);
    tacit_codes_view codes = tacit_table_codes(records, column);
    uint32_t distinct = tacit_table_distinct(records, column);
    for (int64_t row = 0; row < r->count; row++) {
        uint32_t code = tacit_codes_at(codes, row);
        uint32_t label = code < distinct
                             ? tacit__names_find(names, tacit_table_value(records, column, code))
                             : TACIT__NONE;
        if (label == TACIT__NONE || dimension->definition[dimension->code_of[label]] >= 0)
            return unknown_code(records, err);
        r->entries[row].cell +=
            (int32_t)(dimension->code_of[label] * r->cells->tables[0].strides[d]);
    }
    return TACIT_OK;
}

static tacit_status find_cells(recount *r, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int32_t d = 0; d < r->cells->dimension_count && status == TACIT_OK; d++) {
        tacit__names names = {0};
        status = names_of(&names, &r->cells->dimensions[d], err);
        if (status == TACIT_OK)
            status = place_records(r, d, &names, err);
        tacit__names_clear(&names);
    }
    return status;
}

static tacit_status find_people(recount *r, tacit_error *err)
{
    const tacit_table *records = r->claim->records;
    int32_t column =
        r->claim->person ? tacit_table_find(records, tacit_strview_of(r->claim->person)) : -1;
    if (r->claim->person && (column < 0 || tacit_table_has_missing(records, column)))
        return tacit__error(err, TACIT_INFEASIBLE,
                            "the judge finds records of which it is not said whose they are; "
                            "nothing is written");
    for (int64_t row = 0; row < r->count; row++)
        r->entries[row] =
            (entry){.row = (uint32_t)row,
                    .person = column < 0 ? (uint32_t)row
                                         : tacit_codes_at(tacit_table_codes(records, column), row)};
    return TACIT_OK;
}

/* ---- counting ---- */

static int by_person(const void *left, const void *right)
{
    const entry *a = left, *b = right;
    if (a->person != b->person)
        return a->person < b->person ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

/* Whether the person counts in the cell of a record already: first is the person's first record,
 * and those that were not counted are marked by -1. */
static bool counts_there(const recount *r, int64_t first, int64_t at)
{
    for (int64_t i = first; i < at; i++)
        if (r->entries[i].cell == r->entries[at].cell)
            return true;
    return false;
}

/* Counts a person's records, which are those from first on; returns where the next person's are.
 * Only records that opened a cell stay in front, so that no more than `most` are looked through. */
static int64_t count_one(recount *r, int64_t first)
{
    int64_t at = first, opened = first;
    uint32_t person = r->entries[first].person;
    for (; at < r->count && r->entries[at].person == person; at++) {
        r->entries[opened].cell = r->entries[at].cell;
        if (counts_there(r, first, opened))
            continue;
        if (opened - first == r->claim->most) {
            r->audit.left_out++;
            continue;
        }
        r->counted[r->entries[opened++].cell]++;
    }
    r->audit.people++;
    return at;
}

static tacit_status count_again(recount *r, tacit_error *err)
{
    r->count = tacit_table_rows(r->claim->records);
    r->entries = tacit__alloc_array((size_t)r->count + 1, sizeof *r->entries);
    r->counted = tacit__alloc_zeroed((size_t)r->cells->count + 1, sizeof *r->counted);
    if (!r->entries || !r->counted)
        return tacit__nomem(err);
    tacit_status status = find_people(r, err);
    if (status == TACIT_OK)
        status = find_cells(r, err);
    if (status != TACIT_OK)
        return status;
    qsort(r->entries, (size_t)r->count, sizeof *r->entries, by_person);
    for (int64_t at = 0; at < r->count;)
        at = count_one(r, at);
    return TACIT_OK;
}

/* ---- values and sums ---- */

static bool on_ground(const tacit_cells *cells, int32_t cell)
{
    for (int32_t d = 0; d < cells->dimension_count; d++) {
        int64_t code = cell / cells->tables[0].strides[d] % cells->dimensions[d].code_count;
        if (cells->dimensions[d].definition[code] >= 0)
            return false;
    }
    return true;
}

static void check_values(recount *r, const double *published)
{
    const tacit_cells *cells = r->cells;
    for (int32_t i = 0; i < cells->count; i++) {
        r->audit.broken += !(published[i] == nearbyint(published[i]) && isfinite(published[i]));
        if (on_ground(cells, i))
            r->audit.miscounted += cells->value[i] != r->counted[i];
    }
    for (int32_t i = 0; i < cells->relations.count; i++) {
        double sum = -cells->relations.rhs[i];
        for (int64_t j = cells->relations.starts[i]; j < cells->relations.starts[i + 1]; j++)
            sum += cells->relations.coefs[j] * published[cells->relations.items[j]];
        r->audit.broken += sum != 0;
    }
}

/* ---- the noise ---- */

/* P(X <= x) for x of probability proportional to q^|x|. */
static double at_most(double x, double q)
{
    return x < 0 ? pow(q, -x) / (1 + q) : 1 - pow(q, x + 1) / (1 + q);
}

static int by_size(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

/* The distance is largest at a value that occurs, or just below one. */
static double distance_of(const double *noise, int32_t count, double q)
{
    double largest = 0;
    for (int32_t i = 0; i < count;) {
        int32_t next = i;
        while (next < count && noise[next] == noise[i])
            next++;
        largest = fmax(largest, fabs((double)i / count - at_most(noise[i] - 1, q)));
        largest = fmax(largest, fabs((double)next / count - at_most(noise[i], q)));
        i = next;
    }
    return largest;
}

static tacit_status test_noise(recount *r, const double *published, tacit_error *err)
{
    tacit_noise_audit *audit = &r->audit;
    double *noise = tacit__alloc_array((size_t)r->cells->count + 1, sizeof *noise);
    if (!noise)
        return tacit__nomem(err);
    for (int32_t i = 0; i < r->cells->count; i++)
        if (on_ground(r->cells, i)) {
            double size = fabs(published[i] - r->counted[i]);
            audit->largest = fmax(audit->largest, size);
            audit->mean += size;
            noise[audit->ground++] = published[i] - r->counted[i];
        }
    double q = exp(-(double)r->claim->epsilon / EPSILON_UNIT / r->claim->most);
    qsort(noise, (size_t)audit->ground, sizeof *noise, by_size);
    audit->mean /= fmax(1, audit->ground);
    audit->distance = distance_of(noise, audit->ground, q);
    audit->chance =
        fmin(1, 2 * exp(-2 * (double)audit->ground * audit->distance * audit->distance));
    tacit__free(noise);
    return TACIT_OK;
}

/* ---- the whole ---- */

bool tacit_noise_holds(const tacit_noise_audit *audit)
{
    return audit->miscounted == 0 && audit->broken == 0 && audit->ground > 0 &&
           audit->chance >= TACIT_NOISE_CHANCE;
}

tacit_status tacit_audit_noise(tacit_noise_audit *out, const tacit_cells *cells,
                               const double *published, const tacit_noise_claim *claim,
                               const tacit_run *run, tacit_error *err)
{
    recount r = {.cells = cells, .claim = claim, .audit = {.chance = 1}};
    if (cells->table_count != 1 || cells->tables[0].cells || claim->most < 1 || claim->epsilon < 1)
        return tacit__error(err, TACIT_INVALID, "counts with noise are those of a single table");
    tacit_status status = count_again(&r, err);
    if (status == TACIT_OK)
        status = tacit__progress(run, "judging the noise", 0, 0, err);
    if (status == TACIT_OK)
        check_values(&r, published);
    if (status == TACIT_OK && r.audit.miscounted == 0 && r.audit.broken == 0)
        status = test_noise(&r, published, err);
    if (status == TACIT_OK)
        *out = r.audit;
    tacit__free(r.entries);
    tacit__free(r.counted);
    return status;
}
