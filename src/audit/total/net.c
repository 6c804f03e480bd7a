/*
 * net.c - from a list of cells to the graph that the judge walks.
 *
 * The list is checked cell by cell, published ones too, then the suppressed ones are kept. Those of
 * a column are read off the rows, so they come in order by themselves; those of a row do where the
 * list is in order, else cells are taken column by column. A cell that is given twice is found on
 * that way: by the cell before it in a list that is in order, or by the last column that was taken
 * in its row. Linear; 8 bytes a suppressed cell, 12 where it must be said which it is; for a while
 * a byte a listed cell, or 5 where the list is not in order.
 */
#include <math.h>
#include <string.h>

#include "audit/total/total.h"
#include "base/alloc.h"
#include "base/error.h"

/* Sums of decimals are not exact: what is off by so much of a value's size, or of 1, is off by
 * nothing. */
#define NOTHING 1e-9

/* How a cell can move, and what it is. TACIT__NET_OUT: up, TACIT__NET_IN: down; seen from the row.
 */
enum { UP = 1, DOWN = 2, SECRET = 4, SUPPRESSED = 8 };

typedef struct listing {
    const tacit_flat_view *table;
    uint8_t *kind;      /* a cell each */
    int32_t *by_column; /* all cells; NULL: the list is in order */
    int32_t *next;      /* a vertex each, and scratch */
} listing;

/* ---- what each cell is ---- */

static tacit_status refuse(const tacit_flat_view *t, int32_t cell, const char *why,
                           tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID, "cell %d of the list (row %d, column %d): %s", cell + 1,
                        t->row[cell] + 1, t->column[cell] + 1, why);
}

/* Why a cell's value and bounds cannot be; NULL: they can, and *kind has its movements. */
static const char *movements(uint8_t *kind, const tacit_flat_view *t, int32_t cell)
{
    double value = t->value ? t->value[cell] : NAN;
    double most = t->upper ? t->upper[cell] : INFINITY;
    double least = t->value ? 0 : -INFINITY;
    if (t->lower)
        least = t->lower[cell];
    if (!(least < most))
        return "its upper bound is not above the lower one";
    *kind = UP | DOWN;
    if (isnan(value)) /* unknown: strictly between its bounds */
        return NULL;
    if (isinf(value))
        return "its value is no number";
    double slack = fabs(value) > 1 ? NOTHING * fabs(value) : NOTHING;
    if (least - slack > value || most + slack < value)
        return "its value is outside its bounds";
    *kind = (uint8_t)((value - least > slack ? DOWN : 0) | (most - value > slack ? UP : 0));
    return *kind ? NULL : "its bounds are no further apart than rounding";
}

/* The same for the whole cell. */
static const char *look_at_cell(uint8_t *kind, const tacit_flat_view *t, int32_t i)
{
    char letter = t->status ? t->status[i] : 'u';
    bool suppressed = letter == 'u' || letter == 'x';
    bool secret = t->secret ? t->secret[i] : letter == 'u';
    const char *why = NULL;
    if (letter != 'u' && letter != 'x' && letter != 's' && letter != 'z')
        return "its status is none of s, u, x and z";
    if (secret && !suppressed)
        return "it is to be protected but is not suppressed";
    if (t->cost && (!isfinite(t->cost[i]) || t->cost[i] < 0))
        return "its cost is no number from 0";
    if (letter != 'z')
        why = movements(kind, t, i);
    if (suppressed && !why)
        *kind = (uint8_t)(*kind | SUPPRESSED | (secret ? SECRET : 0));
    return why;
}

static tacit_status look_at_cells(tacit__net *net, listing *l, tacit_error *err)
{
    const tacit_flat_view *t = l->table;
    for (int32_t i = 0; i < t->count; i++) {
        bool inside =
            t->row[i] >= 0 && t->row[i] < t->rows && t->column[i] >= 0 && t->column[i] < t->columns;
        const char *why = inside ? look_at_cell(&l->kind[i], t, i) : "it is outside the table";
        if (why)
            return refuse(t, i, why, err);
        if (!(l->kind[i] & SUPPRESSED))
            continue;
        net->edges++;
        net->secret += (l->kind[i] & SECRET) != 0;
        net->directed += (l->kind[i] & (UP | DOWN)) != (UP | DOWN);
        net->starts[t->row[i] + 1]++;
        net->starts[t->rows + t->column[i] + 1]++;
    }
    for (int32_t v = 0; v < net->vertices; v++)
        net->starts[v + 1] += net->starts[v];
    return TACIT_OK;
}

/* ---- the order of the list ---- */

/* Below 0: cell i comes before the one listed before it; 0: it is the same one. */
static int32_t step_to(const tacit_flat_view *t, int32_t i)
{
    int32_t rows = t->row[i] - t->row[i - 1];
    return rows ? rows : t->column[i] - t->column[i - 1];
}

/* Whether rows come one after the other, and columns in each; or the cell that is given twice. */
static bool is_ordered(const tacit_flat_view *t, int32_t *twice)
{
    for (int32_t i = 1; i < t->count; i++) {
        int32_t step = step_to(t, i);
        if (step < 0)
            return false;
        if (step == 0 && *twice < 0)
            *twice = i;
    }
    return true;
}

/* Sorts all cells by column, by counting. */
static void sort_by_column(listing *l)
{
    const tacit_flat_view *t = l->table;
    int32_t *next = l->next, total = 0;
    for (int32_t c = 0; c < t->columns; c++)
        next[c] = 0;
    for (int32_t i = 0; i < t->count; i++)
        next[t->column[i]]++;
    for (int32_t c = 0; c < t->columns; c++) {
        int32_t here = next[c];
        next[c] = total;
        total += here;
    }
    for (int32_t i = 0; i < t->count; i++)
        l->by_column[next[t->column[i]]++] = i;
}

/* A cell that is given twice, column by column: the last one taken in its row was of its column.
 * -1: none. */
static int32_t find_twice(listing *l)
{
    const tacit_flat_view *t = l->table;
    for (int32_t r = 0; r < t->rows; r++)
        l->next[r] = -1;
    for (int32_t k = 0; k < t->count; k++) {
        int32_t cell = l->by_column[k];
        if (l->next[t->row[cell]] == t->column[cell])
            return cell;
        l->next[t->row[cell]] = t->column[cell];
    }
    return -1;
}

static tacit_status put_in_order(listing *l, tacit_error *err)
{
    int32_t twice = -1;
    if (!is_ordered(l->table, &twice)) {
        l->by_column = tacit__alloc_array((size_t)l->table->count, sizeof *l->by_column);
        if (!l->by_column)
            return tacit__nomem(err);
        sort_by_column(l);
        twice = find_twice(l);
    }
    return twice < 0 ? TACIT_OK : refuse(l->table, twice, "it is given twice", err);
}

/* ---- edges ---- */

static uint32_t word_of(int32_t vertex, bool out, bool in, bool secret)
{
    return (uint32_t)vertex | (out ? TACIT__NET_OUT : 0) | (in ? TACIT__NET_IN : 0) |
           (secret ? TACIT__NET_SECRET : 0);
}

/* The same edge as the vertex at its other end has it. */
static uint32_t turned(uint32_t word, int32_t vertex)
{
    return word_of(vertex, word & TACIT__NET_IN, word & TACIT__NET_OUT, word & TACIT__NET_SECRET);
}

static void write_rows(tacit__net *net, listing *l)
{
    const tacit_flat_view *t = l->table;
    for (int32_t k = 0; k < t->count; k++) {
        int32_t cell = l->by_column ? l->by_column[k] : k;
        uint8_t kind = l->kind[cell];
        if (!(kind & SUPPRESSED))
            continue;
        int32_t edge = l->next[t->row[cell]]++;
        net->near[edge] = word_of(t->rows + t->column[cell], kind & UP, kind & DOWN, kind & SECRET);
        if (net->cell)
            net->cell[edge] = cell;
    }
}

static void write_columns(tacit__net *net, int32_t *next)
{
    for (int32_t row = 0; row < net->rows; row++)
        for (int32_t e = net->starts[row]; e < net->starts[row + 1]; e++)
            net->near[next[tacit__net_near(net->near[e])]++] = turned(net->near[e], row);
}

static tacit_status write_edges(tacit__net *net, listing *l, tacit_error *err)
{
    net->near = tacit__alloc_array(2 * (size_t)net->edges, sizeof *net->near);
    bool named = l->by_column || net->edges < l->table->count;
    if (named)
        net->cell = tacit__alloc_array((size_t)net->edges, sizeof *net->cell);
    if (!net->near || (named && !net->cell))
        return tacit__nomem(err);
    for (int32_t v = 0; v < net->vertices; v++)
        l->next[v] = net->starts[v];
    write_rows(net, l);
    write_columns(net, l->next);
    return TACIT_OK;
}

/* ---- */

static tacit_status check_size(const tacit_flat_view *t, tacit_error *err)
{
    if (t->rows < 0 || t->columns < 0 || t->count < 0)
        return tacit__error(err, TACIT_INVALID, "a table has no negative number of anything");
    if (t->rows > TACIT_MAX_FLAT_LINES - t->columns || t->count > TACIT_MAX_FLAT_CELLS)
        return tacit__error(err, TACIT_LIMIT,
                            "%d rows, %d columns and %d cells are more than the %d lines and %d "
                            "cells that a graph can have",
                            t->rows, t->columns, t->count, TACIT_MAX_FLAT_LINES,
                            TACIT_MAX_FLAT_CELLS);
    return TACIT_OK;
}

static tacit_status net_of(tacit__net **out, int32_t vertices, tacit_error *err)
{
    tacit__net *net = tacit__alloc_zeroed(1, sizeof *net);
    if (net)
        net->starts = tacit__alloc_zeroed((size_t)vertices + 1, sizeof *net->starts);
    if (!net || !net->starts) {
        tacit__net_free(net);
        return tacit__nomem(err);
    }
    net->vertices = vertices;
    *out = net;
    return TACIT_OK;
}

tacit_status tacit__net_new(tacit__net **out, const tacit_flat_view *table, tacit_error *err)
{
    listing l = {.table = table};
    tacit__net *net = NULL;
    tacit_status status = check_size(table, err);
    if (status != TACIT_OK)
        return status;
    l.kind = tacit__alloc_zeroed((size_t)table->count, sizeof *l.kind);
    l.next = tacit__alloc_array((size_t)table->rows + (size_t)table->columns, sizeof *l.next);
    status = l.kind && l.next ? net_of(&net, table->rows + table->columns, err) : tacit__nomem(err);
    if (status == TACIT_OK) {
        net->rows = table->rows;
        status = look_at_cells(net, &l, err);
    }
    if (status == TACIT_OK)
        status = put_in_order(&l, err);
    if (status == TACIT_OK)
        status = write_edges(net, &l, err);
    tacit__free(l.kind);
    tacit__free(l.by_column);
    tacit__free(l.next);
    if (status == TACIT_OK)
        *out = net;
    else
        tacit__net_free(net);
    return status;
}

void tacit__net_free(tacit__net *net)
{
    if (!net)
        return;
    tacit__free(net->starts);
    tacit__free(net->near);
    tacit__free(net->cell);
    tacit__free(net);
}

int32_t tacit__net_edge(const tacit__net *net, int32_t row, int32_t column)
{
    int32_t first = net->starts[row], after = net->starts[row + 1];
    while (after - first > 1) {
        int32_t middle = first + (after - first) / 2;
        if (tacit__net_near(net->near[middle]) <= column)
            first = middle;
        else
            after = middle;
    }
    return first;
}

/* ---- parts ---- */

/* The edges that stay, against their order: counted at both ends, one ahead, or written. */
static void visit_staying(tacit__net *joined, int32_t *next, const tacit__net *net,
                          const tacit__net_filter *filter, const int32_t *part)
{
    for (int32_t row = net->rows - 1; row >= 0; row--)
        for (int32_t e = net->starts[row + 1] - 1; e >= net->starts[row]; e--) {
            uint32_t word = net->near[e];
            int32_t here = part[row], there = part[tacit__net_near(word)];
            if (here == there || !tacit__net_counts(filter, row, word))
                continue;
            if (next) {
                joined->near[next[here]++] = (word & ~TACIT__NET_VERTEX) | (uint32_t)there;
                joined->near[next[there]++] = turned(word, here);
            } else {
                joined->edges++;
                joined->starts[here + 1]++;
                joined->starts[there + 1]++;
            }
        }
}

tacit_status tacit__net_contract(tacit__net **out, const tacit__net *net,
                                 const tacit__net_filter *filter, const int32_t *part,
                                 int32_t count, tacit_error *err)
{
    tacit__net *joined = NULL;
    int32_t *next = tacit__alloc_array((size_t)count, sizeof *next);
    tacit_status status = next ? net_of(&joined, count, err) : tacit__nomem(err);
    if (status == TACIT_OK) {
        visit_staying(joined, NULL, net, filter, part);
        joined->near = tacit__alloc_array(2 * (size_t)joined->edges, sizeof *joined->near);
        status = joined->near ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK) {
        for (int32_t v = 0; v < count; v++) {
            next[v] = joined->starts[v];
            joined->starts[v + 1] += joined->starts[v];
        }
        visit_staying(joined, next, net, filter, part);
        *out = joined;
    } else {
        tacit__net_free(joined);
    }
    tacit__free(next);
    return status;
}

tacit_status tacit__net_groups_init(tacit__net_groups *groups, const int32_t *part,
                                    int32_t vertices, int32_t parts, tacit_error *err)
{
    int32_t *starts = tacit__alloc_zeroed((size_t)parts + 1, sizeof *starts);
    int32_t *members = tacit__alloc_array((size_t)vertices, sizeof *members);
    if (!starts || !members) {
        tacit__free(starts);
        tacit__free(members);
        return tacit__nomem(err);
    }
    for (int32_t v = 0; v < vertices; v++)
        starts[part[v] + 1]++;
    for (int32_t p = 0; p < parts; p++)
        starts[p + 1] += starts[p];
    for (int32_t v = 0; v < vertices; v++)
        members[starts[part[v]]++] = v;
    for (int32_t p = parts; p > 0; p--) /* each start is now the next one's */
        starts[p] = starts[p - 1];
    starts[0] = 0;
    *groups = (tacit__net_groups){starts, members};
    return TACIT_OK;
}

void tacit__net_groups_clear(tacit__net_groups *groups)
{
    tacit__free(groups->starts);
    tacit__free(groups->members);
    *groups = (tacit__net_groups){0};
}

/* Connected parts and strong components, by searches that say what is reached.
 *
 * Parts: from each vertex that no search has met, everything that it reaches. Strong components
 * (Kosaraju): a first search leaves vertices in the order in which it was done with them. Taken
 * against that order, and against the directions, each vertex that is not met yet reaches exactly
 * its component: whom it reaches so can reach it, and was done with before it, so it reaches them
 * too. What undirected edges connect is a part of one component; such parts are made vertices
 * first, for few cells are on their bounds.
 *
 * The methods find the same by disjoint sets and by Tarjan's algorithm (src/graph); neither shares
 * code with the other. Two words a vertex besides the answer; each edge is looked at once from
 * either end in each search. */

enum { NOT_MET = -1, NEXT = 2, AHEAD = 8 };

/* What will be looked at when those who wait in the queue have their turn, fetched while others
 * have it: one knows who is next, though not where in memory. */
static void fetch_ahead(const int32_t *part, const int32_t *queue, const tacit__net *net,
                        int32_t waiting)
{
    if (waiting > 2 * AHEAD)
        __builtin_prefetch(&net->starts[queue[2 * AHEAD]]);
    if (waiting > AHEAD)
        __builtin_prefetch(&net->near[net->starts[queue[AHEAD]]]);
    if (waiting > NEXT)
        for (int32_t e = net->starts[queue[NEXT]]; e < net->starts[queue[NEXT] + 1]; e++)
            __builtin_prefetch(&part[tacit__net_near(net->near[e])]);
}

/* Gives all that a vertex reaches over the edges that count the same number. */
static void spread(int32_t *part, int32_t *queue, const tacit__net *net,
                   const tacit__net_filter *filter, int32_t from, int32_t number)
{
    int32_t waiting = 1;
    part[from] = number;
    queue[0] = from;
    for (int32_t k = 0; k < waiting; k++) {
        int32_t vertex = queue[k];
        fetch_ahead(part, queue + k, net, waiting - k);
        for (int32_t e = net->starts[vertex]; e < net->starts[vertex + 1]; e++) {
            uint32_t word = net->near[e];
            int32_t there = tacit__net_near(word);
            if ((word & filter->mask) != filter->wanted || part[there] != NOT_MET ||
                !tacit__net_counts(filter, vertex, word))
                continue;
            part[there] = number;
            queue[waiting++] = there;
        }
    }
}

/* Spreads from every vertex that was not met, by the order given (NULL: their own). */
static int32_t spread_all(int32_t *part, int32_t *queue, const tacit__net *net,
                          const tacit__net_filter *filter, const int32_t *order)
{
    int32_t count = 0;
    for (int32_t v = 0; v < net->vertices; v++)
        part[v] = NOT_MET;
    for (int32_t k = 0; k < net->vertices; k++) {
        int32_t vertex = order ? order[k] : k;
        if (part[vertex] == NOT_MET)
            spread(part, queue, net, filter, vertex, count++);
    }
    return count;
}

tacit_status tacit__net_parts(int32_t *part, int32_t *count, const tacit__net *net,
                              const tacit__net_filter *filter, tacit_error *err)
{
    int32_t *queue = tacit__alloc_array((size_t)net->vertices, sizeof *queue);
    if (!queue)
        return tacit__nomem(err);
    *count = spread_all(part, queue, net, filter, NULL);
    tacit__free(queue);
    return TACIT_OK;
}

/* ---- strong components ---- */

/* The first search, along the directions. path has the way to where it is, from the right, and
 * becomes, from the left, the order: whom it was done with last comes first at the end. */
typedef struct strong_search {
    const tacit__net *net;
    int32_t *at;   /* a vertex each: which edge is next; NOT_MET */
    int32_t *path; /* both lists together never have more than all vertices */
    int32_t top;   /* of the way: its last vertex */
    int32_t done;
} strong_search;

static void enter(strong_search *s, int32_t vertex)
{
    s->at[vertex] = s->net->starts[vertex];
    s->path[--s->top] = vertex;
    for (int32_t e = s->net->starts[vertex]; e < s->net->starts[vertex + 1]; e++)
        __builtin_prefetch(&s->at[tacit__net_near(s->net->near[e])]);
}

/* The next vertex that an edge leads to and nobody has met; NOT_MET: none. */
static int32_t next_met(strong_search *s, int32_t vertex)
{
    const tacit__net *net = s->net;
    while (s->at[vertex] < net->starts[vertex + 1]) {
        uint32_t word = net->near[s->at[vertex]++];
        if (word & TACIT__NET_OUT && s->at[tacit__net_near(word)] == NOT_MET)
            return tacit__net_near(word);
    }
    return NOT_MET;
}

static void search_from(strong_search *s, int32_t root)
{
    enter(s, root);
    while (s->top < s->net->vertices) {
        int32_t vertex = s->path[s->top], there = next_met(s, vertex);
        if (there != NOT_MET) {
            enter(s, there);
        } else {
            s->top++;
            s->path[s->done++] = vertex;
        }
    }
}

/* order: vertices, those that the search was done with last first. */
static void find_order(int32_t *order, int32_t *at, const tacit__net *net)
{
    strong_search s = {.net = net, .at = at, .path = order, .top = net->vertices};
    for (int32_t v = 0; v < net->vertices; v++)
        at[v] = NOT_MET;
    for (int32_t v = 0; v < net->vertices; v++)
        if (at[v] == NOT_MET)
            search_from(&s, v);
    for (int32_t low = 0, high = net->vertices - 1; low < high; low++, high--) {
        int32_t first = order[low];
        order[low] = order[high];
        order[high] = first;
    }
}

/* Parts are numbered by their first vertices. names has room for as many. */
static void number_parts(int32_t *part, int32_t vertices, int32_t *names, int32_t parts)
{
    int32_t count = 0;
    for (int32_t p = 0; p < parts; p++)
        names[p] = -1;
    for (int32_t v = 0; v < vertices; v++) {
        if (names[part[v]] < 0)
            names[part[v]] = count++;
        part[v] = names[part[v]];
    }
}

static tacit_status find_strong(int32_t *part, int32_t *count, const tacit__net *net,
                                tacit_error *err)
{
    const tacit__net_filter backwards = {TACIT__NET_IN, TACIT__NET_IN, NULL};
    size_t n = (size_t)net->vertices;
    int32_t *order = tacit__alloc_array(n, sizeof *order);
    int32_t *scratch = tacit__alloc_array(n, sizeof *scratch);
    tacit_status status = order && scratch ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK) {
        find_order(order, scratch, net);
        *count = spread_all(part, scratch, net, &backwards, order);
        number_parts(part, net->vertices, scratch, *count);
    }
    tacit__free(order);
    tacit__free(scratch);
    return status;
}

/* What a net made of parts says of their vertices. */
static void hand_down(int32_t *out, const int32_t *part, int32_t vertices, const int32_t *of_part)
{
    for (int32_t v = 0; v < vertices; v++)
        out[v] = of_part[part[v]];
}

/* What directed edges make of the parts that the others connect. */
static tacit_status join_parts(int32_t *strong, tacit__net_numbers *count, int32_t *connected,
                               const tacit__net *net, tacit_error *err)
{
    const uint32_t both = TACIT__NET_OUT | TACIT__NET_IN;
    tacit__net *joined = NULL;
    int32_t parts = 0, *of_part = NULL;
    tacit_status status =
        tacit__net_parts(strong, &parts, net, &(tacit__net_filter){both, both, NULL}, err);
    if (status == TACIT_OK)
        status = tacit__net_contract(&joined, net, &(tacit__net_filter){0}, strong, parts, err);
    if (status == TACIT_OK) {
        of_part = tacit__alloc_array((size_t)parts, sizeof *of_part);
        status = of_part ? TACIT_OK : tacit__nomem(err);
    }
    if (status == TACIT_OK && connected) {
        status = tacit__net_parts(of_part, &count->connected, joined, &(tacit__net_filter){0}, err);
        if (status == TACIT_OK)
            hand_down(connected, strong, net->vertices, of_part);
    }
    if (status == TACIT_OK)
        status = find_strong(of_part, &count->strong, joined, err);
    if (status == TACIT_OK)
        hand_down(strong, strong, net->vertices, of_part);
    tacit__net_free(joined);
    tacit__free(of_part);
    return status;
}

tacit_status tacit__net_strong(int32_t *strong, tacit__net_numbers *count, int32_t *connected,
                               const tacit__net *net, tacit_error *err)
{
    if (net->directed)
        return join_parts(strong, count, connected, net, err);
    tacit_status status =
        tacit__net_parts(strong, &count->strong, net, &(tacit__net_filter){0}, err);
    count->connected = count->strong;
    if (status == TACIT_OK && connected)
        memcpy(connected, strong, (size_t)net->vertices * sizeof *connected);
    return status;
}

/* A depth-first forest and the size of the cut below each of its edges.
 *
 * An edge outside a depth-first forest goes from a vertex to one above it. So the edges that leave
 * the subtree of v are those that go up from it, less those that come up to it: counting every
 * edge +1 at its lower end and -1 at its upper one, and summing over subtrees, gives all sizes in
 * one pass against the order of meeting. A cut of one edge is a bridge. */

static void meet(tacit__cuts *c, int32_t *at, const tacit__net *g, int32_t vertex, int32_t parent)
{
    c->number[vertex] = c->count;
    c->vertex[c->count] = vertex;
    c->parent[c->count] = parent;
    c->size[c->count++] = 0;
    at[vertex] = g->starts[vertex];
    for (int32_t e = g->starts[vertex]; e < g->starts[vertex + 1]; e++)
        __builtin_prefetch(&c->number[tacit__net_near(g->near[e])]);
}

/* The next neighbour that is not met yet, or -1. Those met before it are the upper ends of edges.
 */
static int32_t next_neighbour(tacit__cuts *c, int32_t *at, const tacit__net *g,
                              const tacit__net_filter *filter, int32_t i)
{
    int32_t vertex = c->vertex[i];
    for (; at[vertex] < g->starts[vertex + 1]; at[vertex]++) {
        uint32_t word = g->near[at[vertex]];
        int32_t there = c->number[tacit__net_near(word)];
        if (there >= i || !tacit__net_counts(filter, vertex, word))
            continue;
        if (there < 0)
            return tacit__net_near(word);
        c->size[i]++;
        c->size[there]--;
    }
    return -1;
}

static void walk_from(tacit__cuts *c, int32_t *at, const tacit__net *g,
                      const tacit__net_filter *filter, int32_t root)
{
    int32_t i = c->count;
    meet(c, at, g, root, -1);
    while (i >= 0) {
        int32_t there = next_neighbour(c, at, g, filter, i);
        if (there >= 0) {
            meet(c, at, g, there, i);
            i = c->count - 1;
        } else {
            c->last[i] = c->count;
            i = c->parent[i];
        }
    }
}

static void sum_sizes(tacit__cuts *c)
{
    for (int32_t i = c->count - 1; i >= 0; i--)
        if (c->parent[i] >= 0)
            c->size[c->parent[i]] += c->size[i];
}

tacit_status tacit__cuts_new(tacit__cuts **out, const tacit__net *net,
                             const tacit__net_filter *filter, tacit_error *err)
{
    size_t n = (size_t)net->vertices;
    tacit__cuts *c = tacit__alloc_zeroed(1, sizeof *c);
    int32_t *at = tacit__alloc_array(n, sizeof *at);
    if (c) {
        c->vertex = tacit__alloc_array(n, sizeof *c->vertex);
        c->number = tacit__alloc_array(n, sizeof *c->number);
        c->parent = tacit__alloc_array(n, sizeof *c->parent);
        c->last = tacit__alloc_array(n, sizeof *c->last);
        c->size = tacit__alloc_array(n, sizeof *c->size);
    }
    if (!at || !c || !c->vertex || !c->number || !c->parent || !c->last || !c->size) {
        tacit__free(at);
        tacit__cuts_free(c);
        return tacit__nomem(err);
    }
    for (int32_t v = 0; v < net->vertices; v++)
        c->number[v] = -1;
    for (int32_t v = 0; v < net->vertices; v++)
        if (c->number[v] < 0)
            walk_from(c, at, net, filter, v);
    sum_sizes(c);
    tacit__free(at);
    *out = c;
    return TACIT_OK;
}

void tacit__cuts_free(tacit__cuts *cuts)
{
    if (!cuts)
        return;
    tacit__free(cuts->vertex);
    tacit__free(cuts->number);
    tacit__free(cuts->parent);
    tacit__free(cuts->last);
    tacit__free(cuts->size);
    tacit__free(cuts);
}
