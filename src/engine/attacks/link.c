/*
 * link.c - linking a release to the registers of --population: who is identified, and the
 * verdicts on k-map, null-map and wrong-map.
 *
 * Columns are the quasi-identifier's that a register has, too. What is told are numbers; people and
 * their cells only with --show. `tacit anonymize` tries it on its own release where the policy
 * names a population, and reports; what refuses a release is a promise about the population.
 */
#include "engine/attacks/link.h"
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/attacks/attacks.h"
#include "engine/records/verdict.h"

enum { MOST_SHOWN = 12, DEFAULT_UNIQUENESS = 2 };

static bool wanted(const engine_case *c)
{
    return c->policy->population != NULL;
}

/* ---- running ---- */

static void warn(const engine_linked *found, const engine_case *c)
{
    uint64_t silent = found->link->says & ~found->link->agrees;
    for (; silent && !c->as_it_is; silent &= silent - 1) {
        char name[64];
        engine_printable(name, sizeof name,
                         tacit_strview_of(found->registers.names[__builtin_ctzll(silent)]));
        engine_warn(c->session,
                    "none of the released values of \"%s\" holds any value of the register", name);
    }
}

static tacit_status find_unique(engine_linked *found, const engine_case *c, tacit_error *err)
{
    uint64_t most = engine_number(c->session->settings, "uniqueness", DEFAULT_UNIQUENESS);
    if (most == 0 || c->as_it_is)
        return TACIT_OK;
    if (most > TACIT_MAX_QUASI)
        most = TACIT_MAX_QUASI;
    return tacit_link_uniqueness(&found->unique, &found->unique_count, &found->registers.c,
                                 (int32_t)most, &c->session->run, err);
}

/* What only the work needed. File names and columns stay, and the first register where people
 * are shown. */
static void let_go(engine_linked *found, bool shown)
{
    engine_registers *r = &found->registers;
    engine_registers kept = {.count = r->count};
    memcpy(kept.files, r->files, sizeof kept.files);
    memcpy(kept.names, r->names, sizeof kept.names);
    if (shown) {
        kept.tables[0] = r->tables[0];
        r->tables[0] = NULL;
    }
    int32_t columns = r->c.column_count;
    engine_registers_clear(r);
    *r = kept;
    r->c.column_count = columns;
}

static void free_found(void *found)
{
    engine_linked *linked = found;
    engine_registers_clear(&linked->registers);
    tacit_link_free(linked->link);
    tacit_link_uniqueness_free(linked->unique);
    tacit__free(linked);
}

static tacit_status run(void **found, const engine_case *c, tacit_error *err)
{
    engine_linked *made = tacit__alloc_zeroed(1, sizeof *made);
    bool shown = engine_has(c->session->settings, "show") && !c->as_it_is;
    if (!made)
        return tacit__nomem(err);
    tacit_status status = engine_registers_read(&made->registers, c, err);
    made->k = made->registers.c.k;
    made->registers.c.names = shown;
    if (status == TACIT_OK)
        status = tacit_link_new(&made->link, &made->registers.c, &c->session->run, err);
    if (status == TACIT_OK)
        status = find_unique(made, c, err);
    if (status == TACIT_OK && !c->as_it_is)
        status = engine_linked_write(made, c, err);
    if (status != TACIT_OK) {
        free_found(made);
        return status;
    }
    warn(made, c);
    let_go(made, shown);
    *found = made;
    return TACIT_OK;
}

/* ---- in words ---- */

const char *engine_linked_names(char *out, size_t size, const engine_linked *found,
                                uint64_t columns)
{
    size_t used = 0;
    out[0] = '\0';
    for (int32_t i = 0; i < found->registers.c.column_count && used < size; i++) {
        char name[64];
        if (!(columns >> i & 1))
            continue;
        engine_printable(name, sizeof name, tacit_strview_of(found->registers.names[i]));
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
    }
    return out;
}

engine_linked_bin engine_linked_bin_name(int bin)
{
    engine_linked_bin name;
    long long from = (long long)tacit_link_bin_start(bin);
    long long to = bin + 1 < TACIT_LINK_BINS ? (long long)tacit_link_bin_start(bin + 1) - 1 : 0;
    if (bin + 1 == TACIT_LINK_BINS)
        snprintf(name.text, sizeof name.text, "%lld or more", from);
    else if (from == to)
        snprintf(name.text, sizeof name.text, "%lld", from);
    else
        snprintf(name.text, sizeof name.text, "%lld-%lld", from, to);
    return name;
}

const char *engine_linked_verdict(tacit_link_verdict verdict)
{
    static const char *const NAMES[] = {"unknown", "holds", "broken"};
    return NAMES[verdict];
}

int64_t engine_linked_exposed(const engine_linked *found)
{
    return found->link->records_one - found->link->truth.wrong;
}

int64_t engine_linked_found(const engine_linked *found)
{
    return found->link->has_truth ? found->link->truth.found : found->link->people_in_one;
}

static void say_k_map(engine_linked_model *model, const engine_linked *found)
{
    const tacit_link *link = found->link;
    int len;
    if (link->k_map == TACIT_LINK_HOLDS)
        len = snprintf(model->text, sizeof model->text,
                       "every record maps to %s people or more; k is %lld",
                       engine_count(link->smallest).text, (long long)found->k);
    else
        len = snprintf(model->text, sizeof model->text,
                       "%s of %s records map to fewer than k = %lld people, one of them to %s",
                       engine_count(link->records_below).text, engine_count(link->records).text,
                       (long long)found->k, engine_count(link->smallest).text);
    if (link->has_truth)
        snprintf(model->text + len, sizeof model->text - (size_t)len,
                 "; %s map to their own subject among others or alone",
                 engine_count(link->truth.to_own).text);
}

static void say_null_map(engine_linked_model *model, const tacit_link *link)
{
    if (link->null_map == TACIT_LINK_BROKEN)
        snprintf(model->text, sizeof model->text, "%s records map to a subject",
                 engine_count(link->truth.to_subject).text);
    else if (link->null_map == TACIT_LINK_HOLDS)
        snprintf(model->text, sizeof model->text, "no record maps to %s",
                 link->records_by_people[0] == link->records ? "anybody" : "a subject");
    else if (link->has_truth)
        snprintf(model->text, sizeof model->text,
                 "no record maps to a subject that is known; the truth leaves %s records out",
                 engine_count(link->records - link->truth.records).text);
    else
        snprintf(model->text, sizeof model->text,
                 "records map to people, and who the subjects are is not known (--truth)");
}

static void say_wrong_map(engine_linked_model *model, const tacit_link *link)
{
    const tacit_link_truth *truth = &link->truth;
    if (link->wrong_map == TACIT_LINK_HOLDS)
        snprintf(model->text, sizeof model->text,
                 "each record maps to exactly one subject, who is not its own");
    else if (link->wrong_map == TACIT_LINK_UNKNOWN)
        snprintf(model->text, sizeof model->text,
                 "only a truth that knows every record's subject can show it%s",
                 link->has_truth ? "; this one leaves some out" : " (--truth)");
    else if (link->records <= 2)
        snprintf(model->text, sizeof model->text, "it takes more than 2 records");
    else if (truth->to_own > 0)
        snprintf(model->text, sizeof model->text, "%s records map to their own subject",
                 engine_count(truth->to_own).text);
    else if (truth->to_subject > truth->to_one_subject)
        snprintf(model->text, sizeof model->text, "%s records map to several subjects",
                 engine_count(truth->to_subject - truth->to_one_subject).text);
    else
        snprintf(model->text, sizeof model->text, "some records map to no subject");
}

void engine_linked_models(engine_linked_model models[ENGINE_LINKED_MODELS],
                          const engine_linked *found)
{
    const tacit_link *link = found->link;
    models[0] = (engine_linked_model){.name = "k-map", .verdict = link->k_map};
    models[1] = (engine_linked_model){.name = "null-map", .verdict = link->null_map};
    models[2] = (engine_linked_model){.name = "wrong-map", .verdict = link->wrong_map};
    say_k_map(&models[0], found);
    say_null_map(&models[1], link);
    say_wrong_map(&models[2], link);
}

/* Whether somebody who is known to be in the data is found by his values. A promise about the
 * population supposes that nobody knows who is; and where k is promised both ways and the original
 * is at hand, the judge counts it for those who are. */
static bool finds_people(const engine_linked *found, const engine_case *c)
{
    const tacit_promise *promise = &c->promise->promise;
    bool counted = promise->both_ways && c->original;
    return engine_linked_found(found) > 0 && c->policy->population_model_count == 0 && !counted;
}

static bool discloses(const void *found, const engine_case *c)
{
    return engine_linked_exposed(found) > 0 || finds_people(found, c);
}

static int64_t exposed(const void *found, const engine_case *c)
{
    (void)c;
    return engine_linked_exposed(found);
}

/* From people to records: whoever knows that they are in the data. */
static void append_found(char *out, size_t size, const engine_linked *found)
{
    const tacit_link *link = found->link;
    size_t used = strlen(out);
    if (link->people_in_one > 0)
        snprintf(out + used, size - used, "; %s %s could be a single record%s",
                 engine_count(link->people_in_one).text,
                 link->people_in_one == 1 ? "person" : "people", link->has_truth ? "," : "");
    used = strlen(out);
    if (link->people_in_one > 0 && link->has_truth)
        snprintf(out + used, size - used, " %s of them their own",
                 engine_count(link->truth.found).text);
}

static void say_records(char *out, size_t size, const engine_linked *linked)
{
    const tacit_link *link = linked->link;
    char names[160];
    engine_linked_names(names, sizeof names, linked, UINT64_MAX);
    if (link->records_one == 0 && link->records_by_people[0] == link->records)
        snprintf(out, size, "no record maps to any of %s people by %s",
                 engine_count(link->people).text, names);
    else if (link->records_one == 0)
        snprintf(out, size, "no record maps to exactly one of %s people by %s; the fewest are %s",
                 engine_count(link->people).text, names, engine_count(link->smallest).text);
    else if (link->has_truth)
        snprintf(out, size,
                 "%s of %s records map to exactly one of %s people by %s: rightly %s, wrongly %s%s",
                 engine_count(link->records_one).text, engine_count(link->records).text,
                 engine_count(link->people).text, names, engine_count(link->truth.right).text,
                 engine_count(link->truth.wrong).text,
                 link->truth.right + link->truth.wrong < link->records_one
                     ? ", the others nobody knows"
                     : "");
    else
        snprintf(out, size,
                 "%s of %s records map to exactly one of %s people by %s; %s of those people could "
                 "be no other record",
                 engine_count(link->records_one).text, engine_count(link->records).text,
                 engine_count(link->people).text, names, engine_count(link->pairs).text);
}

static void sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    say_records(out, size, found);
    append_found(out, size, found);
}

/* ---- more lines ---- */

static void tell_bins(FILE *to, const char *title, const int64_t *bins)
{
    char text[512];
    size_t used = (size_t)snprintf(text, sizeof text, "%s:", title);
    for (int bin = 0; bin < TACIT_LINK_BINS && used < sizeof text; bin++)
        if (bins[bin] > 0)
            used +=
                (size_t)snprintf(text + used, sizeof text - used, " %s: %s,",
                                 engine_linked_bin_name(bin).text, engine_count(bins[bin]).text);
    text[strlen(text) - 1] = '\0';
    engine_print_labelled(to, "", text);
}

static void tell_distribution(FILE *to, const tacit_link *link)
{
    char text[512];
    if (link->records > 0) {
        tell_bins(to, "records by the people they map to", link->records_by_people);
        tell_bins(to, "people by the records they could be", link->people_by_records);
    }
    if (link->records_by_people[0] > 0) {
        snprintf(
            text, sizeof text,
            "%s records map to nobody: the register lacks their people, or values were changed",
            engine_count(link->records_by_people[0]).text);
        engine_print_labelled(to, "", text);
    }
}

static void tell_unique(FILE *to, const engine_linked *found)
{
    for (int32_t i = 0; i < found->unique_count && i < MOST_SHOWN; i++) {
        const tacit_link_unique *set = &found->unique[i];
        double people = found->link->people > 0 ? (double)found->link->people : 1;
        char names[160], text[256];
        snprintf(text, sizeof text, "%5.1f%% of the register are alone with their %s",
                 100 * (double)set->alone / people,
                 engine_linked_names(names, sizeof names, found, set->columns));
        engine_print_labelled(to, i ? "" : "uniqueness", text);
    }
    if (found->unique_count > MOST_SHOWN) {
        char text[96];
        snprintf(text, sizeof text, "and %d combinations more: see --report or --html",
                 (int)(found->unique_count - MOST_SHOWN));
        engine_print_labelled(to, "", text);
    }
}

static void tell(FILE *to, const void *found, const engine_case *c)
{
    (void)c;
    const engine_linked *linked = found;
    engine_linked_model models[ENGINE_LINKED_MODELS];
    char text[400];
    tell_distribution(to, linked->link);
    engine_linked_models(models, linked);
    for (int i = 0; i < ENGINE_LINKED_MODELS; i++) {
        snprintf(text, sizeof text, "%s: %s", engine_linked_verdict(models[i].verdict),
                 models[i].text);
        engine_print_labelled(to, models[i].name, text);
    }
    tell_unique(to, linked);
    engine_linked_show(to, linked);
}

/* ---- the definition ---- */

/* How the register leaves conditions a and c. A record that maps to nobody is safe where none
 * maps to a subject; otherwise the register may only lack its people. */
static void show_conditions(engine_ads *ads, const engine_linked *linked, const engine_case *c)
{
    bool followed = c->verdict && c->verdict->trails.alone > 0;
    const tacit_link *link = linked->link;
    int64_t nobody = link->records_by_people[0];
    if (link->records == 0)
        return;
    if (link->wrong_map == TACIT_LINK_HOLDS)
        engine_ads_meet(
            ads, ENGINE_ADS_INACCURATE, ENGINE_ADS_HOLDS,
            "each record maps to one subject, who is not its own, so that what it says of "
            "that one is not accurate (condition c: wrong-map)");
    if (link->null_map == TACIT_LINK_HOLDS)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_HOLDS,
                        "no record maps to %s, so that nobody is found (condition a: null-map)",
                        nobody == link->records ? "anybody" : "a subject");
    else if (link->smallest >= 2 && followed)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_UNKNOWN,
                        "every record maps to at least %s people of the register, but to how many "
                        "those map together that a column links was not tried (condition a)",
                        engine_count(link->smallest).text);
    else if (link->smallest >= 2)
        engine_ads_meet(
            ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_HOLDS,
            "every record maps to at least %s people of the register (condition a: k-map)",
            engine_count(link->smallest).text);
    else if (engine_linked_exposed(linked) > 0)
        engine_ads_meet(ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_NOT_MET,
                        "%s of %s records map to exactly one person of the register, and nothing "
                        "shows that this is wrong (condition a)",
                        engine_count(engine_linked_exposed(linked)).text,
                        engine_count(link->records).text);
    else
        engine_ads_meet(
            ads, ENGINE_ADS_OTHER_PEOPLE, ENGINE_ADS_UNKNOWN,
            "no record is known to map to its subject alone, but %s map to nobody or to a "
            "wrong person, and the register may lack theirs (condition a)",
            engine_count(nobody + link->records_one).text);
}

static void shows(engine_ads *ads, const void *found, const engine_case *c)
{
    const engine_linked *linked = found;
    char names[160];
    engine_ads_say(ads, ENGINE_ADS_POPULATION, ENGINE_ADS_ASSUMED,
                   "the people are the %s of the register, which need not be all",
                   engine_count(linked->link->people).text);
    engine_ads_say(ads, ENGINE_ADS_EXTERNAL, ENGINE_ADS_ASSUMED,
                   "others know %s of them, from %d %s, and nothing else",
                   engine_linked_names(names, sizeof names, linked, UINT64_MAX),
                   (int)linked->registers.count,
                   linked->registers.count == 1 ? "register" : "registers joined");
    show_conditions(ads, linked, c);
}

const engine_attack engine_attack_link = {
    .name = "linking",
    .title = "Linking to a register",
    .wanted = wanted,
    .run = run,
    .discloses = discloses,
    .sentence = sentence,
    .tell = tell,
    .account = engine_linked_account,
    .page = engine_linked_page,
    .shows = shows,
    .exposed = exposed,
    .free = free_found,
};
