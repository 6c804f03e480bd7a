/*
 * protect_alter.c - `tacit protect` with a method that changes values in place of suppressing
 * cells: what it is asked, the table that is released, and the judge of it.
 *
 * Every cell is published, with the letter s: which cells are confidential, empty or must be
 * published is more than the values say. A published 0 may have been more, and a z beside it would
 * tell that it was not. The table is written and read back as others are, every value compared with
 * what was meant; then linear programs say how well the true values are known.
 *
 * The method `adjust` sees a cell's bounds. What all sums together give away only the judge sees:
 * that with the way a primary cell went its true value is known closer than its levels. Then that
 * cell must not go that way and the method is asked again, so many times, until nothing is found,
 * or a cell is closed both ways, which the method names. A later judgement of what was written
 * does not rest on this one.
 *
 * A way that tells too much in one table need not in another, so what is the nearest without it
 * need not be the nearest that is safe. The bound stays that of all tables, and a table is
 * called the nearest only where it is no further than that.
 */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/tables/protect.h"

enum { MAX_ROUNDS = 20 };

/* ---- the plan ---- */

/* A .jj has one value a cell, and relations that hold. */
static tacit_status check_altered_files(const engine_protection *p)
{
    const char *full = engine_value(p->session->settings, "full");
    const char *output = engine_value(p->session->settings, "output");
    if (full && engine_is_jj(full))
        return tacit__error(
            &p->session->error, TACIT_INVALID,
            "--full has the true values beside those that are published, for which a "
            ".jj has no room; give it a .csv");
    if (engine_has(p->session->settings, "sbs"))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--sbs says why values are suppressed, and the method %s suppresses "
                            "none",
                            p->altering.method->name);
    if (output && engine_is_jj(output) && !p->altering.method->additive)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "a .jj says that its sums add up, which the method %s does not keep; "
                            "write a .csv",
                            p->altering.method->name);
    return TACIT_OK;
}

static tacit_status check_suppressing(const engine_protection *p)
{
    static const char *const OF_SUPPRESSION[] = {"singletons", "sums"};
    for (size_t i = 0; i < sizeof OF_SUPPRESSION / sizeof *OF_SUPPRESSION; i++)
        if (engine_has(p->session->settings, OF_SUPPRESSION[i]))
            return tacit__error(&p->session->error, TACIT_INVALID,
                                "--%s applies to suppressed cells; the method %s changes values",
                                OF_SUPPRESSION[i], p->altering.method->name);
    return TACIT_OK;
}

static tacit_status check_altering(const engine_protection *p)
{
    const tacit_alter_method *method = p->altering.method;
    const engine_settings *settings = p->session->settings;
    if (engine_has(settings, "weigh") && !method)
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--weigh applies to methods that change values, not to %s",
                            p->method->name);
    if (engine_has(settings, "distance") && (!method || method->rounds))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--distance applies to adjustment, not to %s",
                            engine_protect_method(p));
    if (engine_has(settings, "base") && !(method && method->rounds))
        return tacit__error(&p->session->error, TACIT_INVALID,
                            "--base applies to rounding, not to %s", engine_protect_method(p));
    return TACIT_OK;
}

tacit_status engine_alter_plan(engine_protection *p)
{
    static const char *const WEIGHTS[] = {"cost", "one", "share"};
    static const char *const DISTANCES[] = {"one", "two"};
    const engine_settings *settings = p->session->settings;
    tacit_alter_options *wanted = &p->altering.wanted;
    int weight = -1, distance = -1;
    tacit_status status = check_altering(p);
    if (status != TACIT_OK || !p->altering.method)
        return status;
    tacit_alter_options_init(wanted);
    wanted->base = engine_real(settings, "base", wanted->base);
    status = engine_choice(&weight, settings, "weigh", WEIGHTS, 3, &p->session->error);
    if (status == TACIT_OK)
        status = engine_choice(&distance, settings, "distance", DISTANCES, 2, &p->session->error);
    if (weight >= 0)
        wanted->weight = (tacit_alter_weight)weight;
    if (distance >= 0)
        wanted->distance = (tacit_distance)distance;
    if (status == TACIT_OK && wanted->base == 0)
        status = tacit__error(&p->session->error, TACIT_INVALID, "--base must be above 0");
    if (status == TACIT_OK)
        status = check_suppressing(p);
    return status == TACIT_OK ? check_altered_files(p) : status;
}

/* ---- the method, and ways that it must not go ---- */

/* What outsiders may know of the method. */
static tacit_altered_known known_of(const engine_altering *a)
{
    return (tacit_altered_known){.base = a->method->rounds ? a->wanted.base : 0,
                                 .reach = a->altered.reach,
                                 .within = a->altered.within,
                                 .additive = a->method->additive,
                                 .zero_stays = a->method->rounds,
                                 .fixed_stays = !a->method->rounds,
                                 .beyond = !a->method->rounds};
}

/* As a share of the distance: no further. */
#define SAME_DISTANCE 1e-9

/* Bars the way that each underprotected cell went; whether there is one that was not barred. */
static bool bar_ways(unsigned char *barred, engine_protection *p, const tacit_altered_audit *audit)
{
    bool fresh = false;
    for (int32_t i = 0; i < audit->cell_count; i++) {
        int32_t cell = audit->cells[i].cell;
        bool up = p->altering.altered.value[cell] > p->cells->value[cell];
        unsigned char way = up ? TACIT_BAR_UP : TACIT_BAR_DOWN;
        if (!audit->cells[i].underprotected || barred[cell] & way)
            continue;
        barred[cell] |= way;
        p->altering.barred++;
        fresh = true;
    }
    return fresh;
}

static tacit_status judge_ways(bool *again, unsigned char *barred, engine_protection *p)
{
    tacit_altered_audit *audit = NULL;
    tacit_altered_known known = known_of(&p->altering);
    tacit_status status = tacit_audit_altered(&audit, p->cells, p->altering.altered.value, &known,
                                              &p->session->run, &p->session->error);
    *again = status == TACIT_OK && bar_ways(barred, p, audit);
    tacit_altered_audit_free(audit);
    return status;
}

static tacit_status solve(engine_protection *p)
{
    engine_altering *a = &p->altering;
    tacit_altered_clear(&a->altered);
    return tacit_alter(&a->altered, p->cells, a->method, &a->wanted, &p->session->run,
                       &p->session->error);
}

/* Without the ways that are barred: what is known of all tables is what was known before. */
static tacit_status solve_again(engine_protection *p, double bound)
{
    tacit_altered *altered = &p->altering.altered;
    tacit_status status = solve(p);
    if (status != TACIT_OK)
        return status;
    altered->lower_bound = bound;
    altered->proven = altered->distance <= bound + SAME_DISTANCE * fmax(1, bound);
    return TACIT_OK;
}

/* The method, asked again where the judge finds that the way a primary cell went tells too much. */
static tacit_status solve_safely(engine_protection *p)
{
    bool again = true;
    tacit_status status = solve(p);
    if (status != TACIT_OK || p->altering.method->rounds || p->altering.method->noise)
        return status;
    double bound = p->altering.altered.lower_bound;
    unsigned char *barred = tacit__alloc_zeroed((size_t)p->cells->count + 1, 1);
    if (!barred)
        return tacit__nomem(&p->session->error);
    for (int round = 0; round < MAX_ROUNDS && status == TACIT_OK && !p->altering.altered.stopped;
         round++) {
        status = judge_ways(&again, barred, p);
        if (!again)
            break;
        p->altering.wanted.barred = barred;
        status = solve_again(p, bound);
    }
    p->altering.wanted.barred = NULL;
    tacit__free(barred);
    return status;
}

/* ---- the table that it makes ---- */

/* The cells with what is published for values, and bounds that hold it. Numbers of contributors are
 * those of the true values and stay away. */
tacit_status engine_alter_release(engine_protection *p)
{
    const tacit_cells *cells = p->cells;
    tacit_cells *released = &p->altering.released;
    size_t count = (size_t)cells->count + 1;
    *released = *cells;
    released->value = p->altering.altered.value;
    released->status = tacit__alloc(count);
    released->lower = tacit__alloc(count * sizeof *released->lower);
    released->upper = tacit__alloc(count * sizeof *released->upper);
    released->freq = NULL;
    released->decimals = false;
    if (!released->status || !released->lower || !released->upper)
        return tacit__nomem(&p->session->error);
    for (int32_t i = 0; i < cells->count; i++) {
        double value = released->value[i];
        released->status[i] = TACIT_CELL_FREE;
        released->lower[i] = fmin(cells->lower[i], value);
        released->upper[i] = fmax(cells->upper[i], value);
        released->decimals |= value != floor(value);
        released->negative |= value < 0;
    }
    p->released = released;
    return TACIT_OK;
}

/* A search that was stopped leaves its best, which is judged and written. */
tacit_status engine_alter_work(engine_protection *p)
{
    engine_altering *a = &p->altering;
    tacit_status status = solve_safely(p);
    if (status != TACIT_OK)
        return status;
    if (a->altered.stopped)
        engine_warn(p->session, "the search was stopped %s; this is the best that it had found",
                    engine_session_forgive(p->session));
    return engine_alter_release(p);
}

/* ---- the judge ---- */

static tacit_status refuse_altered(engine_protection *p, int32_t cell)
{
    char name[ENGINE_DIM_NAME];
    return tacit__error(
        &p->session->error, TACIT_INFEASIBLE,
        "%.255s: the audit finds that its true value is known closer than it must be "
        "hidden; nothing is written%s",
        tacit_cells_describe(p->cells, cell, name, sizeof name),
        p->altering.method->rounds ? ", and a larger --base hides more" : "");
}

static tacit_status refuse_altered_findings(engine_protection *p)
{
    const tacit_altered_audit *audit = p->altering.audit;
    if (audit->broken > 0)
        return tacit__error(&p->session->error, TACIT_INFEASIBLE,
                            "the audit finds published values that are not as the method has them; "
                            "nothing is written");
    for (int32_t i = 0; i < audit->cell_count; i++)
        if (audit->cells[i].underprotected ||
            (audit->cells[i].disclosed &&
             p->cells->status[audit->cells[i].cell] == TACIT_CELL_PRIMARY))
            return refuse_altered(p, audit->cells[i].cell);
    return TACIT_OK;
}

tacit_status engine_alter_judge(engine_protection *p)
{
    engine_altering *a = &p->altering;
    const tacit_altered_known known = known_of(a);
    tacit_status status = tacit_audit_altered(&a->audit, p->cells, a->altered.value, &known,
                                              &p->session->run, &p->session->error);
    return status == TACIT_OK ? refuse_altered_findings(p) : status;
}

void engine_alter_clear(engine_altering *altering)
{
    tacit_altered_audit_free(altering->audit);
    tacit_altered_clear(&altering->altered);
    tacit__free(altering->released.status);
    tacit__free(altering->released.lower);
    tacit__free(altering->released.upper);
}
