/*
 * marks.c - which released values somebody's value in the register can be.
 *
 * A released value and a register's can be the same if one holds the other. So a register's
 * value meets the released ones above it, itself if it is released, and what is released
 * below it, which is a stretch of nodes. Most values have nothing released below them; then
 * they meet what the narrowest released value meets that holds them, and all values with the
 * same one get the same mark: in a release on one level all dates of a year are one. A value
 * with something released below it keeps a mark of its own, and what nothing holds shares one that
 * meets nothing. Mark 0 is "*", whose stretch is everything.
 *
 * Cost: linear in nodes and codes, and the height for each mark; 17 bytes a node while it works.
 */
#include "audit/link/link.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

#define NONE UINT32_MAX

typedef struct mark_maker {
    const tacit_link_column *column;
    tacit__link_marks *marks;
    uint8_t *released; /* a node each: some record has it */
    uint32_t *before;  /* a node each, and one more: released nodes before it */
    uint32_t *above;   /* a node each: the narrowest released one strictly above it, or NONE */
    uint32_t *point;   /* a node each: the mark of what meets it and all above it, or NONE */
    uint32_t *vague;   /* a node each: the mark of what also meets what is below it, or NONE */
    uint32_t nothing;  /* the mark of what meets nothing, or NONE */
    size_t list_capacity;
} mark_maker;

static tacit_status find_released(mark_maker *m, tacit_error *err)
{
    const tacit_link_column *column = m->column;
    size_t nodes = column->nodes;
    m->released = tacit__alloc_zeroed(nodes, sizeof *m->released);
    m->before = tacit__alloc_array(nodes + 1, sizeof *m->before);
    m->above = tacit__alloc_array(nodes, sizeof *m->above);
    m->point = tacit__alloc_array(nodes, sizeof *m->point);
    m->vague = tacit__alloc_array(nodes, sizeof *m->vague);
    if (!m->released || !m->before || !m->above || !m->point || !m->vague)
        return tacit__nomem(err);
    memset(m->point, 0xff, nodes * sizeof *m->point);
    memset(m->vague, 0xff, nodes * sizeof *m->vague);
    for (uint32_t i = 0; i < column->released_codes; i++)
        m->released[column->released_nodes[i]] = 1;
    m->before[0] = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        uint32_t up = column->parents[node];
        m->before[node + 1] = m->before[node] + m->released[node];
        m->above[node] = node == 0 ? NONE : m->released[up] ? up : m->above[up];
    }
    return TACIT_OK;
}

/* A new mark that meets the released nodes from one upwards, and a stretch. */
static tacit_status add_mark(uint32_t *mark, mark_maker *m, uint32_t node, uint32_t from,
                             uint32_t to, tacit_error *err)
{
    tacit__link_marks *marks = m->marks;
    size_t used = marks->start[marks->count];
    marks->from[marks->count] = from;
    marks->to[marks->count] = to;
    for (; node != NONE; node = m->above[node]) {
        if (!TACIT__RESERVE_ONE(marks->list, m->list_capacity, used))
            return tacit__nomem(err);
        marks->list[used++] = node;
    }
    *mark = marks->count++;
    marks->start[marks->count] = used;
    return TACIT_OK;
}

/* The mark of a value of the register. */
static tacit_status mark_of(uint32_t *mark, mark_maker *m, uint32_t node, tacit_error *err)
{
    uint32_t end = m->column->ends[node];
    bool below = m->before[end] > m->before[node + 1];
    uint32_t held = m->released[node] ? node : m->above[node];
    uint32_t *made = below ? &m->vague[node] : held == NONE ? &m->nothing : &m->point[held];
    m->marks->agrees |= node > 0 && (below || (held != NONE && held > 0));
    tacit_status status = TACIT_OK;
    if (node == 0)
        *made = 0;
    else if (*made == NONE && below)
        status = add_mark(made, m, m->above[node], node, end, err);
    else if (*made == NONE)
        status = add_mark(made, m, held, 0, 0, err);
    *mark = *made;
    return status;
}

static tacit_status make_marks(mark_maker *m, tacit_error *err)
{
    tacit__link_marks *marks = m->marks;
    size_t codes = m->column->known_codes, most = codes + 1;
    marks->of_code = tacit__alloc_array(codes, sizeof *marks->of_code);
    marks->start = tacit__alloc_array(most + 1, sizeof *marks->start);
    marks->from = tacit__alloc_array(most, sizeof *marks->from);
    marks->to = tacit__alloc_array(most, sizeof *marks->to);
    if (!marks->of_code || !marks->start || !marks->from || !marks->to)
        return tacit__nomem(err);
    uint32_t everything;
    marks->start[0] = 0;
    tacit_status status = add_mark(&everything, m, NONE, 0, m->column->nodes, err);
    for (size_t i = 0; i < codes && status == TACIT_OK; i++) {
        uint32_t node = m->column->known_nodes[i];
        marks->unknown |= node == 0;
        status = mark_of(&marks->of_code[i], m, node, err);
    }
    return status;
}

tacit_status tacit__link_marks_init(tacit__link_marks *marks, const tacit_link_column *column,
                                    tacit_error *err)
{
    mark_maker m = {.column = column, .marks = marks, .nothing = NONE};
    tacit_status status = find_released(&m, err);
    if (status == TACIT_OK) {
        marks->says = m.before[column->nodes] > m.released[0];
        status = make_marks(&m, err);
    }
    tacit__free(m.released);
    tacit__free(m.before);
    tacit__free(m.above);
    tacit__free(m.point);
    tacit__free(m.vague);
    return status;
}

void tacit__link_marks_clear(tacit__link_marks *marks)
{
    tacit__free(marks->of_code);
    tacit__free(marks->start);
    tacit__free(marks->list);
    tacit__free(marks->from);
    tacit__free(marks->to);
    *marks = (tacit__link_marks){0};
}
