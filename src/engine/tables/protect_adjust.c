/*
 * protect_adjust.c - `tacit protect --method adjust`: the method, and what the judge says against
 * the ways that it chose.
 *
 * The method sees a cell's bounds. What all sums together give away only the judge sees: that
 * with the way a primary cell went its true value is known closer than its levels. Then that
 * cell must not go that way and the method is asked again, so many times, until nothing is found,
 * or a cell is closed both ways, which the method names. A later judgement of what was written
 * does not rest on this one.
 *
 * A way that tells too much in one table need not in another, so what is the nearest without it
 * need not be the nearest that is safe. The bound stays that of all tables, and a table is
 * called the nearest only where it is no further than that.
 */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/tables/protect.h"

enum { ROUNDS = 20 };

tacit_altered_known engine_alter_known(const engine_altering *a)
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
#define SAME 1e-9

/* Bars the way that each underprotected cell went; whether there is one that was not barred. */
static bool bar(unsigned char *barred, engine_protection *p, const tacit_altered_audit *audit)
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

static tacit_status judge(bool *again, unsigned char *barred, engine_protection *p)
{
    tacit_altered_audit *audit = NULL;
    tacit_altered_known known = engine_alter_known(&p->altering);
    tacit_status status = tacit_audit_altered(&audit, p->cells, p->altering.altered.value, &known,
                                              &p->session->run, &p->session->error);
    *again = status == TACIT_OK && bar(barred, p, audit);
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
    altered->proven = altered->distance <= bound + SAME * fmax(1, bound);
    return TACIT_OK;
}

tacit_status engine_alter_solve(engine_protection *p)
{
    bool again = true;
    tacit_status status = solve(p);
    if (status != TACIT_OK || p->altering.method->rounds)
        return status;
    double bound = p->altering.altered.lower_bound;
    unsigned char *barred = tacit__alloc_zeroed((size_t)p->cells->count + 1, 1);
    if (!barred)
        return tacit__nomem(&p->session->error);
    for (int round = 0; round < ROUNDS && status == TACIT_OK && !p->altering.altered.stopped;
         round++) {
        status = judge(&again, barred, p);
        if (!again)
            break;
        p->altering.wanted.barred = barred;
        status = solve_again(p, bound);
    }
    p->altering.wanted.barred = NULL;
    tacit__free(barred);
    return status;
}
