/*
 * trails.c - following people: what rows say together that a column of the release links.
 *
 * The judge has counted who share the rows of each person (audit/judge/trails.c), and refuses a
 * release in which fewer than k do; this tells what it saw. It discloses where somebody's rows are
 * together nobody else's, though each of them is shared.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/attack.h"

typedef struct followed {
    tacit_trail_verdict trails;
    char column[64];
} followed;

static bool trails_wanted(const engine_case *c)
{
    return c->verdict && c->verdict->trails.checked;
}

static tacit_status run_trails(void **found, const engine_case *c, tacit_error *err)
{
    followed *made = tacit__alloc_zeroed(1, sizeof *made);
    if (!made)
        return tacit__nomem(err);
    made->trails = c->verdict->trails;
    engine_printable(made->column, sizeof made->column,
                     tacit_table_name(c->release, made->trails.column));
    *found = made;
    return TACIT_OK;
}

static bool trails_discloses(const void *found, const engine_case *c)
{
    (void)c;
    return ((const followed *)found)->trails.alone > 0;
}

static void trails_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const followed *f = found;
    if (f->trails.alone > 0)
        snprintf(out, size,
                 "%s links rows: what they say together, and how many they are, distinguishes %s "
                 "of %s people from all others",
                 f->column, engine_count(f->trails.alone).text,
                 engine_count(f->trails.people).text);
    else
        snprintf(out, size,
                 "%s links rows, up to %s of one person; what the rows of any person say together, "
                 "those of at least %s people do",
                 f->column, engine_count(f->trails.most_rows).text,
                 engine_count(f->trails.smallest).text);
}

static void trails_facts(tacit_report *report, const void *found, const engine_case *c)
{
    (void)c;
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_trail_verdict, people, "people", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, trails, "trails", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, smallest, "smallest", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, alone, "alone", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, below, "below_k", NULL, 0),
        TACIT_FIELD(tacit_trail_verdict, most_rows, "most_rows", NULL, 0),
    };
    tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &((const followed *)found)->trails);
}

/* Who shares no trail with anybody is found by all rows together, whatever their classes are. A
 * register says more of condition a, and comes after this. */
static void trails_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    (void)c;
    static const engine_ads_condition CONDITIONS[] = {ENGINE_ADS_OTHER_PEOPLE,
                                                      ENGINE_ADS_OTHER_ROWS};
    const tacit_trail_verdict *t = &((const followed *)found)->trails;
    for (int i = 0; t->alone > 0 && i < 2; i++)
        engine_ads_meet(ads, CONDITIONS[i], ENGINE_ADS_NOT_MET,
                        "a column links rows, and those of %s people, taken together, could be "
                        "nobody else's (condition %c)",
                        engine_count(t->alone).text, "ab"[i]);
    engine_ads_say(ads, ENGINE_ADS_RELATIONS, ENGINE_ADS_ASSUMED,
                   "rows belong to one person where a column, such as a pseudonym, says so");
}

const engine_attack engine_attack_trails = {
    .name = "trails",
    .title = "Following people through their rows",
    .wanted = trails_wanted,
    .run = run_trails,
    .discloses = trails_discloses,
    .sentence = trails_sentence,
    .facts = trails_facts,
    .shows = trails_shows,
    .free = tacit__free,
};
