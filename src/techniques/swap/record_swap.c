/*
 * record_swap.c - targeted record swapping: records that stand out where they are trade places with
 * others like them.
 *
 * What national offices do with their censuses (UK 2011; the European census 2021, for which the
 * method was written down by the ESSnet's centre of excellence; sdcMicro's recordSwap). A record is
 * at risk where fewer than k have its values of `match` in its area (`columns`). From the rarest
 * on, each trades places with one that agrees with it in `keep` and is elsewhere, itself at risk
 * where there is such a one, so that fewer are moved. Others may follow: a share of each class of
 * like ones, or as many as bring every area to a rate. A household trades as a whole, with one
 * whose members agree with its own, one to one.
 *
 * With `levels` the columns are a hierarchy of areas, the largest first. A record is at risk on the
 * first level on which it is rare, and it trades with one in another area of that level, so of all
 * levels below, too. The largest areas are done first.
 *
 * Where nobody agrees in all of `keep`, its last columns are given up one by one, down to the first
 * `least`: similarity profiles, each a part of the one before.
 *
 * The places of each combination of the columns that are always kept are as they were, members of a
 * household stay together, and so does everything that is not about places.
 *
 * All is linear but for sorting members and drawing partners (partners.c); 4 bytes a unit for each
 * level and profile, and 4 for each pair of them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/map.h"
#include "techniques/numeric/numeric.h"
#include "techniques/runner/technique.h"
#include "techniques/swap/exchange.h"
#include "techniques/swap/partners.h"

enum {
    RECORD_COLUMNS,
    RECORD_KEEP,
    RECORD_MATCH,
    RECORD_K,
    RECORD_SHARE,
    RECORD_HOUSEHOLD,
    RECORD_LEVELS,
    RECORD_LEAST,
    RECORD_RATE,
    RECORD_CARRY
};

/* Streams of random numbers. */
enum { DRAW_RISK, DRAW_SHARE, DRAW_RATE };

enum { MOST_PROFILES = 16, NOT_AT_RISK = TACIT__MOST_LEVELS };

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
    [RECORD_LEVELS] = {"levels", TACIT_TECHNIQUE_SWITCH,
                       .help = "columns are areas within areas, the largest first: risk on each"},
    [RECORD_LEAST] = {"least", TACIT_TECHNIQUE_INTEGER,
                      .help = "where nobody agrees in all of keep, its first so many are enough",
                      .least = 0, .most = MOST_PROFILES},
    [RECORD_RATE] = {"rate", TACIT_TECHNIQUE_NUMBER,
                     .help = "share of the records of each area that trade, those at risk included",
                     .least = 0, .most = 1},
    [RECORD_CARRY] = {"carry", TACIT_TECHNIQUE_COLUMNS,
                      .help = "columns that go along with the place, such as its map square"},
    {.name = NULL},
};

/* Units by what some of the columns of `keep` say of their members. */
typedef struct profile {
    uint32_t *classes; /* of each unit */
    uint32_t class_count;
    uint32_t *cells[TACIT__MOST_LEVELS]; /* of each unit: its class and area */
    uint32_t cell_counts[TACIT__MOST_LEVELS];
    tacit__partners partners;
} profile;

typedef struct trading {
    const tacit__runner_call *call;
    tacit__sheet *sheet;
    tacit__row_groups homes; /* units and their rows */
    int levels;
    uint32_t *areas[TACIT__MOST_LEVELS]; /* of each unit */
    uint32_t area_count;                 /* of the last level */
    profile profiles[MOST_PROFILES];
    int profile_count;
    uint32_t *rarity;    /* of each unit: how many are like its rarest member, on its level */
    uint8_t *risk_level; /* of each unit: the first on which it is at risk, or NOT_AT_RISK */
    bool *at_risk;
    tacit__runner_value moved_columns;    /* columns, and what is carried along */
    int64_t risky, stuck, moved, loosely; /* rows */
} trading;

static tacit_status check_record_swap(const tacit__runner_call *call, tacit_error *err)
{
    static const int APART[][2] = {
        {RECORD_COLUMNS, RECORD_KEEP},      {RECORD_COLUMNS, RECORD_MATCH},
        {RECORD_COLUMNS, RECORD_HOUSEHOLD}, {RECORD_CARRY, RECORD_COLUMNS},
        {RECORD_CARRY, RECORD_KEEP},        {RECORD_CARRY, RECORD_MATCH},
        {RECORD_CARRY, RECORD_HOUSEHOLD}};
    const tacit__runner_value *values = call->values;
    tacit_status status = TACIT_OK;
    if (!values[RECORD_MATCH].given && !(values[RECORD_SHARE].number > 0) &&
        !(values[RECORD_RATE].number > 0))
        return tacit__call_error(
            call, NULL, err,
            "it needs `match`, by which records are at risk, or a `share` or `rate`");
    if (values[RECORD_SHARE].given && values[RECORD_RATE].given)
        return tacit__call_error(call, &values[RECORD_RATE], err,
                                 "`share` and `rate` do not go together: leave one of them out");
    if (values[RECORD_LEVELS].number > 0 && values[RECORD_COLUMNS].text_count > TACIT__MOST_LEVELS)
        return tacit__call_error(call, &values[RECORD_COLUMNS], err,
                                 "at most %d levels of areas can be told apart",
                                 (int)TACIT__MOST_LEVELS);
    if (values[RECORD_LEAST].given &&
        values[RECORD_LEAST].number > (double)values[RECORD_KEEP].text_count)
        return tacit__call_error(call, &values[RECORD_LEAST], err,
                                 "`least` is more than `keep` has columns");
    if (values[RECORD_LEAST].given &&
        (double)values[RECORD_KEEP].text_count - values[RECORD_LEAST].number >= MOST_PROFILES)
        return tacit__call_error(call, &values[RECORD_LEAST], err,
                                 "at most %d columns of `keep` can be given up", MOST_PROFILES - 1);
    for (size_t i = 0; i < sizeof APART / sizeof *APART && status == TACIT_OK; i++)
        status = tacit__call_apart(call, (size_t)APART[i][0], (size_t)APART[i][1], err);
    return status;
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

/* Columns and what is carried as one list. */
static tacit_status join_moved(trading *t, tacit_error *err)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS],
                              *carry = &t->call->values[RECORD_CARRY];
    size_t count = columns->text_count + carry->text_count;
    const char **texts = tacit__alloc_array(count, sizeof *texts);
    t->moved_columns = *columns;
    t->moved_columns.columns = tacit__alloc_array(count, sizeof *t->moved_columns.columns);
    t->moved_columns.texts = texts;
    t->moved_columns.text_count = count;
    if (!texts || !t->moved_columns.columns)
        return tacit__nomem(err);
    for (size_t i = 0; i < count; i++) {
        const tacit__runner_value *from = i < columns->text_count ? columns : carry;
        size_t at = i < columns->text_count ? i : i - columns->text_count;
        texts[i] = from->texts[at];
        t->moved_columns.columns[i] = from->columns[at];
    }
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
    t->rarity = tacit__alloc_array(t->homes.count, sizeof *t->rarity);
    t->risk_level = tacit__alloc_array(t->homes.count, sizeof *t->risk_level);
    t->at_risk = tacit__alloc_zeroed(t->homes.count, sizeof *t->at_risk);
    if (!t->rarity || !t->risk_level || !t->at_risk)
        return tacit__nomem(err);
    memset(t->risk_level, NOT_AT_RISK, t->homes.count);
    return join_moved(t, err);
}

/* ---- areas ---- */

static tacit_status scattered(const trading *t, uint32_t row, tacit_error *err)
{
    uint32_t origin = t->sheet->origin[row];
    const tacit_table *table = t->sheet->table;
    int64_t line = origin == TACIT__NO_ORIGIN ? 0 : tacit_table_line(table, origin);
    return tacit__error_at(err, TACIT_INVALID, tacit_table_file(table), line, 0,
                           "record-swap: a household is in two places at once");
}

/* Everything that moves is the same for all members, so that any of them can have it. */
static tacit_status check_together(const trading *t, tacit_error *err)
{
    tacit__row_groups places;
    tacit_status status = tacit__row_groups_init(&places, t->sheet, t->moved_columns.columns,
                                                 t->moved_columns.text_count, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t unit = 0; status == TACIT_OK && unit < t->homes.count; unit++) {
        const uint32_t *rows = rows_of(t, unit);
        for (int64_t i = 1; status == TACIT_OK && i < size_of(t, unit); i++)
            if (places.group[rows[i]] != places.group[rows[0]])
                status = scattered(t, rows[i], err);
    }
    tacit__row_groups_clear(&places);
    return status;
}

/* Columns that make up the areas of a level. */
static size_t columns_on(const trading *t, int level)
{
    const tacit__runner_value *values = t->call->values;
    return values[RECORD_LEVELS].number > 0 ? (size_t)level + 1 : values[RECORD_COLUMNS].text_count;
}

static tacit_status find_areas(trading *t, tacit_error *err)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS];
    tacit_status status = check_together(t, err);
    t->levels = t->call->values[RECORD_LEVELS].number > 0 ? (int)columns->text_count : 1;
    for (int level = 0; level < t->levels && status == TACIT_OK; level++) {
        tacit__row_groups places;
        t->areas[level] = tacit__alloc_array(t->homes.count, sizeof *t->areas[level]);
        if (!t->areas[level])
            return tacit__nomem(err);
        status =
            tacit__row_groups_init(&places, t->sheet, columns->columns, columns_on(t, level), err);
        if (status != TACIT_OK)
            break;
        for (uint32_t unit = 0; unit < t->homes.count; unit++)
            t->areas[level][unit] = places.group[rows_of(t, unit)[0]];
        t->area_count = places.count;
        tacit__row_groups_clear(&places);
    }
    return status;
}

/* ---- profiles ---- */

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

static tacit_status classify(profile *p, const trading *t, size_t columns, uint32_t *members,
                             tacit_error *err)
{
    const tacit__runner_value *keep = &t->call->values[RECORD_KEEP];
    bool single = !t->call->values[RECORD_HOUSEHOLD].given, whole = true;
    tacit__numbering trie = {0}, classes = {0};
    tacit__row_groups kept;
    p->classes = tacit__alloc_array(t->homes.count, sizeof *p->classes);
    if (!p->classes)
        return tacit__nomem(err);
    tacit_status status = tacit__row_groups_init(&kept, t->sheet, keep->columns, columns, err);
    if (status != TACIT_OK)
        return status;
    for (uint32_t unit = 0; whole && unit < t->homes.count; unit++) {
        uint32_t kind = single ? kept.group[unit] : kind_of(&trie, t, unit, kept.group, members);
        p->classes[unit] = tacit__numbering_add(&classes, kind);
        whole = kind != TACIT__NONE && p->classes[unit] != TACIT__NONE;
    }
    p->class_count = classes.count;
    tacit__row_groups_clear(&kept);
    tacit__numbering_clear(&trie);
    tacit__numbering_clear(&classes);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status find_cells(profile *p, const trading *t, int level, tacit_error *err)
{
    tacit__numbering cells = {0};
    bool whole = true;
    p->cells[level] = tacit__alloc_array(t->homes.count, sizeof *p->cells[level]);
    if (!p->cells[level])
        return tacit__nomem(err);
    for (uint32_t unit = 0; whole && unit < t->homes.count; unit++) {
        p->cells[level][unit] =
            tacit__numbering_add(&cells, tacit__pair_key(p->classes[unit], t->areas[level][unit]));
        whole = p->cells[level][unit] != TACIT__NONE;
    }
    p->cell_counts[level] = cells.count;
    tacit__numbering_clear(&cells);
    return whole ? TACIT_OK : tacit__nomem(err);
}

static tacit_status open_profile(profile *p, const trading *t, size_t columns, uint32_t *members,
                                 tacit_error *err)
{
    tacit_status status = classify(p, t, columns, members, err);
    for (int level = 0; level < t->levels && status == TACIT_OK; level++) {
        status = find_cells(p, t, level, err);
        p->partners.cells[level] = p->cells[level];
    }
    if (status != TACIT_OK)
        return status;
    p->partners.classes = p->classes;
    p->partners.class_count = p->class_count;
    p->partners.levels = t->levels;
    p->partners.at_risk = t->at_risk;
    return tacit__partners_init(&p->partners, p->cell_counts, t->homes.count, err);
}

/* Columns of `keep` that are never given up. */
static size_t always_kept(const tacit__runner_call *call)
{
    const tacit__runner_value *least = &call->values[RECORD_LEAST];
    return least->given ? (size_t)least->number : call->values[RECORD_KEEP].text_count;
}

static tacit_status open_profiles(trading *t, tacit_error *err)
{
    size_t all = t->call->values[RECORD_KEEP].text_count, least = always_kept(t->call);
    uint32_t *members = tacit__alloc_array((size_t)t->sheet->rows, sizeof *members);
    tacit_status status = members ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && (size_t)t->profile_count <= all - least) {
        profile *p = &t->profiles[t->profile_count];
        status = open_profile(p, t, all - (size_t)t->profile_count++, members, err);
    }
    tacit__free(members);
    return status;
}

static void clear_profile(profile *p)
{
    tacit__partners_clear(&p->partners);
    tacit__free(p->classes);
    for (int level = 0; level < TACIT__MOST_LEVELS; level++)
        tacit__free(p->cells[level]);
}

/* ---- risk ---- */

/* Marks what is rare on a level and was not on a larger one. */
static void mark_rare(trading *t, const tacit__row_groups *alike, int level)
{
    for (uint32_t unit = 0; unit < t->homes.count; unit++) {
        uint32_t rarity = UINT32_MAX;
        for (int64_t i = 0; i < size_of(t, unit); i++) {
            uint32_t group = alike->group[rows_of(t, unit)[i]];
            int64_t count = alike->starts[group + 1] - alike->starts[group];
            if (count < rarity)
                rarity = (uint32_t)count;
        }
        if (t->at_risk[unit] || rarity >= t->call->values[RECORD_K].number)
            continue;
        t->at_risk[unit] = true;
        t->risk_level[unit] = (uint8_t)level;
        t->rarity[unit] = rarity;
        t->risky += size_of(t, unit);
    }
}

static tacit_status find_risks(trading *t, tacit_error *err)
{
    const tacit__runner_value *columns = &t->call->values[RECORD_COLUMNS],
                              *match = &t->call->values[RECORD_MATCH];
    tacit_status status = TACIT_OK;
    if (!match->given)
        return TACIT_OK;
    int32_t *both = tacit__alloc_array(columns->text_count + match->text_count, sizeof *both);
    if (!both)
        return tacit__nomem(err);
    for (int level = 0; level < t->levels && status == TACIT_OK; level++) {
        tacit__row_groups alike;
        size_t count = columns_on(t, level);
        memcpy(both, columns->columns, count * sizeof *both);
        memcpy(both + count, match->columns, match->text_count * sizeof *both);
        status = tacit__row_groups_init(&alike, t->sheet, both, count + match->text_count, err);
        if (status != TACIT_OK)
            break;
        mark_rare(t, &alike, level);
        tacit__row_groups_clear(&alike);
    }
    tacit__free(both);
    return status;
}

/* ---- trading ---- */

static void take(trading *t, uint32_t unit)
{
    for (int i = 0; i < t->profile_count; i++)
        tacit__partners_take(&t->profiles[i].partners, unit);
}

static bool is_taken(const trading *t, uint32_t unit)
{
    return tacit__partners_taken(&t->profiles[0].partners, unit);
}

/* Members of both are as many, and what moves is one for a household, so any order will do. */
static void trade_places(trading *t, uint32_t a, uint32_t b)
{
    const tacit__runner_value *columns = &t->moved_columns;
    for (size_t i = 0; i < columns->text_count; i++)
        for (int64_t member = 0; member < size_of(t, a); member++)
            tacit__cell_swap(&t->sheet->columns[columns->columns[i]], rows_of(t, a)[member],
                             rows_of(t, b)[member]);
    t->moved += 2 * size_of(t, a);
}

/* Trades a unit with one in another area of a level: one that is like it by as many columns of
 * `keep` as can be. False where nobody is left. Either way the unit is taken. */
static bool trade(uint32_t *partner, trading *t, uint32_t unit, int level, tacit__random *random)
{
    take(t, unit);
    for (int i = 0; i < t->profile_count; i++) {
        if (!tacit__partners_draw(partner, &t->profiles[i].partners, unit, level, random))
            continue;
        take(t, *partner);
        trade_places(t, unit, *partner);
        t->loosely += i > 0 ? 2 * size_of(t, unit) : 0;
        return true;
    }
    return false;
}

/* Room for a list of units in some order. */
typedef struct ordering {
    uint32_t *order;
    tacit__ranked *list, *spare;
} ordering;

/* Of those at risk on a level from the rarest on, those as rare as each other in random order. */
static void trade_level(trading *t, int level, const ordering *o, tacit__random *random)
{
    int64_t count = 0;
    uint32_t partner;
    for (uint32_t unit = 0; unit < t->homes.count; unit++)
        if (t->risk_level[unit] == level)
            o->order[count++] = unit;
    tacit__shuffle_list(o->order, count, random);
    for (int64_t i = 0; i < count; i++)
        o->list[i] = (tacit__ranked){t->rarity[o->order[i]], o->order[i]};
    tacit__rank_sort(o->list, o->spare, count);
    for (int64_t i = 0; i < count; i++) {
        uint32_t unit = o->list[i].row;
        if (!is_taken(t, unit) && !trade(&partner, t, unit, level, random))
            t->stuck += size_of(t, unit);
    }
}

static tacit_status trade_risky(trading *t, tacit_error *err)
{
    size_t room = t->homes.count;
    ordering o = {tacit__alloc_array(room, sizeof *o.order),
                  tacit__alloc_array(room, sizeof *o.list),
                  tacit__alloc_array(room, sizeof *o.spare)};
    bool whole = o.order && o.list && o.spare;
    tacit__random random;
    tacit__call_random(&random, t->call, DRAW_RISK, 0);
    for (int level = 0; whole && level < t->levels; level++)
        trade_level(t, level, &o, &random);
    tacit__free(o.order);
    tacit__free(o.list);
    tacit__free(o.spare);
    return whole ? TACIT_OK : tacit__nomem(err);
}

/* Of each class its share of those that are not at risk, as far as they find partners. */
static tacit_status trade_share(trading *t, tacit_error *err)
{
    const profile *first = &t->profiles[0];
    double share = t->call->values[RECORD_SHARE].number;
    int64_t *sizes = tacit__alloc_zeroed(first->class_count, sizeof *sizes);
    tacit__random random;
    if (!sizes)
        return tacit__nomem(err);
    tacit__call_random(&random, t->call, DRAW_SHARE, 0);
    for (uint32_t unit = 0; unit < t->homes.count; unit++)
        sizes[first->classes[unit]]++;
    for (uint32_t class = 0; share > 0 && class < first->class_count; class ++) {
        int64_t pairs = tacit__round_randomly((double)sizes[class] * share / 2, &random);
        uint32_t unit, partner;
        while (pairs > 0 && tacit__partners_any(&unit, &first->partners, class, &random))
            pairs -= trade(&partner, t, unit, t->levels - 1, &random);
    }
    tacit__free(sizes);
    return TACIT_OK;
}

/* How many units of each smallest area are still to trade. Those that were taken and found nobody
 * have not traded; none of them would now. */
static void count_wanted(int64_t *wanted, const trading *t, double rate, tacit__random *random)
{
    const uint32_t *areas = t->areas[t->levels - 1];
    for (uint32_t unit = 0; unit < t->homes.count; unit++)
        wanted[areas[unit]]++;
    for (uint32_t area = 0; area < t->area_count; area++)
        wanted[area] = tacit__round_randomly((double)wanted[area] * rate, random);
    for (uint32_t unit = 0; unit < t->homes.count; unit++)
        wanted[areas[unit]] -= is_taken(t, unit);
}

/* Brings every smallest area to the rate, as far as its units find partners, in random order. */
static tacit_status trade_rate(trading *t, tacit_error *err)
{
    double rate = t->call->values[RECORD_RATE].number;
    const uint32_t *areas = t->areas[t->levels - 1];
    if (!(rate > 0))
        return TACIT_OK;
    int64_t *wanted = tacit__alloc_zeroed(t->area_count, sizeof *wanted);
    uint32_t *order = tacit__alloc_array(t->homes.count, sizeof *order), partner;
    tacit_status status = wanted && order ? TACIT_OK : tacit__nomem(err);
    tacit__random random;
    tacit__call_random(&random, t->call, DRAW_RATE, 0);
    if (status == TACIT_OK) {
        count_wanted(wanted, t, rate, &random);
        for (uint32_t unit = 0; unit < t->homes.count; unit++)
            order[unit] = unit;
        tacit__shuffle_list(order, t->homes.count, &random);
    }
    for (uint32_t i = 0; status == TACIT_OK && i < t->homes.count; i++) {
        uint32_t unit = order[i];
        if (wanted[areas[unit]] <= 0 || is_taken(t, unit) ||
            !trade(&partner, t, unit, t->levels - 1, &random))
            continue;
        wanted[areas[unit]]--;
        wanted[areas[partner]]--;
    }
    tacit__free(wanted);
    tacit__free(order);
    return status;
}

/* ---- the step ---- */

static tacit_status note_figures(const trading *t, tacit_error *err)
{
    const tacit__runner_call *call = t->call;
    tacit_status status = tacit__note(call, "records_at_risk", (double)t->risky, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "records_at_risk_kept", (double)t->stuck, err);
    if (status == TACIT_OK)
        status = tacit__note(call, "records_swapped", (double)t->moved, err);
    if (status == TACIT_OK && t->profile_count > 1)
        status = tacit__note(call, "records_swapped_less_alike", (double)t->loosely, err);
    return status;
}

static tacit_status claim_kept(const trading *t, tacit_error *err)
{
    const tacit__runner_call *call = t->call;
    tacit__runner_value always = call->values[RECORD_KEEP];
    always.text_count = always_kept(call);
    tacit_status status =
        tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_UNIT}, &t->moved_columns, &always, err);
    if (status == TACIT_OK && call->values[RECORD_HOUSEHOLD].given)
        status = tacit__claim(call, (tacit_kept){.kind = TACIT_KEPT_TOGETHER}, &t->moved_columns,
                              &call->values[RECORD_HOUSEHOLD], err);
    return status;
}

static void clear_trading(trading *t)
{
    for (int i = 0; i < t->profile_count; i++)
        clear_profile(&t->profiles[i]);
    for (int level = 0; level < TACIT__MOST_LEVELS; level++)
        tacit__free(t->areas[level]);
    tacit__row_groups_clear(&t->homes);
    tacit__free((void *)t->moved_columns.texts);
    tacit__free(t->moved_columns.columns);
    tacit__free(t->rarity);
    tacit__free(t->risk_level);
    tacit__free(t->at_risk);
}

static tacit_status apply_record_swap(tacit__sheet *sheet, const tacit__runner_call *call,
                                      tacit_error *err)
{
    trading t = {.call = call, .sheet = sheet};
    tacit_status status = find_units(&t, err);
    if (status == TACIT_OK)
        status = find_areas(&t, err);
    if (status == TACIT_OK)
        status = find_risks(&t, err);
    if (status == TACIT_OK)
        status = open_profiles(&t, err);
    if (status == TACIT_OK)
        status = trade_risky(&t, err);
    if (status == TACIT_OK)
        status = trade_share(&t, err);
    if (status == TACIT_OK)
        status = trade_rate(&t, err);
    if (status == TACIT_OK)
        status = note_figures(&t, err);
    if (status == TACIT_OK)
        status = claim_kept(&t, err);
    clear_trading(&t);
    return status;
}

const tacit_technique tacit__technique_record_swap = {
    .name = "record-swap",
    .summary = "records at risk trade places with others like them",
    .effect = "some records stand in another place than their own: counts of small areas are "
              "blurred, and associations with the place may be weaker",
    .options = RECORD_OPTIONS,
    .code = &(const struct tacit__technique_code){.apply = apply_record_swap,
                                                  .check = check_record_swap},
};
