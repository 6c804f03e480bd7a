/*
 * record_swap.c - targeted record swapping: records that stand out where they are trade places with
 * others like them.
 *
 * What national offices do with their censuses (UK 2011; the European census 2021, for which the
 * method was written down by the ESSnet's centre of excellence). A record is at risk where fewer
 * than k have its values of `match` in its place (`columns`, the geography at its finest). From the
 * rarest on, each trades places with one that agrees with it in `keep` and is elsewhere, itself at
 * risk where there is such a one, so that fewer are moved. A share of the others may follow. A
 * household trades as a whole, with one whose members agree with its own, one to one.
 *
 * The places of each combination of `keep` are as they were, and so is everything that is not about
 * places.
 *
 * A partner is drawn by trying until one is in another place. How many are is known, so trying
 * ends; every success leaves one fewer, so for a class of N units it takes N log N tries in all at
 * most, on the mean, even where nearly all are in one place. All else is linear, but for sorting
 * members.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/swap/exchange.h"

typedef struct partner_pool {
    const uint32_t *classes; /* of each unit */
    const uint32_t *cells;   /* of each unit: its class and place together */
    const bool *at_risk;
    uint32_t class_count;
    uint32_t *pool;  /* units class by class, in each those at risk, then the others */
    int64_t *starts; /* two for each class: where they start in the pool */
    int64_t *open;   /* as starts: how many, in front, are not taken */
    uint32_t *where; /* of each unit in the pool */
    int64_t *left;   /* two for each cell: units that are not taken, at risk and others */
} partner_pool;

static size_t part_of(const partner_pool *p, uint32_t unit)
{
    return 2 * (size_t)p->classes[unit] + !p->at_risk[unit];
}

static size_t cell_of(const partner_pool *p, uint32_t unit)
{
    return 2 * (size_t)p->cells[unit] + !p->at_risk[unit];
}

static void fill(partner_pool *p, int64_t count)
{
    size_t parts = 2 * (size_t)p->class_count;
    int64_t start = 0;
    for (int64_t unit = 0; unit < count; unit++) {
        p->open[part_of(p, (uint32_t)unit)]++;
        p->left[cell_of(p, (uint32_t)unit)]++;
    }
    for (size_t part = 0; part < parts; part++) {
        p->starts[part] = start;
        start += p->open[part];
        p->open[part] = 0;
    }
    for (int64_t unit = 0; unit < count; unit++) {
        size_t part = part_of(p, (uint32_t)unit);
        int64_t at = p->starts[part] + p->open[part]++;
        p->pool[at] = (uint32_t)unit;
        p->where[unit] = (uint32_t)at;
    }
}

static void clear_partners(partner_pool *partners)
{
    tacit__free(partners->pool);
    tacit__free(partners->where);
    tacit__free(partners->starts);
    tacit__free(partners->open);
    tacit__free(partners->left);
    *partners = (partner_pool){0};
}

/* classes, cells and at_risk are borrowed. */
static tacit_status init_partners(partner_pool *partners, const uint32_t *classes,
                                  uint32_t class_count, const uint32_t *cells, uint32_t cell_count,
                                  const bool *at_risk, int64_t count, tacit_error *err)
{
    partner_pool p = {classes, cells, at_risk, class_count, NULL, NULL, NULL, NULL, NULL};
    p.pool = tacit__alloc_array((size_t)count, sizeof *p.pool);
    p.where = tacit__alloc_array((size_t)count, sizeof *p.where);
    p.starts = tacit__alloc_array(2 * (size_t)class_count, sizeof *p.starts);
    p.open = tacit__alloc_zeroed(2 * (size_t)class_count, sizeof *p.open);
    p.left = tacit__alloc_zeroed(2 * (size_t)cell_count, sizeof *p.left);
    if (!p.pool || !p.where || !p.starts || !p.open || !p.left) {
        clear_partners(&p);
        return tacit__nomem(err);
    }
    fill(&p, count);
    *partners = p;
    return TACIT_OK;
}

/* Whether a unit has been taken. */
static bool is_taken(const partner_pool *partners, uint32_t unit)
{
    return partners->where[unit] == UINT32_MAX;
}

static void take(partner_pool *p, uint32_t unit)
{
    size_t part = part_of(p, unit);
    int64_t end = p->starts[part] + --p->open[part];
    uint32_t last = p->pool[end];
    p->pool[p->where[unit]] = last;
    p->where[last] = p->where[unit];
    p->where[unit] = UINT32_MAX;
    p->left[cell_of(p, unit)]--;
}

static uint32_t any_of(const partner_pool *p, size_t part, tacit__random *random)
{
    return p
        ->pool[p->starts[part] + (int64_t)tacit__random_below64(random, (uint64_t)p->open[part])];
}

/* Takes the unit and draws a partner for it, which it takes too: one at risk where there is one.
 * False where nobody is left in another place. */
static bool draw_partner(partner_pool *partners, uint32_t *partner, uint32_t unit,
                         tacit__random *random)
{
    partner_pool *p = partners;
    take(p, unit);
    for (size_t others = 0; others < 2; others++) {
        size_t part = 2 * (size_t)p->classes[unit] + others;
        if (p->open[part] == p->left[2 * (size_t)p->cells[unit] + others])
            continue;
        do
            *partner = any_of(p, part, random);
        while (p->cells[*partner] == p->cells[unit]);
        take(p, *partner);
        return true;
    }
    return false;
}

/* A unit of the class that is not at risk and not taken; false where there is none. */
static bool draw_any(const partner_pool *partners, uint32_t *unit, uint32_t class,
                     tacit__random *random)
{
    size_t part = 2 * (size_t) class + 1;
    if (partners->open[part] == 0)
        return false;
    *unit = any_of(partners, part, random);
    return true;
}

enum { RECORD_COLUMNS, RECORD_KEEP, RECORD_MATCH, RECORD_K, RECORD_SHARE, RECORD_HOUSEHOLD };

/* Streams of random numbers. */
enum { DRAW_RISK, DRAW_SHARE };

static const tacit_technique_option RECORD_OPTIONS[] = {
    [RECORD_COLUMNS] = {"columns", TACIT_TECHNIQUE_COLUMNS,
                        .help = "the columns that are traded together: where a record is",
                        .required = true},
    [RECORD_KEEP] = {"keep", TACIT_TECHNIQUE_COLUMNS,
                     .help = "columns in which records that trade agree"},
    [RECORD_MATCH] = {"match", TACIT_TECHNIQUE_COLUMNS,
                      .help = "columns by which a record may be at risk where it is"},
    [RECORD_K] = {"k", TACIT_TECHNIQUE_INTEGER,
                  .help = "a record is at risk where fewer than k have its values of match",
                  .least = 2, .most = 1000000, .usual = 3},
    [RECORD_SHARE] = {"share", TACIT_TECHNIQUE_NUMBER,
                      .help = "share of all records that trade besides, drawn at random",
                      .least = 0, .most = 1},
    [RECORD_HOUSEHOLD] = {"household", TACIT_TECHNIQUE_COLUMNS,
                          .help = "columns that members of a household share: they move together"},
    {.name = NULL},
};

typedef struct trading {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__row_groups homes; /* units and their rows */
    uint32_t *class_of;      /* of each unit: what `keep` says of its members */
    uint32_t *cell_of;       /* of each unit: its class and place */
    uint32_t class_count, cell_count;
    uint32_t *rarity; /* of each unit: how many are like its rarest member where it is */
    bool *at_risk;
    partner_pool partners;
    int64_t risky, stuck, moved; /* rows */
} trading;

static tacit_status check_record_swap(const tacit__runner_call *call, tacit_error *err)
{
    const tacit__runner_value *values = call->values;
    if (!values[RECORD_MATCH].given && !(values[RECORD_SHARE].number > 0))
        return tacit__call_error(call, NULL, err,
                                 "it needs `match`, by which records are at risk, or a `share`");
    tacit_status status = tacit__call_apart(call, RECORD_COLUMNS, RECORD_KEEP, err);
    if (status == TACIT_OK)
        status = tacit__call_apart(call, RECORD_COLUMNS, RECORD_MATCH, err);
    return status == TACIT_OK ? tacit__call_apart(call, RECORD_COLUMNS, RECORD_HOUSEHOLD, err)
                              : status;
}

/* ---- units ---- */

static int64_t size_of(const trading *t, uint32_t unit)
{
    return t->homes.starts[unit + 1] - t->homes.starts[unit];
}

static const uint32_t *rows_of(const trading *t, uint32_t unit)
{
    return t->homes.rows + t->homes.starts[unit];
}

/* Every row by itself. */
static tacit_status single_rows(tacit__row_groups *homes, int64_t rows, tacit_error *err)
{
    homes->count = (uint32_t)rows;
    homes->starts = tacit__alloc_array((size_t)rows + 1, sizeof *homes->starts);
    homes->rows = tacit__alloc_array((size_t)rows, sizeof *homes->rows);
    if (!homes->starts || !homes->rows)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++) {
        homes->starts[row] = row;
        homes->rows[row] = (uint32_t)row;
    }
    homes->starts[rows] = rows;
    return TACIT_OK;
}

static tacit_status find_units(trading *t, tacit_error *err)
{
    const tacit__runner_value *household = &t->call->values[RECORD_HOUSEHOLD];
    tacit_status status = household->given
                              ? tacit__row_groups_init(&t->homes, t->sheet, household->columns,
                                                       household->text_count, err)
                              : single_rows(&t->homes, t->sheet->rows, err);
    if (status != TACIT_OK)
        return status;
    t->class_of = tacit__alloc_array(t->homes.count, sizeof *t->class_of);
    t->cell_of = tacit__alloc_array(t->homes.count, sizeof *t->cell_of);
    t->rarity = tacit__alloc_array(t->homes.count, sizeof *t->rarity);
    t->at_risk = tacit__alloc_zeroed(t->homes.count, sizeof *t->at_risk);
    bool whole = t->class_of && t->cell_of && t->rarity && t->at_risk;
    return whole ? TACIT_OK : tacit__nomem(err);
}

static int compare_groups(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left > right) - (left < right);
}

/* What the members of a unit are, whatever their order: the node of a trie that they lead to, or
 * TACIT__NONE when memory ran out. */
static uint32_t kind_of(tacit__numbering *trie, const trading *t, uint32_t unit,
                        const uint32_t *kept, uint32_t *members)
{
    size_t size = (size_t)size_of(t, unit);
    uint32_t node = TACIT__NONE;
    for (size_t i = 0; i < size; i++)
        members[i] = kept[rows_of(t, unit)[i]];
    qsort(members, size, sizeof *members, compare_groups);
    for (size_t i = 0; i < size && (i == 0 || node != TACIT__NONE); i++)
        node = tacit__numbering_add(trie, tacit__pair_key(node, members[i]));
    return node;
}

static tacit_status classify(trading *t, uint32_t *members, tacit_error *err)
{
    const tacit__runner_value *keep = &t->call->values[RECORD_KEEP];
    bool single = !t->call->values[RECORD_HOUSEHOLD].given, whole = true;
    tacit__numbering trie = {0}, classes = {0};
    tacit__row_groups kept;
    tacit_status status =
        tacit__row_groups_init(&kept, t->sheet, keep->columns, keep->text_count, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t unit = 0; whole && unit < t->homes.count; unit++) {
        uint32_t kind = single ? kept.group[unit] : kind_of(&trie, t, unit, kept.group, members);
        t->class_of[unit] = tacit__numbering_add(&classes, kind);
        whole = kind != TACIT__NONE && t->class_of[unit] != TACIT__NONE;
    }
    t->class_count = classes.count;
    tacit__row_groups_clear(&kept);
    tacit__numbering_clear(&trie);
    tacit__numbering_clear(&classes);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status scattered(const trading *t, uint32_t row, tacit_error *err)
{
    uint32_t origin = t->sheet->origin[row];
    const tacit_table *table = t->sheet->table;
    int64_t line = origin == TACIT__NO_ORIGIN ? 0 : tacit_table_line(table, origin);
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), line, 0,
                           "record-swap: a household is in two places at once");
}

static tacit_status place(trading *t, tacit_error *err)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS];
    tacit__numbering cells = {0};
    tacit__row_groups places;
    tacit_status status =
        tacit__row_groups_init(&places, t->sheet, columns->columns, columns->text_count, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t unit = 0; status == TACIT_OK && unit < t->homes.count; unit++) {
        const uint32_t *rows = rows_of(t, unit);
        t->cell_of[unit] =
            tacit__numbering_add(&cells, tacit__pair_key(t->class_of[unit], places.group[rows[0]]));
        if (t->cell_of[unit] == TACIT__NONE)
            status = tacit__nomem(err);
        for (int64_t i = 1; status == TACIT_OK && i < size_of(t, unit); i++)
            if (places.group[rows[i]] != places.group[rows[0]])
                status = scattered(t, rows[i], err);
    }
    tacit__row_groups_clear(&places);
    t->cell_count = cells.count;
    tacit__numbering_clear(&cells);
    return status;
}

static tacit_status find_cells(trading *t, tacit_error *err)
{
    uint32_t *members = tacit__alloc_array((size_t)t->sheet->rows, sizeof *members);
    tacit_status status = members ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = classify(t, members, err);
    if (status == TACIT_OK)
        status = place(t, err);
    tacit__free(members);
    return status;
}

/* ---- risk ---- */

static void mark_rare(trading *t, const tacit__row_groups *alike)
{
    for (uint32_t unit = 0; unit < t->homes.count; unit++) {
        t->rarity[unit] = UINT32_MAX;
        for (int64_t i = 0; i < size_of(t, unit); i++) {
            uint32_t group = alike->group[rows_of(t, unit)[i]];
            int64_t count = alike->starts[group + 1] - alike->starts[group];
            if (count < t->rarity[unit])
                t->rarity[unit] = (uint32_t)count;
        }
        t->at_risk[unit] = t->rarity[unit] < t->call->values[RECORD_K].number;
        t->risky += t->at_risk[unit] ? size_of(t, unit) : 0;
    }
}

static tacit_status find_risks(trading *t, tacit_error *err)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS],
                              *match = &t->call->values[RECORD_MATCH];
    size_t count = columns->text_count + match->text_count;
    tacit__row_groups alike;
    if (!match->given)
        return TACIT_OK;
    int32_t *both = tacit__alloc_array(count, sizeof *both);
    if (!both)
        return tacit__nomem(err);
    memcpy(both, columns->columns, columns->text_count * sizeof *both);
    memcpy(both + columns->text_count, match->columns, match->text_count * sizeof *both);
    tacit_status status = tacit__row_groups_init(&alike, t->sheet, both, count, err);
    if (status == TACIT_OK)
        mark_rare(t, &alike);
    if (status == TACIT_OK)
        tacit__row_groups_clear(&alike);
    tacit__free(both);
    return status;
}

/* ---- trading ---- */

/* Members of both are as many, and places of a household are one, so any order will do. */
static void trade_places(trading *t, uint32_t a, uint32_t b)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS];
    for (size_t i = 0; i < columns->text_count; i++)
        for (int64_t member = 0; member < size_of(t, a); member++)
            tacit__cell_swap(&t->sheet->columns[columns->columns[i]], rows_of(t, a)[member],
                             rows_of(t, b)[member]);
    t->moved += 2 * size_of(t, a);
}

/* From the rarest on, those as rare as each other in random order. */
static tacit_status trade_risky(trading *t, tacit_error *err)
{
    size_t room = t->homes.count;
    uint32_t *order = tacit__alloc_array(room, sizeof *order), partner;
    tacit__ranked *list = tacit__alloc_array(room, sizeof *list);
    tacit__ranked *spare = tacit__alloc_array(room, sizeof *spare);
    int64_t count = 0;
    tacit__random random;
    tacit_status status = order && list && spare ? TACIT_OK : tacit__nomem(err);
    tacit__call_random(&random, t->call, DRAW_RISK, 0);
    for (uint32_t unit = 0; status == TACIT_OK && unit < t->homes.count; unit++)
        if (t->at_risk[unit])
            order[count++] = unit;
    if (status == TACIT_OK) {
        tacit__shuffle_list(order, count, &random);
        for (int64_t i = 0; i < count; i++)
            list[i] = (tacit__ranked){t->rarity[order[i]], order[i]};
        tacit__rank_sort(list, spare, count);
    }
    for (int64_t i = 0; status == TACIT_OK && i < count; i++) {
        uint32_t unit = list[i].row;
        if (is_taken(&t->partners, unit))
            continue;
        if (draw_partner(&t->partners, &partner, unit, &random))
            trade_places(t, unit, partner);
        else
            t->stuck += size_of(t, unit);
    }
    tacit__free(order);
    tacit__free(list);
    tacit__free(spare);
    return status;
}

/* Of each class its share of those that are not at risk, as far as they find partners. */
static tacit_status trade_share(trading *t, tacit_error *err)
{
    double share = t->call->values[RECORD_SHARE].number;
    int64_t *sizes = tacit__alloc_zeroed(t->class_count, sizeof *sizes);
    tacit__random random;
    if (!sizes)
        return tacit__nomem(err);
    tacit__call_random(&random, t->call, DRAW_SHARE, 0);
    for (uint32_t unit = 0; unit < t->homes.count; unit++)
        sizes[t->class_of[unit]]++;
    for (uint32_t class = 0; share > 0 && class < t->class_count; class ++) {
        int64_t pairs = tacit__round_randomly((double)sizes[class] * share / 2, &random);
        uint32_t unit, partner;
        while (pairs > 0 && draw_any(&t->partners, &unit, class, &random))
            if (draw_partner(&t->partners, &partner, unit, &random)) {
                trade_places(t, unit, partner);
                pairs--;
            }
    }
    tacit__free(sizes);
    return TACIT_OK;
}

/* ---- the step ---- */

static tacit_status report_records(const trading *t, tacit_error *err)
{
    const tacit__runner_call *call = t->call;
    tacit_status status = tacit__note(call, "records_at_risk", (double)t->risky, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "records_at_risk_kept", (double)t->stuck, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "records_swapped", (double)t->moved, err);
    if (status == TACIT_OK)
        status = tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_UNIT},
                              &call->values[RECORD_COLUMNS], &call->values[RECORD_KEEP], err);
    return status;
}

static tacit_status apply_record_swap(tacit__sheet *sheet, const tacit__runner_call *call,
                                      tacit_error *err)
{
    trading t = {.call = call, .sheet = sheet};
    tacit_status status = find_units(&t, err);
    if (status == TACIT_OK)
        status = find_cells(&t, err);
    if (status == TACIT_OK)
        status = find_risks(&t, err);
    if (status == TACIT_OK)
        status = init_partners(&t.partners, t.class_of, t.class_count, t.cell_of, t.cell_count,
                               t.at_risk, t.homes.count, err);
    if (status == TACIT_OK)
        status = trade_risky(&t, err);
    if (status == TACIT_OK)
        status = trade_share(&t, err);
    if (status == TACIT_OK)
        status = report_records(&t, err);
    clear_partners(&t.partners);
    tacit__row_groups_clear(&t.homes);
    tacit__free(t.class_of);
    tacit__free(t.cell_of);
    tacit__free(t.rarity);
    tacit__free(t.at_risk);
    return status;
}

const tacit_technique tacit__technique_record_swap = {
    .name = "record-swap",
    .summary = "records at risk trade places with others like them",
    .options = RECORD_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_record_swap,
                                                  .check = check_record_swap},
};
