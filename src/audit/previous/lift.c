/*
 * lift.c - two releases in no finer values than tell which of their rows agree.
 *
 * A value agrees with the values above and below it. Where the other release has nothing strictly
 * below a value's parent, the value agrees with what its parent agrees with: it is replaced by the
 * parent, and so on upwards. Rows then agree exactly as before, and there are far fewer kinds of
 * them: those of a source become those of the release that generalized it. Nodes that are left are
 * numbered anew, without the others between them.
 *
 * The other release is taken to have every value of its dictionary.
 *
 * Cost: a reading of the codes, and 17 bytes a node and 4 a value while a column is lifted.
 */
#include "audit/previous/previous.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"

/* One side of a column. */
typedef struct side {
    const tacit_node_column *column;
    size_t codes;    /* those below this occur */
    bool *has;       /* a node each: a value of this side */
    uint32_t *nodes; /* a code each: its node in the end */
} side;

typedef struct lifting {
    const tacit_two_releases *two;
    tacit__lifted *out;
} lifting;

static uint32_t lifted_node(const side *s, size_t code)
{
    return s->column->nodes ? s->column->nodes[code] : (uint32_t)code;
}

/* Which nodes a side has, and room for what they become. */
static bool read_side(side *s, const tacit_node_column *column, int64_t rows, uint32_t nodes)
{
    *s = (side){.column = column};
    for (int64_t row = 0; column->codes.width && row < rows; row++) {
        size_t code = tacit_codes_at(column->codes, row);
        s->codes = code >= s->codes ? code + 1 : s->codes;
    }
    s->has = tacit__alloc_zeroed(nodes, sizeof *s->has);
    s->nodes = tacit__alloc_array(s->codes, sizeof *s->nodes);
    if (!s->has || !s->nodes)
        return false;
    for (size_t code = 0; code < s->codes; code++) {
        s->nodes[code] = lifted_node(s, code);
        s->has[s->nodes[code]] = true;
    }
    s->has[0] |= column->codes.width == 0; /* is not there: "*" */
    return true;
}

/* What work on a column needs, a node each. */
typedef struct room {
    uint32_t *parents, *to;
    uint32_t *before; /* nodes below each that are had, and one more for all */
} room;

static void count_before(uint32_t *before, const bool *has, uint32_t nodes)
{
    before[0] = 0;
    for (uint32_t node = 0; node < nodes; node++)
        before[node + 1] = before[node] + has[node];
}

/* Lifts the nodes of a side as high as they agree with the same of another. */
static void lift_side(side *s, const side *other, const tacit_joint_column *column, room *r)
{
    uint32_t nodes = column->node_count;
    count_before(r->before, other->has, nodes);
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t above = r->parents[node];
        bool same = node && r->before[column->ends[above]] == r->before[above + 1];
        r->to[node] = same ? r->to[above] : node;
    }
    for (size_t code = 0; code < s->codes; code++)
        s->nodes[code] = r->to[s->nodes[code]];
    for (uint32_t node = nodes; node-- > 0;)
        if (s->has[node] && r->to[node] != node) {
            s->has[node] = false;
            s->has[r->to[node]] = true;
        }
}

/* Numbers the nodes that a side has, and node 0, without gaps: their ends, into out. */
static bool number_nodes(tacit_joint_column *out, side sides[2], const tacit_joint_column *column,
                         room *r)
{
    bool *has = sides[0].has;
    for (uint32_t node = 0; node < column->node_count; node++)
        has[node] |= node == 0 || sides[1].has[node];
    count_before(r->before, has, column->node_count);
    uint32_t *ends = tacit__alloc_array(r->before[column->node_count], sizeof *ends);
    out->ends = ends;
    out->node_count = r->before[column->node_count];
    for (uint32_t node = 0; ends && node < column->node_count; node++)
        if (has[node])
            ends[r->before[node]] = r->before[column->ends[node]];
    for (int i = 0; i < 2; i++)
        for (size_t code = 0; code < sides[i].codes; code++)
            sides[i].nodes[code] = r->before[sides[i].nodes[code]];
    return ends != NULL;
}

static bool lift_tree(tacit_joint_column *out, const tacit_joint_column *column,
                      const tacit_two_releases *two)
{
    side sides[2] = {0};
    uint32_t nodes = column->node_count;
    room r = {.parents = tacit__alloc_array(nodes, sizeof *r.parents),
              .to = tacit__alloc_array(nodes, sizeof *r.to),
              .before = tacit__alloc_array((size_t)nodes + 1, sizeof *r.before)};
    bool whole = r.parents && r.to && r.before &&
                 read_side(&sides[0], &column->now, two->now_rows, nodes) &&
                 read_side(&sides[1], &column->before, two->before_rows, nodes);
    if (whole) {
        tacit__fill_parents(r.parents, column->ends, nodes);
        lift_side(&sides[1], &sides[0], column, &r);
        lift_side(&sides[0], &sides[1], column, &r);
        whole = number_nodes(out, sides, column, &r);
    }
    out->now.nodes = sides[0].nodes;
    out->before.nodes = sides[1].nodes;
    tacit__free(sides[0].has);
    tacit__free(sides[1].has);
    tacit__free(r.parents);
    tacit__free(r.to);
    tacit__free(r.before);
    return whole;
}

static tacit_status lift_column(void *context, int64_t at, int worker, tacit_error *err)
{
    (void)worker;
    const lifting *l = context;
    const tacit_joint_column *column = &l->two->columns[at];
    return !column->ends || lift_tree(&l->out->columns[at], column, l->two) ? TACIT_OK
                                                                            : tacit__nomem(err);
}

tacit_status tacit__lift(tacit__lifted *out, const tacit_two_releases *two, const tacit_run *run,
                         tacit_error *err)
{
    lifting l = {two, out};
    *out = (tacit__lifted){.two = *two};
    out->columns = tacit__alloc_array((size_t)two->column_count, sizeof *out->columns);
    if (!out->columns)
        return tacit__nomem(err);
    for (int32_t i = 0; i < two->column_count; i++) {
        out->columns[i] = two->columns[i];
        if (two->columns[i].ends) /* owned from here on */
            out->columns[i].ends = out->columns[i].now.nodes = out->columns[i].before.nodes = NULL;
    }
    out->two.columns = out->columns;
    return tacit__parallel(run, "joining", two->column_count, lift_column, &l, err);
}

void tacit__lifted_clear(tacit__lifted *lifted, const tacit_two_releases *two)
{
    for (int32_t i = 0; lifted->columns && i < two->column_count; i++) {
        if (!two->columns[i].ends)
            continue;
        tacit__free((void *)lifted->columns[i].ends);
        tacit__free((void *)lifted->columns[i].now.nodes);
        tacit__free((void *)lifted->columns[i].before.nodes);
    }
    tacit__free(lifted->columns);
    *lifted = (tacit__lifted){0};
}
