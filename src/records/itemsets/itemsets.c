/*
 * itemsets.c - km-anonymity of set-valued columns, class by class: the rows of each class are put
 * together, those of one person next to each other, their items are placed (place.c), and their
 * cells are written anew.
 *
 * Nothing a class does depends on another, so that each has what its own rows allow. A class whose
 * rows are of fewer than k people has all its items left out.
 *
 * Cost: a sort of the rows, 12 bytes a row and column beside the new cells, and what placing costs.
 */
#include "records/itemsets/itemsets.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/strbuf.h"
#include "base/vector.h"

/* Combinations that are looked at, at most: minutes, some times over. */
static const double MAX_COMBINATIONS = 1e10;

/* A column's new cells in the making. */
typedef struct cells_made {
    tacit__strbuf text;
    size_t *ends; /* a label each, in the text */
    size_t count, capacity;
    uint32_t *label_of; /* a code each, where its stamp is the class in hand */
    uint32_t *stamp;
} cells_made;

typedef struct protection {
    const tacit_itemsets *asked;
    const tacit_run *run;
    tacit__item_world world;
    uint32_t *rank;  /* a node each: the place of its label among all, the same for the same */
    uint32_t *image; /* a node each */
    uint64_t *order; /* rows by class and person: person, row */
    int64_t *class_start;
    tacit__item_rows rows; /* of the class in hand */
    size_t start_capacity, item_capacity, who_capacity;
    tacit__placing *placing;
    cells_made *made; /* a column each */
    uint32_t *shown;  /* ranks of a cell */
    size_t shown_capacity;
    uint32_t *ranked; /* rank -> node */
    tacit_itemset_release *release;
} protection;

/* ---- rows by class ---- */

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static tacit_status order_rows(protection *p, tacit_error *err)
{
    const tacit_itemsets *asked = p->asked;
    int64_t rows = tacit_table_rows(asked->table);
    p->class_start = tacit__alloc_zeroed((size_t)asked->class_count + 2, sizeof *p->class_start);
    p->order = tacit__alloc_array((size_t)rows + 1, sizeof *p->order);
    if (!p->class_start || !p->order)
        return tacit__nomem(err);
    for (int64_t row = 0; row < rows; row++)
        if (asked->class_of[row] != TACIT_ITEMSETS_NO_CLASS)
            p->class_start[asked->class_of[row] + 2]++;
    for (uint32_t c = 2; c < asked->class_count + 1; c++)
        p->class_start[c + 1] += p->class_start[c];
    tacit_codes_view people = {0};
    if (asked->person >= 0)
        people = tacit_table_codes(asked->table, asked->person);
    for (int64_t row = 0; row < rows; row++) {
        uint64_t who = asked->person >= 0 ? tacit_codes_at(people, row) : (uint32_t)row;
        if (asked->class_of[row] != TACIT_ITEMSETS_NO_CLASS)
            p->order[p->class_start[asked->class_of[row] + 1]++] = who << 32 | (uint64_t)row;
    }
    for (uint32_t c = 0; c < asked->class_count && asked->person >= 0; c++)
        qsort(p->order + p->class_start[c], (size_t)(p->class_start[c + 1] - p->class_start[c]),
              sizeof *p->order, by_number);
    return TACIT_OK;
}

static uint32_t code_at(const protection *p, int32_t column, int64_t at)
{
    int32_t source = p->asked->columns[column].column;
    return tacit_codes_at(tacit_table_codes(p->asked->table, source),
                          (int64_t)(uint32_t)p->order[at]);
}

/* The sets of a class, of all columns together. */
static tacit_status gather_class(protection *p, uint32_t class, tacit_error *err)
{
    int64_t from = p->class_start[class], count = p->class_start[class + 1] - from;
    size_t used = 0;
    if (!TACIT__RESERVE(p->rows.start, p->start_capacity, count + 1) ||
        !TACIT__RESERVE(p->rows.who, p->who_capacity, count + 1))
        return tacit__nomem(err);
    for (int64_t i = 0; i < count; i++) {
        p->rows.start[i] = used;
        p->rows.who[i] = (uint32_t)(p->order[from + i] >> 32);
        for (int32_t c = 0; c < p->asked->column_count; c++) {
            const tacit__item_column *column = &p->world.columns[c];
            uint32_t code = code_at(p, c, from + i);
            size_t many = column->start[code + 1] - column->start[code];
            if (!TACIT__RESERVE(p->rows.items, p->item_capacity, used + many + 1))
                return tacit__nomem(err);
            memcpy(p->rows.items + used, column->items + column->start[code],
                   many * sizeof *p->rows.items);
            used += many;
        }
    }
    p->rows.start[count] = used;
    p->rows.count = count;
    p->rows.before = from;
    p->rows.all = p->class_start[p->asked->class_count];
    return TACIT_OK;
}

/* ---- how much there is to do ---- */

static double combinations(size_t items, int m)
{
    double all = 0, of_size = 1;
    for (int i = 1; i <= m && (size_t)i <= items; i++) {
        of_size *= (double)(items - (size_t)i + 1) / i;
        all += of_size;
    }
    return all;
}

static tacit_status check_size(const protection *p, tacit_error *err)
{
    double all = 0;
    size_t most = 0;
    for (int64_t at = 0; at < p->class_start[p->asked->class_count]; at++) {
        size_t items = 0;
        for (int32_t c = 0; c < p->asked->column_count; c++) {
            uint32_t code = code_at(p, c, at);
            items += p->world.columns[c].start[code + 1] - p->world.columns[c].start[code];
        }
        all += combinations(items, p->asked->m);
        most = items > most ? items : most;
    }
    if (all <= MAX_COMBINATIONS)
        return TACIT_OK;
    return tacit__error(err, TACIT_LIMIT,
                        "km: the sets have about %.2g combinations of up to %d items (the largest "
                        "has %zu items), more than the %.0g that are looked at: take a smaller km, "
                        "or shorten the longest sets",
                        all, p->asked->m, most, MAX_COMBINATIONS);
}

/* ---- cells ---- */

typedef struct named {
    tacit_strview label;
    uint32_t node;
} named;

static int by_label(const void *a, const void *b)
{
    const named *x = a, *y = b;
    size_t len = x->label.len < y->label.len ? x->label.len : y->label.len;
    int order = len > 0 ? memcmp(x->label.bytes, y->label.bytes, len) : 0;
    if (order)
        return order;
    if (x->label.len != y->label.len)
        return x->label.len < y->label.len ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static tacit_status rank_labels(protection *p, tacit_error *err)
{
    size_t nodes = p->world.count;
    named *sorted = tacit__alloc_array(nodes + 1, sizeof *sorted);
    p->rank = tacit__alloc_array(nodes + 1, sizeof *p->rank);
    p->ranked = tacit__alloc_array(nodes + 1, sizeof *p->ranked);
    p->image = tacit__alloc_array(nodes + 1, sizeof *p->image);
    if (!sorted || !p->rank || !p->ranked || !p->image) {
        tacit__free(sorted);
        return tacit__nomem(err);
    }
    for (uint32_t i = 0; i < nodes; i++)
        sorted[i] = (named){p->world.labels[i], i};
    qsort(sorted, nodes, sizeof *sorted, by_label);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < nodes; i++) {
        if (i > 0 && !tacit_strview_equal(sorted[i].label, sorted[i - 1].label))
            rank++;
        p->rank[sorted[i].node] = rank;
        p->ranked[rank] = sorted[i].node;
    }
    tacit__free(sorted);
    return TACIT_OK;
}

static int by_rank(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The label of a cell of the class in hand, behind all others. */
static tacit_status write_cell(protection *p, int32_t at, uint32_t code, tacit_error *err)
{
    const tacit__item_column *column = &p->world.columns[at];
    cells_made *made = &p->made[at];
    size_t from = column->start[code], to = column->start[code + 1], count = 0;
    if (!TACIT__RESERVE(p->shown, p->shown_capacity, to - from + 1))
        return tacit__nomem(err);
    for (size_t i = from; i < to; i++)
        if (p->image[column->items[i]] != TACIT__NO_NODE)
            p->shown[count++] = p->rank[p->image[column->items[i]]];
    qsort(p->shown, count, sizeof *p->shown, by_rank);
    for (size_t i = 0; i < count; i++) {
        tacit_strview label = p->world.labels[p->ranked[p->shown[i]]];
        if (i > 0 && p->shown[i] == p->shown[i - 1])
            continue;
        if (i > 0)
            tacit__strbuf_text(&made->text, p->asked->columns[at].separator);
        tacit__strbuf_add(&made->text, label.bytes, label.len);
    }
    if (made->text.failed || !TACIT__PUSH(made->ends, made->capacity, made->count, made->text.len))
        return tacit__nomem(err);
    return TACIT_OK;
}

static void count_losses(protection *p, int32_t at, uint32_t code)
{
    const tacit__item_column *column = &p->world.columns[at];
    tacit_itemset_loss *loss = &p->release->columns[at].loss;
    for (size_t i = column->start[code]; i < column->start[code + 1]; i++) {
        uint32_t node = p->image[column->items[i]];
        loss->items++;
        loss->left_out += node == TACIT__NO_NODE;
        loss->generalized += node != TACIT__NO_NODE && node != column->items[i];
        loss->loss += node == TACIT__NO_NODE ? 1 : p->world.loss[node];
    }
}

static tacit_status write_class(protection *p, uint32_t class, tacit_error *err)
{
    for (int64_t i = p->class_start[class]; i < p->class_start[class + 1]; i++)
        for (int32_t c = 0; c < p->asked->column_count; c++) {
            cells_made *made = &p->made[c];
            uint32_t code = code_at(p, c, i);
            if (made->stamp[code] != class + 1) {
                made->stamp[code] = class + 1;
                made->label_of[code] = (uint32_t)made->count;
                tacit_status status = write_cell(p, c, code, err);
                if (status != TACIT_OK)
                    return status;
            }
            p->release->columns[c].codes[(uint32_t)p->order[i]] = made->label_of[code];
            count_losses(p, c, code);
        }
    return TACIT_OK;
}

/* The first label is that of rows that are left out. The text is there even if nothing is in it: a
 * label without would leave a cell as it was. */
static tacit_status begin_cells(protection *p, tacit_error *err)
{
    size_t rows = (size_t)tacit_table_rows(p->asked->table);
    p->made = tacit__alloc_zeroed((size_t)p->asked->column_count + 1, sizeof *p->made);
    if (!p->made)
        return tacit__nomem(err);
    for (int32_t c = 0; c < p->asked->column_count; c++) {
        size_t codes =
            (size_t)tacit_table_distinct(p->asked->table, p->asked->columns[c].column) + 1;
        cells_made *made = &p->made[c];
        made->label_of = tacit__alloc_zeroed(codes, sizeof *made->label_of);
        made->stamp = tacit__alloc_zeroed(codes, sizeof *made->stamp);
        p->release->columns[c].codes = tacit__alloc_zeroed(rows + 1, sizeof(uint32_t));
        tacit__strbuf_text(&made->text, "");
        if (!made->label_of || !made->stamp || made->text.failed || !p->release->columns[c].codes ||
            !TACIT__PUSH(made->ends, made->capacity, made->count, 0))
            return tacit__nomem(err);
    }
    return TACIT_OK;
}

static tacit_status end_cells(protection *p, tacit_error *err)
{
    for (int32_t c = 0; c < p->asked->column_count; c++) {
        cells_made *made = &p->made[c];
        tacit_itemset_cells *cells = &p->release->columns[c];
        cells->labels = tacit__alloc_array(made->count, sizeof *cells->labels);
        if (!cells->labels)
            return tacit__nomem(err);
        for (size_t i = 0; i < made->count; i++) {
            size_t from = i > 0 ? made->ends[i - 1] : 0;
            cells->labels[i] = (tacit_strview){made->text.bytes + from, made->ends[i] - from};
        }
        cells->label_count = (uint32_t)made->count;
        cells->text = made->text.bytes;
        made->text = (tacit__strbuf){0};
        cells->loss.distinct = p->world.columns[c].count;
        if (cells->loss.items > 0)
            cells->loss.loss /= (double)cells->loss.items;
    }
    return TACIT_OK;
}

/* ---- all together ---- */

static tacit_status protect_class(protection *p, uint32_t class, tacit_error *err)
{
    tacit_status status = gather_class(p, class, err);
    if (status == TACIT_OK)
        status = tacit__items_place(p->image, p->placing, &p->rows, err);
    if (status == TACIT_OK)
        status = write_class(p, class, err);
    if (status == TACIT_OK)
        status = tacit__progress(p->run, "generalizing sets", p->class_start[class + 1],
                                 p->class_start[p->asked->class_count], err);
    return status;
}

static tacit_status protect(protection *p, tacit_error *err)
{
    tacit_status status = tacit__items_init(&p->world, p->asked, p->run, err);
    if (status == TACIT_OK)
        status = order_rows(p, err);
    if (status == TACIT_OK)
        status = check_size(p, err);
    if (status == TACIT_OK)
        status = rank_labels(p, err);
    if (status == TACIT_OK)
        status = begin_cells(p, err);
    if (status == TACIT_OK)
        status = tacit__placing_new(&p->placing, &p->world, p->run, err);
    for (uint32_t c = 0; c < p->asked->class_count && status == TACIT_OK; c++)
        status = protect_class(p, c, err);
    return status == TACIT_OK ? end_cells(p, err) : status;
}

static void clear(protection *p)
{
    for (int32_t c = 0; p->made && c < p->asked->column_count; c++) {
        tacit__strbuf_clear(&p->made[c].text);
        tacit__free(p->made[c].ends);
        tacit__free(p->made[c].label_of);
        tacit__free(p->made[c].stamp);
    }
    tacit__free(p->made);
    tacit__placing_free(p->placing);
    tacit__items_clear(&p->world);
    tacit__free(p->rank);
    tacit__free(p->ranked);
    tacit__free(p->image);
    tacit__free(p->order);
    tacit__free(p->class_start);
    tacit__free(p->rows.start);
    tacit__free(p->rows.items);
    tacit__free(p->rows.who);
    tacit__free(p->shown);
    tacit_itemset_release_free(p->release);
}

static tacit_itemset_release *release_new(int32_t columns)
{
    tacit_itemset_release *release = tacit__alloc_zeroed(1, sizeof *release);
    if (!release)
        return NULL;
    release->column_count = columns;
    release->columns = tacit__alloc_zeroed((size_t)columns + 1, sizeof *release->columns);
    if (!release->columns) {
        tacit__free(release);
        return NULL;
    }
    return release;
}

tacit_status tacit_itemsets_protect(tacit_itemset_release **out, const tacit_itemsets *itemsets,
                                    const tacit_run *run, tacit_error *err)
{
    assert(out && itemsets && itemsets->table && itemsets->k >= 1 && itemsets->m >= 1);
    protection p = {.asked = itemsets, .run = run, .release = release_new(itemsets->column_count)};
    tacit_status status = p.release ? protect(&p, err) : tacit__nomem(err);
    if (status == TACIT_OK) {
        *out = p.release;
        p.release = NULL;
    }
    clear(&p);
    return status;
}

void tacit_itemset_release_free(tacit_itemset_release *release)
{
    if (!release)
        return;
    for (int32_t c = 0; c < release->column_count; c++) {
        tacit__free(release->columns[c].codes);
        tacit__free(release->columns[c].labels);
        tacit__free(release->columns[c].text);
    }
    tacit__free(release->columns);
    tacit__free(release);
}
