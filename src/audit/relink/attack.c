/*
 * attack.c - an attack on released records, and how often it is right.
 *
 * Records are attacked in random order until all that may be are, or steps run out; what was
 * attacked by then is a random sample. The truth is looked at only to count.
 *
 * The interval for the share is Wilson's (1927) at 95 %. It takes the records for a sample, which
 * they are where not all were attacked, though without repetition, so that the interval is rather
 * too wide; where all were, it is about other releases of such data made in the same way.
 */
#include <math.h>

#include "audit/relink/relink.h"

static const double QUANTILE = 1.959963984540054; /* of the normal distribution, at 97.5 % */

static void find_interval(tacit_relink_attack *a)
{
    double n = (double)a->attacked, z = QUANTILE;
    if (a->attacked == 0) {
        a->low = 0;
        a->high = 1;
        return;
    }
    a->share = a->right / n;
    double middle = a->share + z * z / (2 * n);
    double half = z * sqrt(a->share * (1 - a->share) / n + z * z / (4 * n * n));
    a->low = fmax(0, (middle - half) / (1 + z * z / n));
    a->high = fmin(1, (middle + half) / (1 + z * z / n));
}

static bool declares(const tacit__relink_answer *answer, const tacit__relink_stretch *query,
                     const tacit__relink_rule *rule, int32_t columns)
{
    if (answer->people != 1)
        return false;
    if (!rule->weights)
        return !answer->others;
    double weight = -answer->least;
    for (int32_t i = 0; i < columns; i++)
        weight += query[i].kind == TACIT__READ_STRETCH ? rule->weights[i] : 0;
    return weight >= rule->threshold;
}

static void count_row(tacit_relink_attack *a, const tacit__relink_asker *asker,
                      const tacit__relink_rule *rule, int64_t row)
{
    tacit__relink_stretch query[TACIT_MAX_RELINK_COLUMNS];
    bool own;
    const tacit__relink_answer *answer = tacit__relink_answer_of(&own, query, asker, row);
    bool declared = declares(answer, query, rule, asker->view->scene->columns);
    a->attacked++;
    a->right += own ? 1 / (double)answer->people : 0;
    a->alone += answer->people == 1;
    a->declared += declared;
    a->declared_right += declared && own;
}

tacit_status tacit__relink_attack(tacit_relink_attack *out, tacit__relink_asker *asker,
                                  const tacit__relink_rule *rule, tacit_error *err)
{
    const tacit__relink_scene *scene = asker->view->scene;
    asker->rows = scene->order;
    asker->total = scene->attacked;
    tacit_relink_attack a = {.tried = true};
    tacit_status status = tacit__relink_asker_init(asker, err);
    while (status == TACIT_OK && a.attacked < scene->attacked &&
           asker->steps < scene->options->most_steps) {
        int64_t from = a.attacked, to = from + TACIT__RELINK_ROUND;
        if (to > scene->attacked)
            to = scene->attacked;
        status = tacit__relink_ask(asker, from, to, err);
        for (int64_t at = from; at < to && status == TACIT_OK; at++)
            count_row(&a, asker, rule, tacit__relink_row(asker, at));
    }
    tacit__relink_asker_clear(asker);
    if (status != TACIT_OK)
        return status;
    find_interval(&a);
    *out = a;
    return TACIT_OK;
}
