/*
 * finer.c - what an adversary learns of sensitive values who knows that mingen generalizes
 * no further than it must (audit_finer.h).
 *
 * It is asked where that is so by the way a release is made: the best by a metric that every
 * finer level is better by, with nothing suppressed. datafly keeps no promise beyond k, so that
 * nothing of sensitive values follows from what it refused.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/attack.h"
#include "engine/records/wanted.h"

static bool is_mingen(const tacit_policy *policy)
{
    return !policy->method || strcmp(policy->method, "mingen") == 0;
}

/* Whether every finer release is better by the metric, whatever the data. */
static bool is_strict(const char *metric)
{
    return !metric || strcmp(metric, "prec") == 0 || strcmp(metric, "weighted") == 0 ||
           strcmp(metric, "height") == 0;
}

static bool finer_wanted(const engine_case *c)
{
    const tacit_policy *policy = c->policy;
    return !c->as_it_is && c->original && is_mingen(policy) && tacit_policy_generalizes(policy) &&
           is_strict(policy->metric) && engine_has_models(policy) &&
           policy->population_model_count == 0 && !tacit_risk_bounds_any(&policy->risks) &&
           !(c->earlier && c->earlier->count > 0) && (!c->own || c->proven);
}

static tacit_status run_finer(void **found, const engine_case *c, tacit_error *err)
{
    int floors[TACIT_MAX_QUASI];
    const tacit_promise *promise = &c->promise->promise;
    const tacit_evidence evidence = {.release = c->release, .original = c->original};
    tacit_finer *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!made)
        return tacit__nomem(err);
    for (int32_t a = 0; a < promise->attribute_count; a++)
        floors[a] = c->policy->columns[c->promise->columns[a]].least_level;
    tacit_status status =
        tacit_audit_finer(made, promise, &evidence, floors, &c->session->run, err);
    if (status == TACIT_OK)
        *found = made;
    else
        tacit__free(made);
    return status;
}

static bool finer_discloses(const void *found, const engine_case *c)
{
    (void)c;
    return ((const tacit_finer *)found)->exposed_rows > 0;
}

static void finer_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    const tacit_finer *f = found;
    char name[48];
    if (!f->asked) {
        snprintf(out, size,
                 "whether it helps to know that no finer release keeps the promise was not "
                 "examined: rows are suppressed, or there are too many");
        return;
    }
    if (f->attribute < 0) {
        snprintf(out, size,
                 "k alone explains why no finer release was made, which says nothing about "
                 "sensitive values");
        return;
    }
    engine_printable(name, sizeof name,
                     tacit_strview_of(c->promise->attributes[f->attribute].name));
    if (f->exposed_rows)
        snprintf(out, size,
                 "an adversary who knows everybody's quasi-identifier, and that a finer %s would "
                 "break the promise, knows %s people for whom it would%s",
                 name, engine_count(f->exposed_rows).text,
                 f->certain_rows ? ", and the value that they share" : "");
    else
        snprintf(out, size,
                 "an adversary who knows everybody's quasi-identifier, and that a finer %s would "
                 "break the promise, knows that one of %s groups, with %s people, would break it, "
                 "but not which",
                 name, engine_count(f->candidates).text, engine_count(f->candidate_rows).text);
}

static void finer_facts(tacit_report *report, const void *found, const engine_case *c)
{
    (void)c;
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_finer, asked, "asked", NULL, 0),
        TACIT_FIELD(tacit_finer, refused, "refused", NULL, 0),
        TACIT_FIELD(tacit_finer, impossible, "impossible", NULL, 0),
        TACIT_FIELD(tacit_finer, candidates, "candidates", NULL, 0),
        TACIT_FIELD(tacit_finer, candidate_rows, "candidate_rows", NULL, 0),
        TACIT_FIELD(tacit_finer, exposed_rows, "exposed_rows", NULL, 0),
        TACIT_FIELD(tacit_finer, certain_rows, "certain_rows", NULL, 0),
    };
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), found);
}

/* The definition is about who a row is, not about what is known without that. */
static void finer_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT - 64];
    if (!finer_discloses(found, c))
        return;
    finer_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_CONTROL, ENGINE_ADS_UNKNOWN,
                   "outside the definition, but worth knowing: %s", text);
}

const engine_attack engine_attack_finer = {
    .name = "finer",
    .title = "Knowing that nothing is generalized in vain",
    .wanted = finer_wanted,
    .run = run_finer,
    .discloses = finer_discloses,
    .sentence = finer_sentence,
    .facts = finer_facts,
    .shows = finer_shows,
    .free = tacit__free,
};
