/*
 * categories.c - distinct cells of a column, and groups of rows that agree in several.
 *
 * One pass with a hash table over what cells say, which is the same for a number as the file has it
 * and one that was computed; groups are made column by column, from pairs of a group and a code.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/map.h"
#include "techniques/sheet/sheet.h"

/* ---- categories ---- */

/* What a cell says in 64 bits: all of it where it is short, which spares a look at where it stands;
 * else a hash, marked as such, that only says it may be the same. */
static const uint64_t LONG_TEXT = UINT64_C(0xFF) << 56;

static uint64_t key_of(tacit_strview text)
{
    uint64_t key = 0;
    if (text.len >= sizeof key)
        return tacit__hash_bytes(text.bytes, text.len) | LONG_TEXT;
    for (size_t i = 0; i < text.len; i++)
        key = key << 8 | (unsigned char)text.bytes[i];
    return key | (uint64_t)text.len << 56;
}

/* Codes by their keys, 0 being none: not a map (base/map.h), for every row of a column asks, and a
 * key in the slot spares a miss. */
typedef struct slot {
    uint64_t key;
    uint32_t code;
} slot;

typedef struct lookup {
    slot *slots;
    size_t mask;
    size_t capacity; /* codes that there is room for */
} lookup;

static bool lookup_grow(lookup *l, tacit__categories *c)
{
    size_t room = l->capacity ? l->capacity * 2 : 1024, old = l->capacity ? l->mask + 1 : 0;
    slot *slots = tacit__alloc_zeroed(room * 2, sizeof *slots);
    int64_t *firsts = tacit__resize_array(c->firsts, room, sizeof *firsts);
    c->firsts = firsts ? firsts : c->firsts;
    int64_t *sizes = tacit__resize_array(c->sizes, room + 1, sizeof *sizes);
    c->sizes = sizes ? sizes : c->sizes;
    if (!slots || !firsts || !sizes) {
        tacit__free(slots);
        return false;
    }
    l->mask = room * 2 - 1;
    for (size_t i = 0; i < old; i++) {
        size_t at = tacit__mix(l->slots[i].key) & l->mask;
        while (slots[at].key)
            at = (at + 1) & l->mask;
        if (l->slots[i].key)
            slots[at] = l->slots[i];
    }
    tacit__free(l->slots);
    l->slots = slots;
    l->capacity = room;
    return true;
}

typedef struct coding {
    const tacit__sheet *sheet;
    const tacit__sheet_column *column;
    tacit__categories *categories;
    lookup lookup;
    char *texts[2]; /* room for a cell each */
    size_t size;
} coding;

static bool says(const coding *c, uint32_t code, tacit_strview text)
{
    tacit_strview other =
        tacit__cell_text(c->sheet, c->column, c->categories->firsts[code], c->texts[1], c->size);
    return tacit_strview_equal(text, other);
}

static bool code_row(coding *c, int64_t row)
{
    tacit__categories *categories = c->categories;
    tacit_strview text = tacit__cell_text(c->sheet, c->column, row, c->texts[0], c->size);
    if (text.len == 0) {
        categories->codes[row] = UINT32_MAX; /* until their number is known */
        return true;
    }
    if (categories->count == c->lookup.capacity && !lookup_grow(&c->lookup, categories))
        return false;
    uint64_t key = key_of(text);
    slot *slots = c->lookup.slots;
    size_t at = tacit__mix(key) & c->lookup.mask;
    for (; slots[at].key; at = (at + 1) & c->lookup.mask) {
        uint32_t code = slots[at].code;
        if (slots[at].key == key && (key < LONG_TEXT || says(c, code, text))) {
            categories->codes[row] = code;
            categories->sizes[code]++;
            return true;
        }
    }
    uint32_t code = categories->count++;
    slots[at] = (slot){key, code};
    categories->firsts[code] = row;
    categories->sizes[code] = 1;
    categories->codes[row] = code;
    return true;
}

/* Empty cells get the code after the last, and every code its cell. */
static bool finish(coding *c)
{
    tacit__categories *categories = c->categories;
    int64_t empty = 0;
    if (!c->lookup.capacity && !lookup_grow(&c->lookup, categories))
        return false;
    for (int64_t row = 0; row < c->sheet->rows; row++)
        if (categories->codes[row] == UINT32_MAX) {
            categories->codes[row] = categories->count;
            empty++;
        }
    categories->sizes[categories->count] = empty;
    categories->cells = tacit__alloc_array(categories->count, sizeof *categories->cells);
    if (!categories->cells)
        return false;
    for (uint32_t code = 0; code < categories->count; code++)
        categories->cells[code] = tacit__cell_get(c->column, categories->firsts[code]);
    return true;
}

tacit_status tacit__categories_init(tacit__categories *categories, const tacit__sheet *sheet,
                                    int32_t column, tacit_error *err)
{
    coding c = {.sheet = sheet, .column = &sheet->columns[column], .categories = categories};
    *categories = (tacit__categories){0};
    c.size = tacit__sheet_longest(sheet, c.column);
    c.texts[0] = tacit__alloc(c.size);
    c.texts[1] = tacit__alloc(c.size);
    categories->codes = tacit__alloc_array((size_t)sheet->rows, sizeof *categories->codes);
    bool whole = c.texts[0] && c.texts[1] && categories->codes;
    for (int64_t row = 0; whole && row < sheet->rows; row++)
        whole = code_row(&c, row);
    whole = whole && finish(&c);
    tacit__free(c.texts[0]);
    tacit__free(c.texts[1]);
    tacit__free(c.lookup.slots);
    if (whole)
        return TACIT_OK;
    tacit__categories_clear(categories);
    return tacit__nomem(err);
}

void tacit__categories_clear(tacit__categories *categories)
{
    tacit__free(categories->codes);
    tacit__free(categories->firsts);
    tacit__free(categories->cells);
    tacit__free(categories->sizes);
    *categories = (tacit__categories){0};
}

/* ---- groups ---- */

/* Rows group by group, by counting. */
static bool list(tacit__row_groups *groups, int64_t rows)
{
    tacit__free(groups->starts);
    tacit__free(groups->rows);
    groups->starts = tacit__alloc_zeroed((size_t)groups->count + 2, sizeof *groups->starts);
    groups->rows = tacit__alloc_array((size_t)rows, sizeof *groups->rows);
    if (!groups->starts || !groups->rows)
        return false;
    int64_t *next = groups->starts + 1; /* where each group's next row goes, once summed up */
    for (int64_t row = 0; row < rows; row++)
        next[groups->group[row] + 1]++;
    for (uint32_t i = 0; i < groups->count; i++)
        next[i + 1] += next[i];
    for (int64_t row = 0; row < rows; row++)
        groups->rows[next[groups->group[row]]++] = (uint32_t)row;
    return true;
}

tacit_status tacit__row_groups_init(tacit__row_groups *groups, tacit__sheet *sheet,
                                    const int32_t *columns, size_t count, tacit_error *err)
{
    *groups = (tacit__row_groups){.count = sheet->rows > 0};
    tacit_status status = tacit__sheet_load(sheet, columns, count, err);
    if (status != TACIT_OK)
        return status;
    groups->group = tacit__alloc_zeroed((size_t)sheet->rows, sizeof *groups->group);
    if (!groups->group)
        status = tacit__nomem(err);
    for (size_t i = 0; status == TACIT_OK && i < count; i++) {
        tacit__categories categories;
        status = tacit__categories_init(&categories, sheet, columns[i], err);
        if (status == TACIT_OK &&
            !tacit__numbering_pairs(groups->group, &groups->count, categories.codes, sheet->rows))
            status = tacit__nomem(err);
        tacit__categories_clear(&categories);
    }
    if (status == TACIT_OK && !list(groups, sheet->rows))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        tacit__row_groups_clear(groups);
    return status;
}

tacit_status tacit__row_groups_split(tacit__row_groups *groups, const uint32_t *codes, int64_t rows,
                                     tacit_error *err)
{
    return tacit__numbering_pairs(groups->group, &groups->count, codes, rows) && list(groups, rows)
               ? TACIT_OK
               : tacit__nomem(err);
}

void tacit__row_groups_clear(tacit__row_groups *groups)
{
    tacit__free(groups->group);
    tacit__free(groups->starts);
    tacit__free(groups->rows);
    *groups = (tacit__row_groups){0};
}
