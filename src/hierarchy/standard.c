/*
 * standard.c - hierarchies of classifications that ship with the library (data/hierarchies):
 * ICD-10, ISCO-08, ISCED 2011, NACE Rev. 2, NUTS, the states of the USA, ages.
 *
 * A classification is a tree of entries, and codes that lie below the deepest ones. Its text has a
 * line for each fact:
 *   standard NAME         begins it
 *   title, levels         for people
 *   forms F...            how codes are written: A a letter, 9 a digit, X either, any else itself;
 *                         without forms, any text
 *   prefixes N...         levels between a code and the entries: its first N characters
 *   dot N                 how those are written: a point behind N characters
 *   key N                 entries hold codes by their first N characters
 *   marks                 the first word of an entry's label stands for it: `J` for a section
 *   @LABEL [= CODES]      an entry, as deep as it has @; the deepest hold CODES, single ones or
 *                         ranges FROM-TO, in place of which the label stands if there are none
 * Lines that start with # say where it comes from.
 *
 * A value is a code, or the label of an entry. Letters count in either case, points are passed
 * over. A code that is shorter than others stays itself up to its own level. What is no code of the
 * classification is unknown: nothing is guessed. Codes are compared by length, then by their
 * characters, so a range of numbers is one too. A value costs a comparison with each range.
 */
#include "hierarchy/standard.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

extern const char tacit__standards_list[];

enum { MAX_CODE = 32 };

static bool standard_is(tacit_strview text, const char *word)
{
    return tacit_strview_equal(text, tacit_strview_of(word));
}

/* ---- reading ---- */

/* What stands before a separator, without blanks around it; *rest goes behind it. */
static tacit_strview take(tacit_strview *rest, char separator)
{
    const char *at = rest->len ? memchr(rest->bytes, separator, rest->len) : NULL;
    size_t len = at ? (size_t)(at - rest->bytes) : rest->len;
    tacit_strview part = {rest->bytes, len};
    rest->bytes += at ? len + 1 : len;
    rest->len -= at ? len + 1 : len;
    while (part.len && part.bytes[0] == ' ')
        part.bytes++, part.len--;
    while (part.len && part.bytes[part.len - 1] == ' ')
        part.len--;
    return part;
}

static size_t small_number(tacit_strview text)
{
    size_t number = 0;
    for (size_t i = 0; i < text.len; i++)
        number = number * 10 + (size_t)(text.bytes[i] - '0');
    return number;
}

static bool add_standard_entry(tacit__standard *to, tacit_strview line)
{
    tacit__standard_entry entry = {.parent = TACIT__NONE};
    while (line.len && line.bytes[0] == '@')
        line.bytes++, line.len--, entry.depth++;
    entry.label = take(&line, '=');
    entry.codes = line.len ? line : entry.label;
    for (uint32_t i = to->count; i > 0 && entry.parent == TACIT__NONE; i--)
        if (to->entries[i - 1].depth < entry.depth)
            entry.parent = i - 1;
    to->depth = entry.depth > to->depth ? entry.depth : to->depth;
    return TACIT__PUSH(to->entries, to->capacity, to->count, entry);
}

static bool read_fact(tacit__standard *to, tacit_strview line)
{
    if (line.len && line.bytes[0] == '@')
        return add_standard_entry(to, line);
    tacit_strview word = take(&line, ' ');
    if (standard_is(word, "title"))
        to->title = line;
    else if (standard_is(word, "levels"))
        to->levels = line;
    else if (standard_is(word, "forms"))
        to->forms = line;
    else if (standard_is(word, "dot"))
        to->dot = small_number(line);
    else if (standard_is(word, "key"))
        to->key = small_number(line);
    else if (standard_is(word, "marks"))
        to->marks = true;
    while (standard_is(word, "prefixes") && line.len && to->prefix_count < TACIT__MAX_PREFIXES)
        to->prefixes[to->prefix_count++] = small_number(take(&line, ' '));
    return true;
}

/* The names of the classifications, from 0 on; empty: there are no more. *rest goes behind it. */
static tacit_strview next_standard(tacit_strview *rest)
{
    while (rest->len) {
        tacit_strview line = take(rest, '\n');
        if (standard_is(take(&line, ' '), "standard"))
            return line;
    }
    return (tacit_strview){"", 0};
}

static tacit_status no_standard(tacit_strview name, tacit_error *err)
{
    char names[256] = "";
    size_t used = 0;
    tacit_strview rest = tacit_strview_of(tacit__standards_list), each;
    while ((each = next_standard(&rest)).len && used + each.len + 3 < sizeof names) {
        memcpy(names + used, used ? ", " : "", used ? 2 : 0);
        used += used ? 2 : 0;
        memcpy(names + used, each.bytes, each.len);
        used += each.len;
        names[used] = '\0';
    }
    return tacit__error(err, TACIT_INVALID, "there is no standard hierarchy \"%s\"; there are %s",
                        tacit__show(name).text, names);
}

tacit_status tacit__standard_open(tacit__standard *standard, tacit_strview name, tacit_error *err)
{
    *standard = (tacit__standard){0};
    tacit_strview rest = tacit_strview_of(tacit__standards_list), each;
    do {
        each = next_standard(&rest);
        if (!each.len)
            return no_standard(name, err);
    } while (!tacit_strview_equal(each, name));
    standard->name = each;
    while (rest.len && strncmp(rest.bytes, "standard ", 9) != 0)
        if (!read_fact(standard, take(&rest, '\n')))
            return tacit__nomem(err);
    return TACIT_OK;
}

void tacit__standard_close(tacit__standard *standard)
{
    tacit__free(standard->entries);
    *standard = (tacit__standard){0};
}

int tacit__standard_height(const tacit__standard *standard)
{
    return 1 + standard->prefix_count + standard->depth;
}

/* ---- codes ---- */

static char upper(char c)
{
    return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool fits_form(tacit_strview value, tacit_strview form)
{
    bool fits = value.len == form.len;
    for (size_t i = 0; fits && i < form.len; i++) {
        char c = upper(value.bytes[i]), f = form.bytes[i];
        bool letter = c >= 'A' && c <= 'Z';
        fits = f == 'A'   ? letter
               : f == '9' ? is_digit(c)
               : f == 'X' ? letter || is_digit(c)
                          : c == f;
    }
    return fits;
}

static bool fits_forms(tacit_strview value, tacit_strview forms)
{
    bool fits = !forms.len;
    while (!fits && forms.len)
        fits = fits_form(value, take(&forms, ' '));
    return fits;
}

/* A code in capitals; without points where it has a form. False: it is none. */
static bool read_code(char code[MAX_CODE], size_t *len, const tacit__standard *standard,
                      tacit_strview value)
{
    *len = 0;
    if (!value.len || value.len > MAX_CODE || !fits_forms(value, standard->forms))
        return false;
    for (size_t i = 0; i < value.len; i++)
        if (!standard->forms.len || value.bytes[i] != '.')
            code[(*len)++] = upper(value.bytes[i]);
    return true;
}

/* By length, then by characters in capitals. */
static int compare_codes(tacit_strview a, tacit_strview b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    for (size_t i = 0; i < a.len; i++)
        if (upper(a.bytes[i]) != upper(b.bytes[i]))
            return upper(a.bytes[i]) < upper(b.bytes[i]) ? -1 : 1;
    return 0;
}

static bool holds_code(tacit_strview codes, tacit_strview code)
{
    while (codes.len) {
        tacit_strview to = take(&codes, ','), from = take(&to, '-');
        if (!to.len)
            to = from;
        if (compare_codes(from, code) <= 0 && compare_codes(code, to) <= 0)
            return true;
    }
    return false;
}

/* The deepest entry that holds a code, or TACIT__NONE. */
static uint32_t entry_of_code(const tacit__standard *standard, tacit_strview code)
{
    if (standard->key) {
        if (code.len < standard->key)
            return TACIT__NONE;
        code.len = standard->key;
    }
    for (uint32_t i = 0; i < standard->count; i++)
        if (standard->entries[i].depth == standard->depth &&
            holds_code(standard->entries[i].codes, code))
            return i;
    return TACIT__NONE;
}

/* The deepest entry that has the label, or TACIT__NONE. */
static uint32_t entry_of_label(const tacit__standard *standard, tacit_strview label)
{
    uint32_t found = TACIT__NONE;
    for (uint32_t i = 0; i < standard->count; i++) {
        const tacit__standard_entry *entry = &standard->entries[i];
        tacit_strview rest = entry->label;
        bool same = tacit_strview_equal(entry->label, label) ||
                    (standard->marks && compare_codes(take(&rest, ' '), label) == 0);
        if (same && (found == TACIT__NONE || standard->entries[found].depth < entry->depth))
            found = i;
    }
    return found;
}

/* ---- paths ---- */

/* The labels of an entry and those above it. Returns its level. */
static int climb_entries(tacit_strview *labels, const tacit__standard *standard, uint32_t entry)
{
    int height = tacit__standard_height(standard);
    int level = height - standard->entries[entry].depth;
    labels[height] = tacit_hierarchy_suppressed();
    for (; entry != TACIT__NONE; entry = standard->entries[entry].parent)
        labels[height - standard->entries[entry].depth] = standard->entries[entry].label;
    return level;
}

/* The first characters of a code, with their point. */
static tacit_strview write_prefix(const tacit__standard *standard, const char *code, size_t len,
                                  tacit__arena *arena)
{
    char text[MAX_CODE + 1];
    size_t before = standard->dot && len > standard->dot ? standard->dot : len;
    memcpy(text, code, before);
    if (before < len) {
        text[before] = '.';
        memcpy(text + before + 1, code + before, len - before);
        len++;
    }
    return tacit__arena_copy(arena, (tacit_strview){text, len});
}

static int fill_prefixes(tacit_strview *labels, const tacit__standard *standard, const char *code,
                         size_t len, tacit__arena *arena)
{
    int level = 0;
    for (int i = 0; i < standard->prefix_count; i++) {
        if (standard->prefixes[i] > len)
            continue;
        labels[i + 1] = write_prefix(standard, code, standard->prefixes[i], arena);
        if (!labels[i + 1].bytes)
            return TACIT__STANDARD_NOMEM;
        if (standard->prefixes[i] == len)
            level = i + 1;
    }
    return level;
}

int tacit__standard_path(tacit_strview labels[TACIT_MAX_LEVELS], const tacit__standard *standard,
                         tacit_strview value, tacit__arena *arena)
{
    char code[MAX_CODE];
    size_t len;
    int level = TACIT__STANDARD_UNKNOWN;
    uint32_t entry = read_code(code, &len, standard, value)
                         ? entry_of_code(standard, (tacit_strview){code, len})
                         : TACIT__NONE;
    if (entry != TACIT__NONE) {
        climb_entries(labels, standard, entry);
        level = fill_prefixes(labels, standard, code, len, arena);
    } else if ((entry = entry_of_label(standard, value)) != TACIT__NONE) {
        level = climb_entries(labels, standard, entry);
    }
    for (int i = 0; i < level; i++)
        labels[i] = value;
    if (level == 0)
        labels[0] = value;
    return level;
}

bool tacit__standard_knows(const tacit_hierarchy_spec *spec, tacit_strview value)
{
    tacit__standard standard;
    tacit__arena arena = {0};
    tacit_strview labels[TACIT_MAX_LEVELS];
    tacit_status status = tacit__standard_open(&standard, tacit_strview_of(spec->standard), NULL);
    bool known = status == TACIT_OK && tacit__standard_path(labels, &standard, value, &arena) >= 0;
    tacit__arena_clear(&arena);
    tacit__standard_close(&standard);
    return known;
}

/* ---- trees ---- */

/* No cell holds a NUL byte, so no value is a name that starts with one. */
static tacit_strview name_below(tacit_strview label, tacit__arena *arena)
{
    char *bytes = tacit__arena_alloc(arena, label.len + 1);
    if (bytes) {
        bytes[0] = '\0';
        memcpy(bytes + 1, label.bytes, label.len);
    }
    return (tacit_strview){bytes, label.len + 1};
}

tacit_status tacit__standard_add(tacit__tree *tree, const tacit__standard *standard,
                                 tacit_strview value, tacit__arena *arena, tacit_error *err)
{
    tacit_strview labels[TACIT_MAX_LEVELS];
    int level = tacit__standard_path(labels, standard, value, arena);
    if (level == TACIT__STANDARD_NOMEM)
        return tacit__nomem(err);
    if (level == TACIT__STANDARD_UNKNOWN)
        return TACIT_OK;
    if (level > 0 && !tacit_strview_equal(labels[level], value))
        level--;
    tacit_strview below = level > 0 ? name_below(value, arena) : value;
    if (!below.bytes)
        return tacit__nomem(err);
    for (int i = 0; i < level; i++)
        labels[i] = below;
    tree->level_count = tacit__standard_height(standard) + 1;
    return tacit__tree_add(tree, labels, 0, err);
}

static tacit_status unknown_code(const tacit_hierarchy *hierarchy, const tacit__standard *standard,
                                 uint32_t code, tacit_error *err)
{
    tacit__shown name = tacit__show(standard->name);
    return tacit__value_error(
        hierarchy, code, TACIT_PARSE, err,
        "is no code of %s; correct it (codes keep their leading zeros), leave it empty where it is "
        "missing, or use a hierarchy file that has it",
        name.text);
}

/* A tree of the column's values, each as it is written. */
static tacit_status plant(tacit__tree *tree, const tacit_hierarchy *hierarchy,
                          const tacit__standard *standard, tacit__arena *arena, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    tree->level_count = tacit__standard_height(standard) + 1;
    for (uint32_t code = 0; code < hierarchy->distinct && status == TACIT_OK; code++) {
        tacit_strview labels[TACIT_MAX_LEVELS];
        int level = tacit__standard_path(labels, standard, tacit__ground(hierarchy, code), arena);
        status = level == TACIT__STANDARD_NOMEM     ? tacit__nomem(err)
                 : level == TACIT__STANDARD_UNKNOWN ? unknown_code(hierarchy, standard, code, err)
                                                    : tacit__tree_add(tree, labels, 0, err);
    }
    return status;
}

static tacit_status grow_standard(tacit_hierarchy *hierarchy, const tacit_hierarchy_spec *spec,
                                  tacit_error *err)
{
    tacit__standard standard = {0};
    tacit__tree tree = {.file = spec->standard};
    tacit__arena arena = {0};
    tacit_status status = tacit__standard_open(&standard, tacit_strview_of(spec->standard), err);
    if (status == TACIT_OK)
        status = plant(&tree, hierarchy, &standard, &arena, err);
    if (status == TACIT_OK && hierarchy->distinct)
        status = tacit__tree_bind(hierarchy, &tree, err);
    tacit__tree_clear(&tree);
    tacit__arena_clear(&arena);
    tacit__standard_close(&standard);
    return status;
}

const tacit__source tacit__source_standard = {TACIT_HIERARCHY_STANDARD, grow_standard};

bool tacit_hierarchy_standard(size_t index, tacit_strview *name, tacit_strview *title)
{
    tacit_strview rest = tacit_strview_of(tacit__standards_list);
    do {
        *name = next_standard(&rest);
    } while (name->len && index-- > 0);
    *title = take(&rest, '\n');
    take(title, ' ');
    return name->len > 0;
}
