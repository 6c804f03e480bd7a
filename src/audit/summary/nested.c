/*
 * nested.c - one column and its frequencies, exactly and without a program; see
 * summary.h.
 *
 * Labels and states are nodes of a tree, so rows with labels and subjects in states are a
 * transportation problem over nested sets. Let slack(g) be the subjects of the states under g less
 * the rows whose labels lie under g: these rows must be among those subjects. By Hall's theorem
 * there is an original if and only if no slack is below zero, and of m rows with label l
 *
 *     at most   min(m, slack(g) for every g from the state up to below l)
 *     at least  m - (subjects under l outside the state - rows under l whose labels neither
 *               are l nor hold the state nor lie in it)
 *
 * can and must be in a state under l: whoever of the others cannot be in it takes a place
 * outside. A state is impossible where a slack on the way is zero, which a walk down the tree,
 * from slack to slack, finds at once. Section 6.3.3 of Sweeney is the case of a slack of one.
 *
 * Cost: a pass over the rows to count labels, a few over the nodes for each table, and for each
 * label one over what is under it. Memory: 85 bytes a node.
 */
#include <string.h>

#include "audit/summary/summary.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

/* What is found out about columns of classes, kept as far as it is listed; see summary.h. Memory:
 * what audit_summary.h lists of each kind. */

void tacit__summary_shares_start(tacit__summary_shares *shares)
{
    shares->count = 0;
    shares->possible = 0;
    shares->counted = true;
}

tacit_status tacit__summary_shares_add(tacit__summary_shares *shares, uint32_t node, int64_t least,
                                       int64_t most, tacit_error *err)
{
    shares->possible++;
    shares->counted &= least == most;
    if (shares->count >= TACIT_SUMMARY_SHARES && !shares->all)
        return TACIT_OK;
    return TACIT__PUSH(shares->list, shares->room, shares->count,
                       (tacit_summary_share){.node = node, .least = least, .most = most})
               ? TACIT_OK
               : tacit__nomem(err);
}

static tacit_summary_kind kind_of(const tacit__summary_shares *shares, int64_t of, bool wide)
{
    if (shares->possible == 1)
        return wide ? TACIT_SUMMARY_VALUE : TACIT_SUMMARY_NOTHING;
    if (shares->possible < of)
        return TACIT_SUMMARY_NARROWED;
    return shares->counted ? TACIT_SUMMARY_COUNTED : TACIT_SUMMARY_NOTHING;
}

tacit_status tacit__summary_facts_add(tacit__summary_facts *facts, const tacit_summary_fact *fact,
                                      const tacit__summary_shares *shares, bool wide,
                                      tacit_error *err)
{
    tacit_summary_kind kind = kind_of(shares, fact->of, wide);
    struct tacit__fact_list *to = &facts->of[kind];
    facts->total += kind != TACIT_SUMMARY_NOTHING;
    if (!facts->everything && (kind == TACIT_SUMMARY_NOTHING || to->count == TACIT_SUMMARY_FACTS))
        return TACIT_OK;
    tacit_summary_fact kept = *fact;
    kept.kind = kind;
    kept.possible = shares->possible;
    kept.share_count = (int32_t)shares->count;
    kept.shares = tacit__alloc_array(shares->count, sizeof *kept.shares);
    if (!kept.shares || !TACIT__RESERVE_ONE(to->list, to->room, to->count)) {
        tacit__free(kept.shares);
        return tacit__nomem(err);
    }
    if (shares->count)
        memcpy(kept.shares, shares->list, shares->count * sizeof *kept.shares);
    to->list[to->count++] = kept;
    return TACIT_OK;
}

void tacit__fact_clear(tacit_summary_fact *fact)
{
    for (int32_t i = 0; i < fact->share_count; i++)
        tacit__free(fact->shares[i].text);
    tacit__free(fact->shares);
    tacit__free(fact->label);
}

void tacit__summary_facts_clear(tacit__summary_facts *facts)
{
    for (int kind = 0; kind < 4; kind++) {
        for (size_t i = 0; i < facts->of[kind].count; i++)
            tacit__fact_clear(&facts->of[kind].list[i]);
        tacit__free(facts->of[kind].list);
    }
    *facts = (tacit__summary_facts){0};
}

struct tacit__nested_step {
    uint32_t end;
    int64_t slack; /* the least on the way down */
    int64_t rows;  /* with labels on the way down */
};

/* ---- states ---- */

/* The frequencies of one table for the column alone, at their nodes; -1 elsewhere. */
static void add_up(int64_t *sums, const tacit__nested *n, const tacit__summary_table *table,
                   int32_t place)
{
    for (uint32_t i = 0; i < n->node_count; i++)
        sums[i] = -1;
    for (int64_t e = 0; e < table->entry_count; e++) {
        uint32_t node = tacit__table_entry(table, e)[place];
        sums[node] = (sums[node] < 0 ? 0 : sums[node]) + table->counts[e];
    }
}

static tacit_status contradicts(const tacit__nested *n, const tacit__summary_table *table,
                                tacit_error *err)
{
    return tacit__error(err, TACIT_PARSE,
                        "the frequencies of %s contradict those of another table in the column %s: "
                        "no data can have both",
                        table->name, n->scene->columns[n->column].name);
}

/* Marks nodes of every table: how many tables have a value that holds a node, as differences in
 * `covers`, and the subjects that its own value has. */
static tacit_status mark_values(int32_t *covers, int64_t *own, int64_t *sums, tacit__nested *n,
                                tacit_error *err)
{
    const tacit__scene *scene = n->scene;
    for (int32_t t = 0; t < scene->table_count; t++) {
        int32_t place = tacit__table_place(&scene->tables[t], n->column);
        if (place < 0)
            continue;
        n->tables++;
        add_up(sums, n, &scene->tables[t], place);
        for (uint32_t i = 0; i < n->node_count; i++) {
            if (sums[i] < 0)
                continue;
            covers[i]++;
            covers[n->ends[i]]--;
            if (own[i] >= 0 && own[i] != sums[i])
                return contradicts(n, &scene->tables[t], err);
            own[i] = sums[i];
        }
    }
    return TACIT_OK;
}

/* States, whoever has them, and where labels are placed. */
static void set_states(tacit__nested *n, const int32_t *covers, const int64_t *own)
{
    int32_t depth = 0;
    uint32_t state = 0, end = 0;
    for (uint32_t i = 0; i < n->node_count; i++) {
        depth += covers[i];
        n->state[i] = own[i] >= 0 && depth == n->tables;
        if (n->state[i]) {
            state = i;
            end = n->ends[i];
        }
        n->place[i] = i < end ? state : i;
        n->subjects[i + 1] = n->subjects[i] + (n->state[i] ? own[i] : 0);
        n->occurring[i + 1] = n->occurring[i] + (n->state[i] && own[i] > 0);
    }
}

static int64_t subjects_under(const tacit__nested *n, uint32_t node)
{
    return n->subjects[n->ends[node]] - n->subjects[node];
}

/* Every table must have as many subjects in each value as its states say. */
static tacit_status compare_tables(int64_t *sums, const tacit__nested *n, tacit_error *err)
{
    const tacit__scene *scene = n->scene;
    for (int32_t t = 0; t < scene->table_count && n->tables > 1; t++) {
        int32_t place = tacit__table_place(&scene->tables[t], n->column);
        if (place < 0)
            continue;
        add_up(sums, n, &scene->tables[t], place);
        for (uint32_t i = 0; i < n->node_count; i++)
            if (sums[i] >= 0 && sums[i] != subjects_under(n, i))
                return contradicts(n, &scene->tables[t], err);
    }
    return TACIT_OK;
}

static tacit_status find_states(tacit__nested *n, tacit_error *err)
{
    int32_t *covers = tacit__alloc_zeroed((size_t)n->node_count + 1, sizeof *covers);
    int64_t *own = tacit__alloc_array(n->node_count, sizeof *own);
    int64_t *sums = tacit__alloc_array(n->node_count, sizeof *sums);
    tacit_status status = covers && own && sums ? TACIT_OK : tacit__nomem(err);
    for (uint32_t i = 0; i < n->node_count && own; i++)
        own[i] = -1;
    if (status == TACIT_OK)
        status = mark_values(covers, own, sums, n, err);
    if (status == TACIT_OK) {
        set_states(n, covers, own);
        status = compare_tables(sums, n, err);
    }
    tacit__free(covers);
    tacit__free(own);
    tacit__free(sums);
    return status;
}

/* ---- labels ---- */

/* Rows of every label, and the first. */
static tacit_status count_labels(tacit__nested *n, tacit_error *err)
{
    const tacit__summary_column *c = &n->scene->columns[n->column];
    int64_t *counts = tacit__alloc_zeroed(c->code_count, sizeof *counts);
    int64_t *first = tacit__alloc_array(c->code_count, sizeof *first);
    uint32_t codes[512];
    tacit_status status = counts && first ? TACIT_OK : tacit__nomem(err);
    for (int64_t row = 0; row < n->scene->rows && status == TACIT_OK; row += 512) {
        int64_t here = n->scene->rows - row < 512 ? n->scene->rows - row : 512;
        tacit__codes_load(codes, c->codes, row, here);
        for (int64_t i = 0; i < here; i++)
            if (counts[codes[i]]++ == 0)
                first[codes[i]] = row + i;
        if (row % TACIT__BLOCK == 0)
            status = tacit__summary_progress(n->scene->run, row, n->scene->rows, err);
    }
    for (uint32_t code = 0; code < c->code_count && status == TACIT_OK; code++) {
        uint32_t node = c->node_of[code];
        if (counts[code] && (n->rows[node] == 0 || first[code] < n->first[node]))
            n->first[node] = first[code];
        n->rows[node] += counts[code];
    }
    tacit__free(counts);
    tacit__free(first);
    return status;
}

static int64_t placed_under(const tacit__nested *n, uint32_t node)
{
    return n->placed[n->ends[node]] - n->placed[node];
}

static int64_t placed_at(const tacit__nested *n, uint32_t node)
{
    return n->placed[node + 1] - n->placed[node];
}

static int64_t slack(const tacit__nested *n, uint32_t node)
{
    return subjects_under(n, node) - placed_under(n, node);
}

/* The release has more rows under a node than there are subjects. */
static tacit_status no_original(const tacit__nested *n, uint32_t node, tacit_error *err)
{
    const tacit__scene *scene = n->scene;
    int32_t table = 0;
    while (tacit__table_place(&scene->tables[table], n->column) < 0)
        table++;
    return tacit__error(err, TACIT_PARSE,
                        "the frequencies of %s contradict the release: %lld of its rows have one "
                        "value of %s, which %lld subjects have; no original has both",
                        scene->tables[table].name, (long long)placed_under(n, node),
                        scene->columns[n->column].name, (long long)subjects_under(n, node));
}

/* Places rows and the tuples left out, and sees that there is an original. */
static tacit_status place_labels(tacit__nested *n, tacit_error *err)
{
    const tacit__scene *scene = n->scene;
    for (uint32_t i = 0; i < n->node_count; i++)
        n->placed[n->place[i] + 1] += n->rows[i];
    n->placed[n->place[0] + 1] += scene->subjects - scene->rows;
    for (uint32_t i = 0; i < n->node_count; i++)
        n->placed[i + 1] += n->placed[i];
    for (uint32_t i = 0; i < n->node_count; i++)
        if (slack(n, i) < 0)
            return no_original(n, i, err);
    return TACIT_OK;
}

tacit_status tacit__nested_new(tacit__nested **out, const tacit__scene *scene, int32_t column,
                               tacit_error *err)
{
    size_t nodes = scene->columns[column].node_count;
    tacit__nested *n = tacit__alloc_zeroed(1, sizeof *n);
    if (!n)
        return tacit__nomem(err);
    n->scene = scene;
    n->column = column;
    n->ends = scene->columns[column].ends;
    n->node_count = (uint32_t)nodes;
    n->state = tacit__alloc_zeroed(nodes, sizeof *n->state);
    n->place = tacit__alloc_array(nodes, sizeof *n->place);
    n->subjects = tacit__alloc_zeroed(nodes + 1, sizeof *n->subjects);
    n->placed = tacit__alloc_zeroed(nodes + 1, sizeof *n->placed);
    n->occurring = tacit__alloc_zeroed(nodes + 1, sizeof *n->occurring);
    n->rows = tacit__alloc_zeroed(nodes, sizeof *n->rows);
    n->first = tacit__alloc_zeroed(nodes, sizeof *n->first);
    n->steps = tacit__alloc_array(nodes + 1, sizeof *n->steps);
    bool made = n->state && n->place && n->subjects && n->placed && n->occurring && n->rows &&
                n->first && n->steps;
    tacit_status status = made ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = find_states(n, err);
    if (status == TACIT_OK)
        status = count_labels(n, err);
    if (status == TACIT_OK)
        status = place_labels(n, err);
    if (status == TACIT_OK)
        *out = n;
    else
        tacit__nested_free(n);
    return status;
}

void tacit__nested_free(tacit__nested *nested)
{
    if (!nested)
        return;
    tacit__free(nested->state);
    tacit__free(nested->place);
    tacit__free(nested->subjects);
    tacit__free(nested->placed);
    tacit__free(nested->occurring);
    tacit__free(nested->rows);
    tacit__free(nested->first);
    tacit__free(nested->steps);
    tacit__free(nested);
}

/* ---- what follows ---- */

/* The rows with a label that must be in a state under it; `above`: on the way down to it. */
static int64_t least_of(const tacit__nested *n, uint32_t label, uint32_t state, int64_t above,
                        int64_t rows)
{
    int64_t elsewhere =
        placed_under(n, label) - placed_at(n, label) - above - placed_under(n, state);
    int64_t room = subjects_under(n, label) - subjects_under(n, state) - elsewhere;
    return rows > room ? rows - room : 0;
}

tacit_status tacit__nested_shares(tacit__summary_shares *shares, const tacit__nested *nested,
                                  uint32_t label, int64_t rows, tacit_error *err)
{
    struct tacit__nested_step *steps = nested->steps, *top = steps;
    tacit_status status = TACIT_OK;
    tacit__summary_shares_start(shares);
    if (nested->state[label])
        return tacit__summary_shares_add(shares, label, rows, rows, err);
    *top = (struct tacit__nested_step){nested->ends[label], rows, 0};
    for (uint32_t i = label + 1; i < nested->ends[label] && status == TACIT_OK;) {
        while (i >= top->end)
            top--;
        int64_t least = slack(nested, i);
        if (least > top->slack)
            least = top->slack;
        if (least > 0 && !nested->state[i]) {
            int64_t above = top->rows + placed_at(nested, i);
            *++top = (struct tacit__nested_step){nested->ends[i], least, above};
            i++;
            continue;
        }
        if (least > 0)
            status = tacit__summary_shares_add(
                shares, i, least_of(nested, label, i, top->rows, rows), least, err);
        i = nested->ends[i];
    }
    return status;
}

/* What the shares of a label say of its rows. */
static uint8_t bits_of(const tacit__summary_shares *shares, bool wide, int64_t of)
{
    if (shares->possible == 1)
        return wide ? TACIT__KNOWN | TACIT__INFERRED : TACIT__KNOWN;
    return shares->possible < of ? TACIT__FEWER : 0;
}

static tacit_status label_facts(tacit__summary_facts *facts, uint8_t *bits,
                                tacit__summary_shares *shares, const tacit__nested *n,
                                uint32_t label, int64_t rows, int64_t row, tacit_error *err)
{
    uint32_t at = n->place[label];
    tacit_summary_fact fact = {.column = n->column,
                               .table = n->scene->only,
                               .columns = UINT64_C(1) << n->column,
                               .rows = rows,
                               .row = row,
                               .of = tacit__nested_occurring(n, label)};
    bool wide = !n->state[at];
    tacit_status status = tacit__nested_shares(shares, n, at, rows, err);
    if (status == TACIT_OK)
        status = tacit__summary_facts_add(facts, &fact, shares, wide, err);
    if (status == TACIT_OK && bits)
        *bits = bits_of(shares, wide, fact.of);
    return status;
}

tacit_status tacit__nested_facts(tacit__summary_facts *facts, uint8_t *known, uint8_t *left_out,
                                 const tacit__nested *nested, tacit_error *err)
{
    tacit__summary_shares shares = {.all = facts->everything};
    int64_t missing = nested->scene->subjects - nested->scene->rows;
    tacit_status status = TACIT_OK;
    if (missing > 0)
        status = label_facts(facts, left_out, &shares, nested, 0, missing, 0, err);
    for (uint32_t i = 0; i < nested->node_count && status == TACIT_OK; i++) {
        if (nested->rows[i] > 0)
            status = label_facts(facts, known ? &known[i] : NULL, &shares, nested, i,
                                 nested->rows[i], nested->first[i] + 1, err);
        if (status == TACIT_OK && i % TACIT__BLOCK == 0)
            status = tacit__summary_progress(nested->scene->run, i, nested->node_count, err);
    }
    tacit__free(shares.list);
    return status;
}
