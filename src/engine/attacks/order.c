/*
 * order.c - whether the rows of a release stand in the order of the source or of an earlier
 * release (audit_previous.h): unsorted matching.
 *
 * Of an earlier release it is a disclosure where the join by place exposes somebody. Of the source
 * it is said and no more: nobody has it, but whatever else is released in its order can be joined
 * row by row. A release that is made here keeps the order of its source only where that was asked
 * for, and then nothing needs to be tested.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/attacks.h"
#include "engine/attacks/joint.h"
#include "engine/records/verdict.h"

/* Columns with more values cost much, and an order shows without them. */
enum { TELLING_VALUES = 1 << 16 };

typedef struct compared {
    char name[128];
    bool source; /* the data that the release was made from */
    bool known;  /* that it follows is known, or claimed, without a test */
    tacit_order_verdict verdict;
} compared;

typedef struct compared_orders {
    compared *list;
    int32_t count;
    int64_t rows, k;
} compared_orders;

static int32_t ordered_releases(const engine_case *c)
{
    int32_t count = 0;
    for (size_t i = 0; c->earlier && i < c->earlier->count; i++)
        count += c->earlier->releases[i].ordered;
    return count;
}

static bool has_source(const engine_case *c)
{
    return c->original && (!c->own || c->same_order);
}

static bool wanted(const engine_case *c)
{
    return has_source(c) || ordered_releases(c) > 0;
}

/* The list of what the order may follow, the source last. */
static int32_t list_files(engine_joint_file *files, compared_orders *out, const engine_case *c)
{
    int32_t count = 0;
    for (size_t i = 0; c->earlier && i < c->earlier->count; i++) {
        const engine_earlier_release *release = &c->earlier->releases[i];
        if (release->ordered)
            files[count++] = (engine_joint_file){release->table, release->name};
    }
    if (c->original && !c->own)
        files[count++] = (engine_joint_file){c->original, "the source"};
    for (int32_t i = 0; i < count; i++) {
        compared *one = &out->list[out->count++];
        snprintf(one->name, sizeof one->name, "%s", files[i].name);
        one->source = files[i].table == c->original;
        one->known = one->source && c->same_order;
    }
    if (c->original && c->own && c->same_order)
        out->list[out->count++] = (compared){.name = "the source", .source = true, .known = true};
    return count;
}

static tacit_status compare_files(compared_orders *out, const engine_joint *joint, int32_t count,
                                  tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tacit_joint_column *columns = engine_joint_room(joint);
    if (!columns)
        return tacit__nomem(err);
    for (int32_t i = 0; i < count && status == TACIT_OK; i++) {
        engine_joint_columns(columns, joint, i);
        tacit_two_releases two = engine_joint_two(columns, joint, i);
        status = tacit_audit_order(&out->list[i].verdict, &two, &joint->c->session->run, err);
    }
    tacit__free(columns);
    return status;
}

static void free_found(void *found)
{
    compared_orders *out = found;
    if (out)
        tacit__free(out->list);
    tacit__free(out);
}

static tacit_status compare_all(compared_orders *out, const engine_case *c, tacit_error *err)
{
    size_t most = (size_t)ordered_releases(c) + 1;
    engine_joint joint = {0};
    engine_joint_file *files = tacit__alloc_zeroed(most, sizeof *files);
    out->list = tacit__alloc_zeroed(most, sizeof *out->list);
    tacit_status status = TACIT_OK;
    if (!files || !out->list)
        status = tacit__nomem(err);
    int32_t count = status == TACIT_OK ? list_files(files, out, c) : 0;
    if (count > 0)
        status = engine_joint_init(&joint, c, files, count, TELLING_VALUES, err);
    if (count > 0 && status == TACIT_OK)
        status = compare_files(out, &joint, count, err);
    engine_joint_clear(&joint);
    tacit__free(files);
    return status;
}

static tacit_status run(void **found, const engine_case *c, tacit_error *err)
{
    compared_orders *out = tacit__alloc_zeroed(1, sizeof *out);
    if (!out)
        return tacit__nomem(err);
    out->rows = tacit_table_rows(c->release);
    out->k = c->promise->promise.k;
    tacit_status status = compare_all(out, c, err);
    if (status == TACIT_OK)
        *found = out;
    else
        free_found(out);
    return status;
}

static bool exposes(const compared *one)
{
    return !one->source && one->verdict.follows && one->verdict.exposed_rows > 0;
}

static bool discloses(const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    bool any = false;
    for (int32_t i = 0; i < in->count; i++)
        any |= exposes(&in->list[i]);
    return any;
}

static bool promised(const engine_case *c)
{
    return ordered_releases(c) > 0;
}

static bool follows(const compared *one)
{
    return one->known || one->verdict.follows;
}

/* The one to speak of: what exposes most, then what is followed, then the first. */
static const compared *worst(const compared_orders *in)
{
    const compared *at = &in->list[0];
    for (int32_t i = 1; i < in->count; i++) {
        const compared *one = &in->list[i];
        int64_t here = exposes(one) ? one->verdict.exposed_rows : 0,
                there = exposes(at) ? at->verdict.exposed_rows : 0;
        if (here > there || (here == there && follows(one) && !follows(at)))
            at = one;
    }
    return at;
}

/* The first that was tested, or was not. NULL: none. */
static const compared *first_of(const compared_orders *in, bool tested)
{
    for (int32_t i = 0; i < in->count; i++)
        if ((in->list[i].known || in->list[i].verdict.tested) == tested)
            return &in->list[i];
    return NULL;
}

/* Of files none of which is followed, as far as they could be tested. */
static void nothing_shows(char *out, size_t size, const compared_orders *in)
{
    const compared *tested = first_of(in, true), *untested = first_of(in, false);
    size_t used = 0;
    if (tested)
        used = (size_t)snprintf(out, size, "nothing shows that the rows follow the order of %s%s",
                                tested->name,
                                untested        ? "; "
                                : in->count > 1 ? ", or of any other file"
                                                : "");
    if (untested && used < size)
        snprintf(out + used, size - used, "%s: beside %s %s",
                 tested ? "of others nothing can be said"
                        : "nothing can be said of the order of the rows",
                 untested->name,
                 untested->verdict.too_many
                     ? "there are too many pairs of rows that can be the same"
                     : "every order would look the same");
}

static void sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    const compared *one = worst(in);
    if (exposes(one))
        snprintf(
            out, size,
            "the rows stand in the order of %s: taken row by row for the same records, %s of "
            "%s are alike with fewer than k = %lld rows, at worst with %lld, themselves among them",
            one->name, engine_count(one->verdict.exposed_rows).text, engine_count(in->rows).text,
            (long long)in->k, (long long)one->verdict.fewest);
    else if (follows(one) && one->source)
        snprintf(out, size,
                 "the rows stand in the order of the source: whatever else is released in that "
                 "order can be joined with them row by row");
    else if (follows(one))
        snprintf(
            out, size,
            "the rows follow the order of %s, and taken row by row for the same records k = %lld "
            "of them stay alike",
            one->name, (long long)in->k);
    else
        nothing_shows(out, size, in);
}

static void measures(char *out, size_t size, const compared *one)
{
    const tacit_order_verdict *v = &one->verdict;
    if (one->known)
        snprintf(out, size, "the release is said to keep the order of its source");
    else
        snprintf(out, size,
                 "beside %s: %s of %s rows agree with the row at their place, %.1f would in random "
                 "order (%+.1f standard deviations); places correlate by %+.3f (%+.1f)",
                 one->name, engine_count(v->agreeing).text, engine_count(v->places).text,
                 v->expected, v->places_z, v->correlation, v->ranks_z);
}

static void tell(FILE *to, const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    char text[512];
    for (int32_t i = 0; i < in->count; i++) {
        if (!follows(&in->list[i]))
            continue;
        measures(text, sizeof text, &in->list[i]);
        engine_print_labelled(to, "", text);
    }
}

static void account(tacit_account *account, const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    for (int32_t i = 0; i < in->count; i++) {
        const compared *one = &in->list[i];
        const tacit_order_verdict *v = &one->verdict;
        tacit_account_push_object(account, "attacks.order.files");
        tacit_account_text(account, "@.file", tacit_strview_of(one->name));
        tacit_account_bool(account, "@.source", one->source);
        tacit_account_bool(account, "@.follows", follows(one));
        tacit_account_bool(account, "@.tested", v->tested);
        if (one->known)
            continue;
        tacit_account_integer(account, "@.places", v->places);
        tacit_account_integer(account, "@.agreeing", v->agreeing);
        tacit_account_real(account, "@.expected", v->expected);
        tacit_account_real(account, "@.places_deviations", v->places_z);
        tacit_account_real(account, "@.correlation", v->correlation);
        tacit_account_real(account, "@.ranks_deviations", v->ranks_z);
        if (!one->source)
            tacit_account_integer(account, "@.exposed_rows", v->exposed_rows);
    }
}

static void page(tacit_page *page, const void *found, const engine_case *c)
{
    static const char *const HEADER[] = {"order of",    "rows that agree at their place",
                                         "by chance",   "standard deviations",
                                         "correlation", "standard deviations"};
    (void)c;
    const compared_orders *in = found;
    tacit_grid grid;
    tacit_grid_init(&grid, HEADER, 6);
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_order_verdict *v = &in->list[i].verdict;
        if (in->list[i].known)
            continue;
        tacit_grid_add(&grid, "%s", in->list[i].name);
        tacit_grid_add(&grid, "%lld of %lld", (long long)v->agreeing, (long long)v->places);
        tacit_grid_add(&grid, "%.1f", v->expected);
        tacit_grid_add(&grid, "%.1f", v->places_z);
        tacit_grid_add(&grid, "%.3f", v->correlation);
        tacit_grid_add(&grid, "%.1f", v->ranks_z);
    }
    if (grid.count > 0)
        tacit_grid_show(&grid, page, "The order of the rows beside a random one");
    tacit_grid_clear(&grid);
}

static void shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT];
    sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_RELATIONS,
                   discloses(found, c)                               ? ENGINE_ADS_BROKEN
                   : follows(worst(found)) || first_of(found, false) ? ENGINE_ADS_UNKNOWN
                                                                     : ENGINE_ADS_HOLDS,
                   "%s", text);
}

const engine_attack engine_attack_order = {
    .name = "order",
    .title = "The order of the rows",
    .wanted = wanted,
    .run = run,
    .discloses = discloses,
    .promised = promised,
    .sentence = sentence,
    .tell = tell,
    .account = account,
    .page = page,
    .shows = shows,
    .free = free_found,
};
