/*
 * list.c - a hierarchy as a list of two columns, code and parent.
 *
 * A root has an empty parent, or is a parent that is never a code. Codes that
 * are nobody's parent are the ground values; those above the deepest stay
 * themselves on the levels that their branch does not have. A row with an
 * empty code says what missing generalizes to. The order of rows is free.
 *
 * A file of two columns may also be values, each with its one ancestor
 * (`Male;*`). It is a list if its first row is `code,parent` in any case, or
 * if its second column holds several values and one of them is also in the
 * first column. In all other cases both readings agree, or both are errors.
 *
 * Numbering the names, finding cycles and depths are each linear in the file.
 */
#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"
#include "hierarchy/tree.h"

enum { UNKNOWN = -1, WALKING = -2 }; /* depths not found yet */

typedef struct list {
    tacit__names names;
    tacit__hierarchy_entry *entries; /* a name each */
    bool *given;                     /* whether the name has a row of its own */
    size_t entry_capacity, given_capacity;
} list;

static bool is_header(const tacit__rows *rows)
{
    return rows->count == 2 && rows->fields[0].len == 4 && rows->fields[1].len == 6 &&
           tacit__spells(rows->fields[0].bytes, "code", 4) &&
           tacit__spells(rows->fields[1].bytes, "parent", 6);
}

/* The entry of a name, a new one where it is new; TACIT__NONE: out of memory. */
static uint32_t entry_of(list *to, tacit_strview name, int64_t line)
{
    bool added;
    uint32_t id = tacit__names_add(&to->names, name, &added);
    if (id == TACIT__NONE || !added)
        return id;
    if (!TACIT__RESERVE_ONE(to->entries, to->entry_capacity, id) ||
        !TACIT__RESERVE_ONE(to->given, to->given_capacity, id))
        return TACIT__NONE;
    to->entries[id] = (tacit__hierarchy_entry){
        .label = name, .parent = TACIT__NONE, .line = (uint32_t)line, .depth = UNKNOWN};
    to->given[id] = false;
    return id;
}

static tacit_status two_parents(const list *of, uint32_t code, const tacit__rows *rows,
                                tacit_error *err)
{
    const tacit__hierarchy_entry *entry = &of->entries[code];
    tacit_strview former = {"", 0};
    if (entry->parent != TACIT__NONE)
        former = of->entries[entry->parent].label;
    tacit__shown value = tacit__show(entry->label), first = tacit__show(former),
                 second = tacit__show(rows->fields[1]);
    return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                           "\"%s\" has two parents, \"%s\" (line %u) and \"%s\"; keep one of them",
                           value.text, first.text, entry->line, second.text);
}

static tacit_status add_row(list *to, const tacit__rows *rows, tacit_error *err)
{
    tacit_strview code_name = rows->fields[0], parent_name = rows->fields[1];
    if (rows->count != 2)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "a list of code and parent has 2 fields a row, this row has %d",
                               rows->count);
    if (!code_name.len && !parent_name.len)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "both code and parent are empty; remove the row");
    uint32_t code = entry_of(to, code_name, rows->line);
    uint32_t parent = TACIT__NONE;
    if (code == TACIT__NONE)
        return tacit__nomem(err);
    if (parent_name.len) {
        parent = entry_of(to, parent_name, rows->line);
        if (parent == TACIT__NONE)
            return tacit__nomem(err);
        to->entries[parent].inner = true;
    }
    if (to->given[code] && to->entries[code].parent != parent)
        return two_parents(to, code, rows, err);
    if (!to->given[code])
        to->entries[code].line = (uint32_t)rows->line;
    to->given[code] = true;
    to->entries[code].parent = parent;
    return TACIT_OK;
}

/* Notes in which columns the names of a row stand; false: out of memory. */
static bool note_row(list *to, const tacit__rows *rows)
{
    uint32_t code = entry_of(to, rows->fields[0], rows->line);
    uint32_t parent = code == TACIT__NONE ? code : entry_of(to, rows->fields[1], rows->line);
    if (parent == TACIT__NONE)
        return false;
    to->given[code] = true;
    to->entries[parent].inner = true;
    return true;
}

/* Whether the second column holds several values, one of them also a code. */
static bool says_parents(const list *of)
{
    uint32_t parents = 0, codes_too = 0;
    for (uint32_t i = 0; i < of->names.count; i++) {
        parents += of->entries[i].inner;
        codes_too += of->entries[i].inner && of->given[i] && of->entries[i].label.len;
    }
    return parents > 1 && codes_too;
}

static tacit_status cycle(const list *of, uint32_t at, const char *file, tacit_error *err)
{
    const tacit__hierarchy_entry *entry = &of->entries[at];
    tacit__shown value = tacit__show(entry->label),
                 parent = tacit__show(of->entries[entry->parent].label);
    return tacit__error_at(
        err, TACIT_PARSE, file, entry->line, 0,
        "a cycle: \"%s\" is its own ancestor through its parent \"%s\"; give one "
        "of them another parent",
        value.text, parent.text);
}

/* Walks up from every entry to one of known depth, twice: marking, then
 * counting down. Every entry is marked once. */
static tacit_status find_depths(list *of, const char *file, tacit_error *err)
{
    tacit__hierarchy_entry *entries = of->entries;
    for (uint32_t i = 0; i < of->names.count; i++) {
        int32_t steps = 0;
        uint32_t at = i;
        for (; at != TACIT__NONE && entries[at].depth == UNKNOWN; at = entries[at].parent) {
            entries[at].depth = WALKING;
            steps++;
        }
        if (at != TACIT__NONE && entries[at].depth == WALKING)
            return cycle(of, at, file, err);
        int32_t depth = at == TACIT__NONE ? -1 : entries[at].depth;
        for (at = i; steps > 0; at = entries[at].parent)
            entries[at].depth = depth + steps--;
    }
    return TACIT_OK;
}

static void clear(list *of)
{
    tacit__names_clear(&of->names);
    tacit__free(of->entries);
    tacit__free(of->given);
}

tacit_status tacit__list_recognize(bool *out, tacit__rows *rows, tacit_error *err)
{
    list of = {0};
    bool header = false;
    tacit_status status;
    for (bool first = true; (status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count;
         first = false) {
        header = first && is_header(rows);
        if (header || rows->count != 2)
            break; /* whoever reads the rows reports those of another length */
        if (!note_row(&of, rows)) {
            status = tacit__nomem(err);
            break;
        }
    }
    if (status == TACIT_OK)
        *out = header || says_parents(&of);
    clear(&of);
    return status;
}

tacit_status tacit__list_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    list of = {0};
    tacit_status status;
    for (bool first = true; (status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count;
         first = false) {
        if (first && is_header(rows))
            continue;
        if ((status = add_row(&of, rows, err)) != TACIT_OK)
            break;
    }
    if (status == TACIT_OK && !of.names.count)
        status = tacit__error_at(err, TACIT_PARSE, rows->file, 1, 0,
                                 "the hierarchy is empty; write a code and its parent a row");
    if (status == TACIT_OK)
        status = find_depths(&of, rows->file, err);
    if (status == TACIT_OK)
        status = tacit__tree_add_entries(tree, of.entries, of.names.count, (tacit_strview){NULL, 0},
                                         err);
    clear(&of);
    return status;
}
