/*
 * order.c - whether the rows of a release stand in the order of the source or of an earlier
 * release (audit_previous.h): unsorted matching.
 *
 * Of an earlier release it is a disclosure where the join by place exposes somebody. Of the source
 * it is said and no more: nobody has it, but whatever else is released in its order can be joined
 * row by row. A release that is made here keeps the order of its source only where that was asked
 * for, and then nothing needs to be tested.
 */

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/joint.h"

/* Columns with more values cost much, and an order shows without them. */
enum { MAX_VALUES = 1 << 16 };

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

static bool order_wanted(const engine_case *c)
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
    tacit_joint_column *columns = engine_joint_columns_new(joint);
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

static void free_order(void *found)
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
        status = engine_joint_init(&joint, c, files, count, MAX_VALUES, err);
    if (count > 0 && status == TACIT_OK)
        status = compare_files(out, &joint, count, err);
    engine_joint_clear(&joint);
    tacit__free(files);
    return status;
}

static tacit_status run_order(void **found, const engine_case *c, tacit_error *err)
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
        free_order(out);
    return status;
}

static bool exposes(const compared *one)
{
    return !one->source && one->verdict.follows && one->verdict.exposed_rows > 0;
}

static bool order_discloses(const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    bool any = false;
    for (int32_t i = 0; i < in->count; i++)
        any |= exposes(&in->list[i]);
    return any;
}

static bool order_promised(const engine_case *c)
{
    return ordered_releases(c) > 0;
}

static bool follows(const compared *one)
{
    return one->known || one->verdict.follows;
}

/* The one to speak of: what exposes most, then what is followed, then the first. */
static const compared *worst_order(const compared_orders *in)
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
    out[0] = '\0';
    if (tested)
        engine_append(out, size, "nothing shows that the rows follow the order of %s%s",
                      tested->name,
                      untested        ? "; "
                      : in->count > 1 ? ", or of any other file"
                                      : "");
    if (untested)
        engine_append(out, size, "%s: beside %s %s",
                      tested ? "about others nothing can be said"
                             : "nothing can be said about the order of the rows",
                      untested->name,
                      untested->verdict.too_many
                          ? "there are too many pairs of rows that can be the same"
                          : "every order would look the same");
}

static void order_sentence(char *out, size_t size, const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    const compared *one = worst_order(in);
    if (exposes(one))
        snprintf(out, size,
                 "the rows are in the order of %s: matched row by row, %s of %s are alike with "
                 "fewer than k = %lld rows, at worst with %lld, themselves among them",
                 one->name, engine_count(one->verdict.exposed_rows).text,
                 engine_count(in->rows).text, (long long)in->k, (long long)one->verdict.fewest);
    else if (follows(one) && one->source)
        snprintf(out, size,
                 "the rows stand in the order of the source: whatever else is released in that "
                 "order can be joined with them row by row");
    else if (follows(one))
        snprintf(
            out, size,
            "the rows follow the order of %s, but matched row by row, k = %lld of them stay alike",
            one->name, (long long)in->k);
    else
        nothing_shows(out, size, in);
}

static void add_measures(tacit_report *report, const compared *one)
{
    const tacit_order_verdict *v = &one->verdict;
    if (one->known)
        tacit_report_line(report, "", "the release is declared to keep the order of its source");
    else
        tacit_report_line(
            report, "",
            "beside %s: %s of %s rows agree with the row at their place, %.1f would in random "
            "order (%+.1f standard deviations); places correlate by %+.3f (%+.1f)",
            one->name, engine_count(v->agreeing).text, engine_count(v->places).text, v->expected,
            v->places_z, v->correlation, v->ranks_z);
}

static void add_file(tacit_report *report, const compared *one)
{
    static const tacit_field FIELDS[] = {
        TACIT_FIELD(tacit_order_verdict, places, "places", NULL, 0),
        TACIT_FIELD(tacit_order_verdict, agreeing, "agreeing", NULL, 0),
        TACIT_FIELD(tacit_order_verdict, expected, "expected", NULL, 0),
        TACIT_FIELD(tacit_order_verdict, places_z, "places_deviations", NULL, 0),
        TACIT_FIELD(tacit_order_verdict, correlation, "correlation", NULL, 0),
        TACIT_FIELD(tacit_order_verdict, ranks_z, "ranks_deviations", NULL, 0),
    };
    tacit_report_item(report, "files");
    tacit_report_text(report, "file", one->name);
    tacit_report_bool(report, "source", one->source);
    tacit_report_bool(report, "follows", follows(one));
    tacit_report_bool(report, "tested", one->verdict.tested);
    if (!one->known)
        tacit_report_fields(report, FIELDS, TACIT_COUNT_OF(FIELDS), &one->verdict);
    if (!one->known && !one->source)
        tacit_report_integer(report, "exposed_rows", one->verdict.exposed_rows);
    tacit_report_leave(report);
}

static void add_order_table(tacit_report *report, const compared_orders *in)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = "order of"},
        {.heading = "rows that agree at their place"},
        {.heading = "by chance", .decimals = 1},
        {.heading = "standard deviations", .decimals = 1},
        {.heading = "correlation", .decimals = 3},
        {.heading = "standard deviations", .decimals = 1},
    };
    tacit_report_begin(
        report, TACIT_TABLE(NULL, "The order of the rows beside a random one", false, COLUMNS));
    for (int32_t i = 0; i < in->count; i++) {
        const tacit_order_verdict *v = &in->list[i].verdict;
        if (in->list[i].known)
            continue;
        tacit_report_cell(report, "%s", in->list[i].name);
        tacit_report_cell(report, "%lld of %lld", (long long)v->agreeing, (long long)v->places);
        tacit_report_cell_real(report, v->expected);
        tacit_report_cell_real(report, v->places_z);
        tacit_report_cell_real(report, v->correlation);
        tacit_report_cell_real(report, v->ranks_z);
    }
}

static void order_facts(tacit_report *report, const void *found, const engine_case *c)
{
    (void)c;
    const compared_orders *in = found;
    for (int32_t i = 0; i < in->count; i++) {
        if (follows(&in->list[i]))
            add_measures(report, &in->list[i]);
        add_file(report, &in->list[i]);
    }
    add_order_table(report, in);
}

static void order_shows(engine_ads *ads, const void *found, const engine_case *c)
{
    char text[ENGINE_ADS_TEXT];
    order_sentence(text, sizeof text, found, c);
    engine_ads_say(ads, ENGINE_ADS_RELATIONS,
                   order_discloses(found, c)                               ? ENGINE_ADS_BROKEN
                   : follows(worst_order(found)) || first_of(found, false) ? ENGINE_ADS_UNKNOWN
                                                                           : ENGINE_ADS_HOLDS,
                   "%s", text);
}

const engine_attack engine_attack_order = {
    .name = "order",
    .title = "The order of the rows",
    .wanted = order_wanted,
    .run = run_order,
    .discloses = order_discloses,
    .promised = order_promised,
    .sentence = order_sentence,
    .facts = order_facts,
    .shows = order_shows,
    .free = free_order,
};
