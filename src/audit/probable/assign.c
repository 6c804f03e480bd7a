/*
 * assign.c - rows and columns linked one to one with the largest sum of gains.
 *
 * Shortest augmenting paths with potentials (R. Jonker and A. Volgenant, A shortest augmenting path
 * algorithm for dense and sparse linear assignment problems, Computing 38, 1987) on a sparse graph.
 * Every row has a column of its own besides, which gains nothing: to be left alone. Rows come in
 * one after the other; a search like Dijkstra's finds the cheapest way to make room. Ties go to the
 * smaller column, so that the result follows from the input.
 *
 * Costs at most rows (edges + rows) log (edges), and far less where edges are few; memory is
 * linear.
 */
#include <math.h>

#include "audit/probable/probable.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/vector.h"

typedef struct reached {
    double distance;
    uint32_t column;
} reached;

typedef struct matching {
    const size_t *starts;
    const tacit_assignment_edge *edges;
    uint32_t rows, columns; /* columns of rows of their own come behind `columns` */
    double *row_price, *column_price;
    uint32_t *row_of; /* a column each, TACIT_LINK_NOBODY: free */
    uint32_t *column_of;
    /* of a search */
    double *distance;  /* a column each; infinite: not reached */
    uint32_t *from;    /* a column each: the row that it was reached from */
    bool *settled;     /* a column each */
    uint32_t *touched; /* columns that were reached */
    size_t touched_count, touched_capacity;
    reached *heap;
    size_t heap_count, heap_capacity;
} matching;

static bool is_sooner(const void *a, const void *b)
{
    const reached *x = a, *y = b;
    return x->distance < y->distance || (x->distance == y->distance && x->column < y->column);
}

static bool reach(matching *m, uint32_t row, uint32_t column, double distance)
{
    if (m->settled[column] || distance >= m->distance[column])
        return true;
    if (isinf(m->distance[column]) &&
        !TACIT__PUSH(m->touched, m->touched_capacity, m->touched_count, column))
        return false;
    if (!TACIT__RESERVE_ONE(m->heap, m->heap_capacity, m->heap_count))
        return false;
    m->distance[column] = distance;
    m->from[column] = row;
    tacit__heap_push(m->heap, &m->heap_count, &(reached){distance, column}, sizeof *m->heap,
                     is_sooner);
    return true;
}

/* What an edge costs beyond the prices, which is never less than nothing but for rounding. */
static double reduced(const matching *m, uint32_t row, uint32_t column, double gain)
{
    double cost = -gain - m->row_price[row] - m->column_price[column];
    return cost > 0 ? cost : 0;
}

static bool reach_from(matching *m, uint32_t row, double distance)
{
    bool fine = reach(m, row, m->columns + row, distance + reduced(m, row, m->columns + row, 0));
    for (size_t e = m->starts[row]; fine && e < m->starts[row + 1]; e++)
        fine = reach(m, row, m->edges[e].column,
                     distance + reduced(m, row, m->edges[e].column, m->edges[e].gain));
    return fine;
}

/* The first price of a row: none of its edges is cheaper. */
static void price_row(matching *m, uint32_t row)
{
    double least = -m->column_price[m->columns + row];
    for (size_t e = m->starts[row]; e < m->starts[row + 1]; e++) {
        double cost = -m->edges[e].gain - m->column_price[m->edges[e].column];
        least = cost < least ? cost : least;
    }
    m->row_price[row] = least;
}

/* The free column that is reached first, or TACIT_LINK_NOBODY when out of memory. */
static uint32_t search_free(matching *m, uint32_t row)
{
    reached next;
    if (!reach_from(m, row, 0))
        return TACIT_LINK_NOBODY;
    for (;;) {
        tacit__heap_pop(&next, m->heap, &m->heap_count, sizeof *m->heap, is_sooner);
        if (m->settled[next.column])
            continue;
        m->settled[next.column] = true;
        if (m->row_of[next.column] == TACIT_LINK_NOBODY)
            return next.column;
        if (!reach_from(m, m->row_of[next.column], next.distance))
            return TACIT_LINK_NOBODY;
    }
}

static void update_prices(matching *m, uint32_t row, double end)
{
    m->row_price[row] += end;
    for (size_t i = 0; i < m->touched_count; i++) {
        uint32_t column = m->touched[i];
        if (m->settled[column] && m->row_of[column] != TACIT_LINK_NOBODY) {
            m->row_price[m->row_of[column]] += end - m->distance[column];
            m->column_price[column] -= end - m->distance[column];
        }
    }
}

static void forget_search(matching *m)
{
    for (size_t i = 0; i < m->touched_count; i++) {
        m->distance[m->touched[i]] = INFINITY;
        m->settled[m->touched[i]] = false;
    }
    m->touched_count = m->heap_count = 0;
}

static bool add_row(matching *m, uint32_t row)
{
    price_row(m, row);
    uint32_t column = search_free(m, row);
    if (column == TACIT_LINK_NOBODY)
        return false;
    update_prices(m, row, m->distance[column]);
    for (uint32_t left = column, by; column != TACIT_LINK_NOBODY; column = left) {
        by = m->from[column];
        left = m->column_of[by];
        m->row_of[column] = by;
        m->column_of[by] = column;
        if (by == row)
            break;
    }
    forget_search(m);
    return true;
}

static tacit_status matching_init(matching *m, tacit_error *err)
{
    size_t all = (size_t)m->columns + m->rows, rows = (size_t)m->rows + 1;
    m->row_price = tacit__alloc_zeroed(rows, sizeof *m->row_price);
    m->column_of = tacit__alloc_array(rows, sizeof *m->column_of);
    m->column_price = tacit__alloc_zeroed(all + 1, sizeof *m->column_price);
    m->row_of = tacit__alloc_array(all + 1, sizeof *m->row_of);
    m->distance = tacit__alloc_array(all + 1, sizeof *m->distance);
    m->from = tacit__alloc_array(all + 1, sizeof *m->from);
    m->settled = tacit__alloc_zeroed(all + 1, sizeof *m->settled);
    if (!m->row_price || !m->column_of || !m->column_price || !m->row_of || !m->distance ||
        !m->from || !m->settled)
        return tacit__nomem(err);
    for (size_t i = 0; i < all; i++) {
        m->row_of[i] = TACIT_LINK_NOBODY;
        m->distance[i] = INFINITY;
    }
    for (uint32_t i = 0; i < m->rows; i++)
        m->column_of[i] = TACIT_LINK_NOBODY;
    return TACIT_OK;
}

static void matching_clear(matching *m)
{
    tacit__free(m->row_price);
    tacit__free(m->column_of);
    tacit__free(m->column_price);
    tacit__free(m->row_of);
    tacit__free(m->distance);
    tacit__free(m->from);
    tacit__free(m->settled);
    tacit__free(m->touched);
    tacit__free(m->heap);
}

tacit_status tacit_assignment_best(uint32_t *match, const size_t *starts,
                                   const tacit_assignment_edge *edges, uint32_t rows,
                                   uint32_t columns, tacit_error *err)
{
    matching m = {.starts = starts, .edges = edges, .rows = rows, .columns = columns};
    tacit_status status = matching_init(&m, err);
    for (uint32_t row = 0; row < rows && status == TACIT_OK; row++)
        if (!add_row(&m, row))
            status = tacit__nomem(err);
    for (uint32_t row = 0; row < rows && status == TACIT_OK; row++)
        match[row] = m.column_of[row] < columns ? m.column_of[row] : TACIT_LINK_NOBODY;
    matching_clear(&m);
    return status;
}
