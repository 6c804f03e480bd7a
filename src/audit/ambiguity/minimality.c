/*
 * minimality.c - what knowing that no blank could have been left out gives away.
 *
 * Vinterbo and Ohno-Machado, section 4: where a recipient knows that as little as
 * possible was suppressed, a blank cannot hide a value that could as well have been
 * released. Of two rows 0 and 1 in one column, the first is blanked; had it been 1 too,
 * nothing would have been, so it was 0. The same for any k: a value is excluded where
 * every alpha would still be k (or, where only that is promised, their mean) with the
 * value in the blank's place. One value left is a disclosure; none left means that
 * the blank was not needed, which contradicts what the recipient believes and reveals
 * nothing.
 *
 * With a value v in its place, a row no longer agrees with those of its neighbours that
 * have another value there. So its alpha falls by their rows, theirs by one each, and v
 * is excluded where its own alpha stays at k and none of theirs is k already. A
 * histogram of the neighbours by their values answers this for every v, and all values
 * that no neighbour has are answered alike.
 *
 * Where k is promised both ways (fits.c), whether a blank could have been left out depends on what
 * others hide, and v is excluded only where it could have been whatever that is: k people are sure
 * to fit the row with v in it, and everybody who may fit the row now and have another value than v
 * is sure to fit k rows without it. That is what the recipient can work out cell by cell.
 *
 * This is an attack on ambiguity. Where "*" agrees with "*" only, nothing
 * follows for single cells: a class has two members or more with the same blanks, and
 * any of them may be the one whose value differs from the others'.
 *
 * Cost: each pattern with blanks looks at all that it can agree with. Where that would
 * take more than MOST_STEPS it is not done, and the verdict says so.
 */
#include <math.h>

#include "audit/ambiguity/ambiguity.h"
#include "audit/rows/rows.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/vector.h"

#define MAX_STEPS INT64_C(2000000000)
#define BIT       1048576.0

enum {
    STRETCH_STEPS = 256, /* what finding a stretch of patterns costs */
    SCREENED = 8,        /* patterns that take a step where they are screened */
    MINIMALITY_TASK = 32 /* patterns */
};

enum { TIGHT = 1, SEEN = 2 };

/* What is found of blanks. */
typedef struct tally_of_blanks {
    int64_t revealed, narrowed, removable;
    int64_t hidden, gained,
        worst; /* bits, in parts of BIT: whole numbers add up alike in any order */
} tally_of_blanks;

/* What a worker works with. */
typedef struct bench {
    uint32_t *near; /* patterns that agree with the one in hand */
    int64_t near_count;
    size_t near_capacity;
    int64_t *rows;  /* code -> rows of those that have it, in the place in hand */
    uint8_t *tight; /* code -> TIGHT: any of those has alpha k and no more; SEEN: one of them */
    bool blocked;   /* somebody with "*" in the place would be short, whatever the value */
    uint32_t *seen; /* the codes with rows */
    int64_t seen_count;
    int64_t seen_rows;
    int64_t tight_count; /* codes that are tight */
    tally_of_blanks tally;
} bench;

typedef struct attack {
    const tacit__ambiguity *a;
    tacit__own_stars own;
    tacit__domain domain[TACIT__MAX_AMBIGUOUS]; /* a place each */
    int64_t from;                               /* the first pattern with "*" */
    int64_t *starts; /* of the rows of each pattern with "*", and the end of the last */
    uint32_t *rows;
    uint64_t *revealed; /* pattern with "*" -> attributes by bits */
    bench *benches;
    int workers;
} attack;

/* ---- neighbours ---- */

/* Whether patterns of group h count for those of group g: they can have a value where those have
 * "*", or both ways are promised. */
static bool counts(const tacit__ambiguity *a, int64_t g, int64_t h)
{
    const tacit__patterns *p = &a->patterns;
    return a->judge->promise->both_ways || (p->groups[g].stars & ~p->groups[h].stars) != 0;
}

static bool take(bench *b, int64_t pattern)
{
    if (!TACIT__PUSH(b->near, b->near_capacity, b->near_count, (uint32_t)pattern))
        return false;
    return true;
}

/* What agrees with a pattern of group g, from all groups together. */
static tacit_status gather_screened(bench *b, const tacit__ambiguity *a, int64_t pattern, int64_t g,
                                    tacit_error *err)
{
    const tacit__patterns *p = &a->patterns;
    tacit__screen_look look;
    tacit__screen_aim(&look, &a->screen, p, pattern);
    for (int64_t other; (other = tacit__screen_next(&look)) >= 0;)
        if (counts(a, g, a->screen.group_of[other]) && !take(b, other))
            return tacit__nomem(err);
    return TACIT_OK;
}

/* The patterns that agree with one of group g and count for it. */
static tacit_status gather(bench *b, const tacit__ambiguity *a, int64_t pattern, int64_t g,
                           tacit_error *err)
{
    const tacit__patterns *p = &a->patterns;
    uint64_t keep[TACIT__MAX_AMBIGUOUS];
    b->near_count = 0;
    if (a->screen.bits)
        return gather_screened(b, a, pattern, g, err);
    for (int64_t h = 0; h < p->group_count; h++) {
        if (!counts(a, g, h))
            continue;
        tacit__outside(keep, p, g, h);
        tacit__ambiguity_stretch near = tacit__near(p, pattern, g, h);
        for (;; near.from++) {
            near.from = tacit__next_alike(p, pattern, keep, near);
            if (near.from == near.to)
                break;
            if (!take(b, near.from))
                return tacit__nomem(err);
        }
    }
    return TACIT_OK;
}

static void see(bench *b, uint32_t code)
{
    if (!b->tight[code])
        b->seen[b->seen_count++] = code;
    b->tight[code] |= SEEN;
}

static void tighten(bench *b, uint32_t code)
{
    b->tight_count += !(b->tight[code] & TIGHT);
    b->tight[code] |= TIGHT;
}

/* The neighbours by their values in a place. */
static void weigh(bench *b, const tacit__ambiguity *a, int place)
{
    const tacit__patterns *p = &a->patterns;
    b->seen_count = b->seen_rows = b->tight_count = 0;
    for (int64_t i = 0; i < b->near_count; i++) {
        uint32_t code = tacit__pattern_code(p, b->near[i], place);
        if (code == p->star[place])
            continue;
        see(b, code);
        b->rows[code] += p->rows[b->near[i]];
        b->seen_rows += p->rows[b->near[i]];
        if (a->alpha[b->near[i]] == a->judge->promise->k)
            tighten(b, code);
    }
}

/* The same where both ways are promised: rows are those that are sure to fit the row with the
 * value in it, and tight is who may not be sure of k rows without it. */
static void weigh_both(bench *b, const tacit__ambiguity *a, int64_t pattern, int place)
{
    const tacit__patterns *p = &a->patterns;
    uint64_t stars = a->sure.absent[pattern];
    b->seen_count = b->seen_rows = b->tight_count = 0;
    b->blocked = false;
    for (int64_t i = 0; i < b->near_count; i++) {
        int64_t other = b->near[i];
        uint32_t code = tacit__pattern_code(p, other, place);
        bool fits = !(a->sure.absent[other] & ~stars); /* the row as it is, for sure */
        bool tight = a->sure.rows[other] - fits < a->judge->promise->k;
        if (code == p->star[place]) {
            b->blocked |= tight && (other != pattern || p->rows[pattern] > 1);
            continue;
        }
        see(b, code);
        b->rows[code] += fits ? p->rows[other] : 0;
        if (tight)
            tighten(b, code);
    }
}

static void forget(bench *b)
{
    for (int64_t i = 0; i < b->seen_count; i++) {
        b->rows[b->seen[i]] = 0;
        b->tight[b->seen[i]] = 0;
    }
}

/* ---- values ---- */

/* Whether a pattern's blank could have been released with a value; TACIT__NOWHERE is any
 * that no neighbour has. */
static bool excluded(const bench *b, const tacit__ambiguity *a, int64_t pattern, uint32_t code)
{
    const tacit_promise *promise = a->judge->promise;
    int64_t rows = code == TACIT__NOWHERE ? 0 : b->rows[code], lost = b->seen_rows - rows;
    if (promise->mean_alpha)
        return tacit__mean_is_k(a->judge, a->total - 2 * (uint64_t)lost);
    int64_t tight = code == TACIT__NOWHERE ? 0 : b->tight[code] & TIGHT;
    if (promise->both_ways)
        return !b->blocked && 1 + rows >= promise->k && b->tight_count == tight;
    return a->alpha[pattern] - lost >= promise->k && b->tight_count == tight;
}

static int64_t values_left(const bench *b, const attack *t, int64_t pattern, int place)
{
    int64_t values = t->domain[place].values, gone = 0;
    for (int64_t i = 0; i < b->seen_count; i++)
        gone += excluded(b, t->a, pattern, b->seen[i]);
    if (excluded(b, t->a, pattern, TACIT__NOWHERE))
        gone += values - b->seen_count;
    return values - gone;
}

/* Whether a row's blank could have been left out, for all that is known of its value. */
static bool removable(const bench *b, const attack *t, int64_t pattern, int place, int64_t row,
                      int64_t left)
{
    const tacit__judge *judge = t->a->judge;
    const tacit__domain *domain = &t->domain[place];
    if (!judge->corresponds || !domain->released)
        return left == 0;
    int32_t column = judge->ground[t->a->patterns.column[place]];
    uint32_t own =
        tacit_codes_at(tacit_table_codes(judge->original, column), tacit__behind(judge, row));
    return excluded(b, t->a, pattern, domain->released[own]);
}

static int64_t bits_of(int64_t values)
{
    return values > 1 ? llround(log2((double)values) * BIT) : 0;
}

/* One place of a pattern, in all of its rows. Returns what is gained on each of them. */
static int64_t judge_place(bench *b, attack *t, int64_t pattern, int place, uint64_t stars)
{
    int32_t attribute = t->a->patterns.column[place];
    int64_t left = values_left(b, t, pattern, place), at = pattern - t->from;
    int64_t hidden = bits_of(t->domain[place].values), gained = left ? hidden - bits_of(left) : 0;
    bool narrowed = left > 1 && left < t->domain[place].values;
    bool revealed = left == 1 && t->domain[place].values > 1;
    if (revealed)
        t->revealed[at] |= UINT64_C(1) << attribute;
    for (int64_t i = t->starts[at]; i < t->starts[at + 1]; i++) {
        if (!(tacit__blanks_of(&t->own, t->rows[i], stars) >> attribute & 1))
            continue;
        b->tally.revealed += revealed;
        b->tally.narrowed += narrowed;
        b->tally.removable += removable(b, t, pattern, place, t->rows[i], left);
        b->tally.hidden += hidden;
        b->tally.gained += gained;
    }
    return gained;
}

static tacit_status attack_pattern(bench *b, attack *t, int64_t pattern, tacit_error *err)
{
    const tacit__patterns *p = &t->a->patterns;
    int64_t group = tacit__group_of(p, pattern);
    uint64_t places = p->groups[group].stars, stars = tacit__by_column(p, places);
    int64_t gained = 0;
    tacit_status status = gather(b, t->a, pattern, group, err);
    for (; places && status == TACIT_OK; places &= places - 1) {
        int place = __builtin_ctzll(places);
        if (t->a->judge->promise->both_ways)
            weigh_both(b, t->a, pattern, place);
        else
            weigh(b, t->a, place);
        gained += judge_place(b, t, pattern, place, stars);
        forget(b);
    }
    b->tally.worst = gained > b->tally.worst ? gained : b->tally.worst;
    return status;
}

static tacit_status attack_block(void *context, int64_t block, int worker, tacit_error *err)
{
    attack *t = context;
    int64_t end = t->from + (block + 1) * MINIMALITY_TASK, count = t->a->patterns.count;
    tacit_status status = TACIT_OK;
    for (int64_t i = t->from + block * MINIMALITY_TASK; i < end && i < count && status == TACIT_OK;
         i++)
        status = attack_pattern(&t->benches[worker], t, i, err);
    return status;
}

/* ---- before and after ---- */

static bool too_long(const attack *t)
{
    const tacit__patterns *p = &t->a->patterns;
    int64_t starred = p->count - t->from, steps = 0;
    if (starred == 0 || starred <= MAX_STEPS / p->count)
        return false;
    if (t->a->screen.bits)
        return starred > MAX_STEPS / (p->count / SCREENED);
    if (starred > MAX_STEPS / STRETCH_STEPS / p->group_count)
        return true;
    for (int64_t i = t->from; i < p->count && steps <= MAX_STEPS; i++) {
        int64_t g = tacit__group_of(p, i);
        for (int64_t h = 0; h < p->group_count; h++) {
            tacit__ambiguity_stretch near = tacit__near(p, i, g, h);
            steps += counts(t->a, g, h) ? near.to - near.from : 0;
        }
    }
    return steps > MAX_STEPS;
}

/* The rows of every pattern with "*". */
static tacit_status list_rows(attack *t, tacit_error *err)
{
    const tacit__patterns *p = &t->a->patterns;
    int64_t starred = p->count - t->from, total = 0;
    t->starts = tacit__alloc_array((size_t)starred + 1, sizeof *t->starts);
    if (!t->starts)
        return tacit__nomem(err);
    for (int64_t i = 0; i < starred; i++) {
        total += p->rows[t->from + i];
        t->starts[i] = total;
    }
    t->starts[starred] = total;
    t->rows = tacit__alloc_array((size_t)total, sizeof *t->rows);
    if (!t->rows)
        return tacit__nomem(err);
    for (int64_t row = p->row_count - 1; row >= 0; row--)
        if (p->of_row[row] >= t->from)
            t->rows[--t->starts[p->of_row[row] - t->from]] = (uint32_t)row;
    return TACIT_OK;
}

/* Room for the codes of any place that has "*". */
static tacit_status bench_init(bench *b, const attack *t, tacit_error *err)
{
    const tacit__patterns *p = &t->a->patterns;
    size_t codes = 1;
    for (int place = 0; place < p->columns; place++) {
        size_t here = (size_t)p->field[place].mask + 1;
        if (p->star[place] != UINT32_MAX && here > codes)
            codes = here;
    }
    b->rows = tacit__alloc_zeroed(codes, sizeof *b->rows);
    b->tight = tacit__alloc_zeroed(codes, sizeof *b->tight);
    b->seen = tacit__alloc_array(codes, sizeof *b->seen);
    return b->rows && b->tight && b->seen ? TACIT_OK : tacit__nomem(err);
}

static tacit_status prepare(attack *t, tacit_error *err)
{
    const tacit__patterns *p = &t->a->patterns;
    tacit_status status = list_rows(t, err);
    for (int place = 0; place < p->columns && status == TACIT_OK; place++)
        if (p->star[place] != UINT32_MAX)
            status = tacit__domain_init(&t->domain[place], t->a->judge, p->column[place], err);
    if (status != TACIT_OK)
        return status;
    t->revealed = tacit__alloc_zeroed((size_t)(p->count - t->from), sizeof *t->revealed);
    t->benches = tacit__alloc_zeroed((size_t)t->workers, sizeof *t->benches);
    if (!t->revealed || !t->benches)
        return tacit__nomem(err);
    for (int i = 0; i < t->workers && status == TACIT_OK; i++)
        status = bench_init(&t->benches[i], t, err);
    return status;
}

static void clear(attack *t)
{
    for (int i = 0; t->benches && i < t->workers; i++) {
        tacit__free(t->benches[i].near);
        tacit__free(t->benches[i].rows);
        tacit__free(t->benches[i].tight);
        tacit__free(t->benches[i].seen);
    }
    for (int place = 0; place < t->a->patterns.columns; place++)
        tacit__domain_clear(&t->domain[place]);
    tacit__free(t->benches);
    tacit__free(t->starts);
    tacit__free(t->rows);
    tacit__free(t->revealed);
}

/* The revealed blanks, by row and attribute. */
static tacit_status list_cells(const attack *t, tacit_error *err)
{
    const tacit__patterns *p = &t->a->patterns;
    tacit_minimality_verdict *v = &t->a->judge->verdict->minimality;
    v->cells = tacit__alloc_array((size_t)v->revealed, sizeof *v->cells);
    if (!v->cells)
        return tacit__nomem(err);
    for (int64_t row = 0; row < p->row_count && v->cell_count < v->revealed; row++) {
        int64_t at = (int64_t)p->of_row[row] - t->from;
        uint64_t bits = at < 0 ? 0 : tacit__blanks_of(&t->own, row, t->revealed[at]);
        for (; bits; bits &= bits - 1)
            v->cells[v->cell_count++] =
                (tacit_revealed_cell){row + 1, (int32_t)__builtin_ctzll(bits)};
    }
    return TACIT_OK;
}

static void report_minimality(tacit__judge *judge)
{
    const tacit_minimality_verdict *v = &judge->verdict->minimality;
    if (!judge->promise->resists_minimality)
        return;
    if (!v->checked) {
        tacit__find(judge, TACIT_FINDING_REVEALED, 0, judge->verdict->alpha.blanks,
                    "there are too many blanks to tell whether knowing that none could be left "
                    "out reveals any");
        return;
    }
    if (v->revealed == 0)
        return;
    const tacit_revealed_cell *first = &v->cells[0];
    const char *name = judge->promise->attributes[first->attribute].name;
    tacit__find(judge, TACIT_FINDING_REVEALED, first->row, v->revealed,
                "knowing that no blank could be left out reveals %lld of %lld; the first is "
                "attribute \"%s\" in row %lld (line %lld)",
                (long long)v->revealed, (long long)v->blanks,
                tacit__show(tacit_strview_of(name)).text, (long long)first->row,
                (long long)tacit_table_line(judge->release, first->row - 1));
}

static void add_up(tacit_minimality_verdict *v, const attack *t)
{
    int64_t hidden = 0, gained = 0, worst = 0;
    for (int i = 0; i < t->workers; i++) {
        const tally_of_blanks *tally = &t->benches[i].tally;
        v->revealed += tally->revealed;
        v->narrowed += tally->narrowed;
        v->removable += tally->removable;
        hidden += tally->hidden;
        gained += tally->gained;
        worst = tally->worst > worst ? tally->worst : worst;
    }
    v->bits_hidden = (double)hidden / BIT;
    v->bits_gained = (double)gained / BIT;
    v->bits_worst = (double)worst / BIT;
}

static tacit_status run_attack(attack *t, tacit_error *err)
{
    tacit_minimality_verdict *v = &t->a->judge->verdict->minimality;
    int64_t starred = t->a->patterns.count - t->from;
    tacit_status status = prepare(t, err);
    if (status == TACIT_OK)
        status = tacit__parallel(t->a->judge->run, "judging",
                                 (starred + MINIMALITY_TASK - 1) / MINIMALITY_TASK, attack_block, t,
                                 err);
    if (status != TACIT_OK)
        return status;
    add_up(v, t);
    return list_cells(t, err);
}

tacit_status tacit__judge_minimality(const tacit__ambiguity *ambiguity, tacit_error *err)
{
    tacit__judge *judge = ambiguity->judge;
    tacit_minimality_verdict *v = &judge->verdict->minimality;
    attack t = {.a = ambiguity,
                .from = tacit__first_starred(&ambiguity->patterns),
                .workers = tacit__threads(judge->run)};
    /* Where the promise is broken nothing can be filled and keep it, and nothing follows. */
    bool kept = judge->promise->mean_alpha ? tacit__mean_is_k(judge, ambiguity->total)
                                           : judge->verdict->alpha.rows_below == 0;
    if (judge->promise->both_ways)
        kept &= judge->verdict->fits.rows_below == 0 && judge->verdict->fits.people_below == 0;
    tacit_status status = TACIT_OK;
    tacit__own_stars_init(&t.own, judge);
    v->blanks = judge->verdict->alpha.blanks;
    v->checked = !kept || !too_long(&t);
    if (kept && v->checked)
        status = run_attack(&t, err);
    if (status == TACIT_OK)
        report_minimality(judge);
    clear(&t);
    return status;
}
