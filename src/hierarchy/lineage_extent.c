/*
 * lineage_extent.c - what a value of any level holds, for each kind of hierarchy.
 *
 * Numbers and dates hold what lies in them: a value is a stretch of whole numbers, multiples of the
 * finest decimal of the rule for intervals, days of months of equal length for dates. In a
 * hierarchy file the ground values are numbered so that those under any value stand together, and a
 * value is the stretch of its ground values; where two hold the same ones the level decides.
 * A mask is what it keeps, and holds what starts (for masks on the left: ends) so. Without a
 * hierarchy every text is a number of its own.
 *
 * A label is read by its form alone, so labels of any level, from any file, can be compared.
 *
 * Cost: reading a hierarchy file; then a look-up on every level for a label, or its length.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "hierarchy/hierarchy.h"
#include "hierarchy/lineage.h"
#include "hierarchy/written.h"

/* ---- hierarchy files ---- */

/* How many ground values lie under each node, level by level from below. */
static bool count_under_extents(tacit__extents *extents)
{
    const tacit__tree *tree = &extents->tree;
    for (int level = 0; level < tree->level_count; level++) {
        uint32_t count = tree->levels[level].names.count;
        extents->low[level] = tacit__alloc_zeroed(count, sizeof(int64_t));
        extents->under[level] = tacit__alloc_zeroed(count, sizeof(int64_t));
        if (!extents->low[level] || !extents->under[level])
            return false;
        if (level == 0)
            for (uint32_t i = 0; i < count; i++)
                extents->under[0][i] = 1;
        for (uint32_t i = 0; level > 0 && i < tree->levels[level - 1].names.count; i++)
            extents->under[level][tree->levels[level - 1].branches[i].parent] +=
                extents->under[level - 1][i];
    }
    return true;
}

/* Numbers ground values from above: each node takes what is left of its parent's stretch. */
static bool number_ground(tacit__extents *extents)
{
    const tacit__tree *tree = &extents->tree;
    for (int level = tree->level_count - 2; level >= 0; level--) {
        const tacit__tree_level *here = &tree->levels[level];
        uint32_t above = tree->levels[level + 1].names.count;
        int64_t *next = tacit__alloc_array(above, sizeof *next);
        if (!next)
            return false;
        memcpy(next, extents->low[level + 1], above * sizeof *next);
        for (uint32_t i = 0; i < here->names.count; i++) {
            int64_t *from = &next[here->branches[i].parent];
            extents->low[level][i] = *from;
            *from += extents->under[level][i];
        }
        tacit__free(next);
    }
    return true;
}

static tacit_status read_file(tacit__extents *extents, tacit_error *err)
{
    const char *path = extents->spec->path;
    tacit_status status =
        tacit__input_open(&extents->file, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = tacit__rows_init(
            &extents->rows, (tacit_strview){extents->file.bytes, extents->file.len}, path, err);
    extents->tree.file = path;
    if (status == TACIT_OK)
        status = tacit__tree_read(&extents->tree, &extents->rows, err);
    if (status == TACIT_OK && !(count_under_extents(extents) && number_ground(extents)))
        status = tacit__nomem(err);
    return status;
}

/* The lowest level that has the label. A code may stay itself on levels above, where it is its
 * own ancestor, but may not be somebody else's value there. */
static tacit__extent_result in_tree(tacit__hierarchy_extent *out, const tacit__extents *extents,
                                    tacit_strview label)
{
    const tacit__tree *tree = &extents->tree;
    bool found = false;
    uint32_t ancestor = TACIT__NONE;
    for (int level = 0; level < tree->level_count; level++) {
        const tacit__tree_level *here = &tree->levels[level];
        uint32_t node = tacit__names_find(&here->names, label);
        if (found && node != TACIT__NONE && node != ancestor)
            return TACIT__EXTENT_TWICE;
        if (!found && node != TACIT__NONE) {
            int64_t low = extents->low[level][node];
            *out = (tacit__hierarchy_extent){low, low + extents->under[level][node], level, {0}};
            found = true;
            ancestor = node;
        }
        if (found && level + 1 < tree->level_count)
            ancestor = here->branches[ancestor].parent;
    }
    return found ? TACIT__EXTENT_OK : TACIT__EXTENT_UNKNOWN;
}

/* ---- intervals ---- */

static bool read_end(int64_t *out, bool *exact, const tacit__extents *extents, const char *from,
                     const char *to)
{
    tacit_strview text = {from, (size_t)(to - from)};
    return tacit__number_floor(out, exact, text, extents->numbers.scale) == TACIT__NUMBER_OK;
}

/* Both ends of an interval, exact ones. */
static bool read_ends(tacit__hierarchy_extent *out, const tacit__extents *extents,
                      const char *const ends[4])
{
    bool low = false, high = false;
    return read_end(&out->low, &low, extents, ends[0], ends[1]) && low &&
           read_end(&out->high, &high, extents, ends[2], ends[3]) && high;
}

static const char *find(tacit_strview text, size_t from, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = from; i + len <= text.len; i++)
        if (memcmp(text.bytes + i, word, len) == 0)
            return text.bytes + i;
    return NULL;
}

/* `[20.5, 21)`, `-5 to -1`, `20-24`. */
static bool read_interval(tacit__hierarchy_extent *out, const tacit__extents *extents,
                          tacit_strview label)
{
    const char *start = label.bytes, *end = start + label.len, *at;
    if (label.len > 4 && *start == '[' && end[-1] == ')' && (at = find(label, 1, ", ")))
        return read_ends(out, extents, (const char *const[]){start + 1, at, at + 2, end - 1});
    bool whole = ((at = find(label, 1, " to ")) &&
                  read_ends(out, extents, (const char *const[]){start, at, at + 4, end})) ||
                 ((at = find(label, 1, "-")) &&
                  read_ends(out, extents, (const char *const[]){start, at, at + 1, end}));
    out->high++;
    return whole;
}

static tacit__extent_result in_numbers(tacit__hierarchy_extent *out, const tacit__extents *extents,
                                       tacit_strview label)
{
    int64_t number;
    bool exact;
    if (read_end(&number, &exact, extents, label.bytes, label.bytes + label.len)) {
        *out = (tacit__hierarchy_extent){number, number + 1, 0, exact ? (tacit_strview){0} : label};
        return TACIT__EXTENT_OK;
    }
    *out = (tacit__hierarchy_extent){.rank = 1};
    return read_interval(out, extents, label) && out->low < out->high ? TACIT__EXTENT_OK
                                                                      : TACIT__EXTENT_UNKNOWN;
}

/* ---- dates ---- */

/* Days of a year of twelve months of 31: calendars do not matter for what lies in what. */
enum { DAYS = 31, YEAR = 12 * DAYS };

static bool read_year(int64_t *out, const char *digits)
{
    *out = 0;
    for (int i = 0; i < 4; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return false;
        *out = *out * 10 + (digits[i] - '0');
    }
    return true;
}

/* `1965-1969`. */
static bool read_years(tacit__hierarchy_extent *out, tacit_strview label)
{
    int64_t first, last;
    if (label.len != 9 || label.bytes[4] != '-' || !read_year(&first, label.bytes) ||
        !read_year(&last, label.bytes + 5) || first > last)
        return false;
    *out = (tacit__hierarchy_extent){first * YEAR, (last + 1) * YEAR, 1, {0}};
    return true;
}

static tacit__extent_result in_calendar(tacit__hierarchy_extent *out, tacit_strview label,
                                        tacit_date_order order)
{
    tacit__hierarchy_date date;
    if (read_years(out, label))
        return TACIT__EXTENT_OK;
    if (tacit__date_parse(&date, label, order) != TACIT__DATE_OK)
        return TACIT__EXTENT_UNKNOWN;
    int64_t low = (int64_t)date.year * YEAR + (date.month ? (date.month - 1) * DAYS : 0) +
                  (date.day ? date.day - 1 : 0);
    int64_t length = date.day ? 1 : date.month ? DAYS : YEAR;
    *out = (tacit__hierarchy_extent){low, low + length, length > 1, {0}};
    return TACIT__EXTENT_OK;
}

/* ---- masks ---- */

static tacit__extent_result under_mask(tacit__hierarchy_extent *out, const tacit__extents *extents,
                                       tacit_strview label)
{
    size_t stars = 0;
    bool left = extents->spec->mask_left;
    while (stars < label.len && label.bytes[left ? stars : label.len - 1 - stars] == '*')
        stars++;
    *out = (tacit__hierarchy_extent){.rank = stars > 0,
                                     .text = {label.bytes + (left ? stars : 0), label.len - stars}};
    return TACIT__EXTENT_OK;
}

static unsigned char byte_at(tacit_strview text, size_t at, bool left)
{
    return (unsigned char)text.bytes[left ? text.len - 1 - at : at];
}

/* How many bytes two texts share, from the side that masks keep. */
static size_t shared(tacit_strview a, tacit_strview b, bool left)
{
    size_t at = 0;
    while (at < a.len && at < b.len && byte_at(a, at, left) == byte_at(b, at, left))
        at++;
    return at;
}

/* ---- all kinds ---- */

static tacit__extent_result by_itself(tacit__hierarchy_extent *out, tacit__extents *extents,
                                      tacit_strview label)
{
    bool added;
    uint32_t number = tacit__names_add(&extents->others, label, &added);
    *out = (tacit__hierarchy_extent){number, (int64_t)number + 1, 0, {0}};
    return number == TACIT__NONE ? TACIT__EXTENT_NOMEM : TACIT__EXTENT_OK;
}

tacit_status tacit__extents_init(tacit__extents *extents, const tacit_hierarchy_spec *spec,
                                 tacit_error *err)
{
    *extents = (tacit__extents){.spec = spec, .order = spec->order};
    if (spec->kind == TACIT_HIERARCHY_FILE)
        return read_file(extents, err);
    if (spec->kind == TACIT_HIERARCHY_INTERVAL)
        return tacit__interval_check(&extents->numbers, spec, err);
    return TACIT_OK;
}

void tacit__extents_clear(tacit__extents *extents)
{
    for (int level = 0; level < TACIT_MAX_LEVELS; level++) {
        tacit__free(extents->low[level]);
        tacit__free(extents->under[level]);
    }
    tacit__tree_clear(&extents->tree);
    tacit__rows_clear(&extents->rows);
    tacit__input_close(&extents->file);
    tacit__names_clear(&extents->others);
}

tacit__extent_result tacit__extent_of(tacit__hierarchy_extent *out, tacit__extents *extents,
                                      tacit_strview label)
{
    switch (extents->spec->kind) {
    case TACIT_HIERARCHY_FILE: return in_tree(out, extents, label);
    case TACIT_HIERARCHY_INTERVAL: return in_numbers(out, extents, label);
    case TACIT_HIERARCHY_DATE: return in_calendar(out, label, extents->order);
    case TACIT_HIERARCHY_MASK: return under_mask(out, extents, label);
    default: return by_itself(out, extents, label);
    }
}

bool tacit__extents_know_missing(const tacit__extents *extents)
{
    return extents->spec->kind == TACIT_HIERARCHY_FILE &&
           tacit__names_find(&extents->tree.levels[0].names, (tacit_strview){"", 0}) != TACIT__NONE;
}

static int compare_masks(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                         bool left)
{
    size_t at = shared(a->text, b->text, left);
    if (at < a->text.len && at < b->text.len)
        return byte_at(a->text, at, left) < byte_at(b->text, at, left) ? -1 : 1;
    if (a->text.len != b->text.len)
        return a->text.len < b->text.len ? -1 : 1;
    return b->rank - a->rank;
}

static int compare_text(tacit_strview a, tacit_strview b)
{
    size_t len = a.len < b.len ? a.len : b.len;
    int order = len ? memcmp(a.bytes, b.bytes, len) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

int tacit__extent_compare(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                          const tacit_hierarchy_spec *spec)
{
    if (spec->kind == TACIT_HIERARCHY_MASK)
        return compare_masks(a, b, spec->mask_left);
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high > b->high ? -1 : 1;
    return a->rank != b->rank ? b->rank - a->rank : compare_text(a->text, b->text);
}

bool tacit__extent_holds(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                         const tacit_hierarchy_spec *spec)
{
    if (spec->kind == TACIT_HIERARCHY_MASK)
        return a->rank && shared(a->text, b->text, spec->mask_left) == a->text.len;
    return a->rank && b->high <= a->high;
}

bool tacit__extent_overlaps(const tacit__hierarchy_extent *a, const tacit__hierarchy_extent *b,
                            const tacit_hierarchy_spec *spec)
{
    return spec->kind != TACIT_HIERARCHY_MASK && a->rank && b->low < a->high;
}
