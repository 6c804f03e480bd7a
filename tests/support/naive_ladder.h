/*
 * naive_ladder.h - random hierarchies of every form, and for each value of a
 * column what it is on each level, worked out without the library.
 *
 * For hierarchy files a random tree is drawn first; the file is a way to write
 * it down, and the ladder of a leaf is its ancestors, filled up at the bottom
 * with the leaf itself where its branch is short. For rules the labels follow
 * from the rule's description in hierarchy.h. "" is missing.
 */
#ifndef TACIT_TESTS_SUPPORT_NAIVE_LADDER_H
#define TACIT_TESTS_SUPPORT_NAIVE_LADDER_H

#include <math.h>
#include <tacit/experimental/hierarchy.h>

#include "naive_csv.h"

enum { LADDER_LEVELS = 10, LADDER_VALUES = 44, TREE_NODES = 16 };

typedef struct ladder {
    tacit_hierarchy_spec spec;
    char file[64];    /* path of the hierarchy file; "": a rule */
    bool has_missing; /* of the column */
    int height;
    int count;
    char value[LADDER_VALUES][NAIVE_TEXT];
    char label[LADDER_VALUES][LADDER_LEVELS][NAIVE_TEXT];
} ladder;

/* What a value of the column is on a level; NULL for a value it has not. */
static inline const char *ladder_label(const ladder *l, const char *value, int level)
{
    for (int i = 0; i < l->count; i++)
        if (strcmp(l->value[i], value) == 0)
            return l->label[i][level];
    return NULL;
}

/* Whether a released value stands on the ladder of an original one. */
static inline bool ladder_allows(const ladder *l, const char *value, const char *released)
{
    for (int level = 0; level <= l->height; level++)
        if (strcmp(ladder_label(l, value, level), released) == 0)
            return true;
    return false;
}

/* ---- files ---- */

typedef enum file_form { FORM_ANCESTORS, FORM_LIST, FORM_HRC, FORM_COUNT } file_form;

/* Node 0 is the root; parents come before their children. */
typedef struct tree {
    file_form form;
    int count, deepest;
    int parent[TREE_NODES], depth[TREE_NODES], children[TREE_NODES];
    char label[TREE_NODES][NAIVE_TEXT];
} tree;

static inline void tree_add(tree *t, int parent, const char *label)
{
    int node = t->count++;
    t->parent[node] = parent;
    t->depth[node] = parent < 0 ? 0 : t->depth[parent] + 1;
    if (parent >= 0)
        t->children[parent]++;
    if (t->depth[node] > t->deepest)
        t->deepest = t->depth[node];
    snprintf(t->label[node], NAIVE_TEXT, "%s", label);
}

static inline void tree_draw(tree *t, uint64_t *random)
{
    static const char *const ROOTS[] = {"*", "all", "Total"};
    static const char *const STEMS[] = {"v", "w ", "a;b", "x,y", "q\"q", "two\nlines", "\xC3\xA9"};
    *t = (tree){.form = (file_form)draw(random, FORM_COUNT)};
    tree_add(t, -1, ROOTS[draw(random, 3)]);
    int wanted = 2 + (int)draw(random, TREE_NODES - 3);
    while (t->count < wanted) {
        int parent = (int)draw(random, (uint32_t)t->count);
        char label[NAIVE_TEXT];
        if (t->depth[parent] == 4)
            continue;
        snprintf(label, sizeof label, "%s%d",
                 STEMS[t->form == FORM_HRC || draw(random, 2) ? 0 : draw(random, 7)], t->count);
        tree_add(t, parent, label);
    }
    if (t->form == FORM_HRC || draw(random, 3) > 0)
        return;
    /* missing, as a leaf that has a value on every level above the ground */
    int node = 0;
    while (t->children[node] == 0 || t->depth[node] + 1 < t->deepest)
        node++;
    tree_add(t, node, "");
}

/* The leaf's label on a level, counted from the ground. */
static inline const char *tree_label(const tree *t, int leaf, int level)
{
    int node = leaf;
    while (t->deepest - t->depth[node] < level)
        node = t->parent[node];
    return t->label[node];
}

static inline void write_ancestors(naive_text *to, const tree *t, char delimiter)
{
    for (int node = 0; node < t->count; node++) {
        if (t->children[node] > 0)
            continue;
        for (int level = 0; level <= t->deepest; level++) {
            if (level > 0)
                naive_put(to, delimiter);
            naive_put_cell(to, tree_label(t, node, level), false);
        }
        naive_put(to, '\n');
    }
}

static inline void write_list(naive_text *to, const tree *t, char delimiter, uint64_t *random)
{
    bool root = draw(random, 2);
    if (draw(random, 2)) {
        naive_puts(to, "code");
        naive_put(to, delimiter);
        naive_puts(to, "parent\n");
    }
    for (int i = 0; i < t->count; i++) {
        int node = t->count - 1 - i; /* children before their parents */
        if (node == 0 && !root)
            continue;
        naive_put_cell(to, t->label[node], false);
        naive_put(to, delimiter);
        naive_put_cell(to, node ? t->label[t->parent[node]] : "", false);
        naive_put(to, '\n');
    }
}

/* Depth first; `bare` writes @code, otherwise @;code. */
static inline void write_hrc(naive_text *to, const tree *t, int node, int indent, bool bare)
{
    for (int i = 0; i < indent; i++)
        naive_put(to, '@');
    if (!bare)
        naive_put(to, ';');
    naive_puts(to, t->label[node]);
    naive_put(to, '\n');
    for (int child = 1; child < t->count; child++)
        if (t->parent[child] == node)
            write_hrc(to, t, child, indent + 1, bare);
}

static inline void write_tree(naive_text *to, const tree *t, uint64_t *random)
{
    static const char DELIMITERS[] = ";,\t";
    char delimiter = DELIMITERS[draw(random, 3)];
    bool bare = t->deepest > 1 && draw(random, 2); /* without any @ it would be no .hrc */
    if (t->form == FORM_ANCESTORS)
        write_ancestors(to, t, delimiter);
    else if (t->form == FORM_LIST)
        write_list(to, t, delimiter, random);
    else if (strcmp(t->label[0], "Total") != 0 || t->children[0] < 2)
        write_hrc(to, t, 0, bare ? 0 : 1, bare);
    else /* a root of that name need not be written */
        for (int node = 1; node < t->count; node++)
            if (t->parent[node] == 0)
                write_hrc(to, t, node, bare ? 0 : 1, bare);
}

/* Puts suppression on top where it is allowed and not there already. */
static inline void ladder_crown(ladder *l)
{
    const char *top = l->count ? l->label[0][l->height] : "*";
    if (l->spec.no_suppression || (l->height > 0 && strcmp(top, "*") == 0))
        return;
    l->height++;
    for (int i = 0; i < l->count; i++)
        strcpy(l->label[i][l->height], "*");
}

static inline void ladder_file(ladder *l, const char *folder, int number, uint64_t *random)
{
    tree t;
    naive_text text = {0};
    tree_draw(&t, random);
    write_tree(&text, &t, random);
    snprintf(l->file, sizeof l->file, "%s/h%d%s", folder, number,
             t.form == FORM_HRC ? ".hrc" : ".csv");
    FILE *file = fopen(l->file, "wb");
    assert(file);
    fwrite(text.bytes, 1, text.len, file);
    fclose(file);
    free(text.bytes);
    l->spec.kind = TACIT_HIERARCHY_FILE;
    l->spec.path = l->file;
    l->height = t.deepest;
    for (int node = 0; node < t.count; node++) {
        if (t.children[node] > 0)
            continue;
        strcpy(l->value[l->count], t.label[node]);
        for (int level = 0; level <= t.deepest; level++)
            strcpy(l->label[l->count][level], tree_label(&t, node, level));
        l->count++;
    }
    bool has_missing = ladder_label(l, "", 0) != NULL; /* else only "*" could hold it */
    l->spec.no_suppression =
        draw(random, 4) == 0 && (has_missing || strcmp(l->label[0][l->height], "*") == 0);
    ladder_crown(l);
    if (!has_missing) { /* it stays so below the top */
        strcpy(l->label[l->count][l->height], l->label[0][l->height]);
        l->count++;
    }
}

/* ---- rules ---- */

static inline int characters(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xC0) != 0x80;
    return count;
}

/* Where the character of that number starts. */
static inline const char *character(const char *text, int number)
{
    for (; *text; text++)
        if (((unsigned char)*text & 0xC0) != 0x80 && number-- == 0)
            break;
    return text;
}

static inline void ladder_mask(ladder *l)
{
    int longest = 1;
    for (int i = 0; i < l->count; i++)
        longest = characters(l->value[i]) > longest ? characters(l->value[i]) : longest;
    l->height = longest;
    for (int i = 0; i < l->count; i++)
        for (int level = 1; level <= longest; level++) {
            const char *value = l->value[i];
            char *label = l->label[i][level], stars[] = "**********";
            int length = characters(value), kept = longest - level;
            const char *from =
                l->spec.mask_left && length > kept ? character(value, length - kept) : value;
            const char *to = l->spec.mask_left ? value + strlen(value) : character(value, kept);
            stars[level] = '\0';
            if (kept == 0)
                strcpy(label, "*");
            else if (!*value || length < kept)
                strcpy(label, value);
            else if (l->spec.mask_left)
                sprintf(label, "%s%.*s", stars, (int)(to - from), from);
            else
                sprintf(label, "%.*s%s", (int)(to - from), from, stars);
        }
}

static inline void ladder_interval(ladder *l)
{
    bool whole = true;
    for (int i = 0; i < l->count; i++)
        whole &= floor(atof(l->value[i])) == atof(l->value[i]);
    l->height = l->spec.width_count;
    for (int i = 0; i < l->count; i++)
        for (int level = 1; l->value[i][0] && level <= l->height; level++) {
            double width = l->spec.widths[level - 1], origin = l->spec.origin;
            int low = (int)(origin + floor((atof(l->value[i]) - origin) / width) * width);
            int high = low + (int)width - whole;
            const char *form = !whole ? "[%d, %d)" : low < 0 ? "%d to %d" : "%d-%d";
            if (low == high)
                form = "%d";
            snprintf(l->label[i][level], NAIVE_TEXT, form, low, high);
        }
}

/* The parts of a date from the year to the second, and how many are given. */
enum { DATE_PARTS = 6, DATE_DAY = 3 };

typedef struct naive_date {
    int part[DATE_PARTS];
    int given;
} naive_date;

/* 1965-09-20, 9/20/1965, 20.9.1965, 1965-09 and 1965; behind a full date " 05:06" or "T05:06:07".
 */
static inline naive_date read_date(const char *text)
{
    naive_date d = {{0}, 0};
    int *p = d.part;
    if (strchr(text, '/')) {
        d.given = sscanf(text, "%d/%d/%d", &p[1], &p[2], &p[0]);
        if (p[1] > 12) {
            int day = p[1];
            p[1] = p[2];
            p[2] = day;
        }
    } else if (strchr(text, '.'))
        d.given = sscanf(text, "%d.%d.%d", &p[2], &p[1], &p[0]);
    else
        d.given = sscanf(text, "%d-%d-%d", &p[0], &p[1], &p[2]);
    const char *time = strpbrk(text, " T");
    if (time)
        d.given += sscanf(time + 1, "%d:%d:%d", &p[3], &p[4], &p[5]);
    return d;
}

/* The first `count` parts. */
static inline void write_parts(char *out, const naive_date *d, int count)
{
    static const char *const FORMS[] = {"%04d", "-%02d", "-%02d", "T%02d", ":%02d", ":%02d"};
    for (int i = 0; i < count; i++)
        out += sprintf(out, FORMS[i], d->part[i]);
}

static inline void write_months(char *out, const naive_date *d, int months)
{
    int year = d->part[0], month = d->part[1];
    if (months > 12)
        sprintf(out, "%04d-%04d", year / (months / 12) * (months / 12),
                year / (months / 12) * (months / 12) + months / 12 - 1);
    else if (months == 12 || d->given == 1)
        sprintf(out, "%04d", year);
    else if (months == 1)
        sprintf(out, "%04d-%02d", year, month);
    else
        sprintf(out, "%04d-%02d to %04d-%02d", year, (month - 1) / months * months + 1, year,
                (month - 1) / months * months + months);
}

static inline void ladder_date(ladder *l)
{
    static const int USUAL[] = {1, 12, 60, 120};
    int most = DATE_DAY, windows = l->spec.width_count ? l->spec.width_count : 4;
    for (int i = 0; i < l->count; i++) {
        int given = l->value[i][0] ? read_date(l->value[i]).given : 0;
        most = given > most ? given : most;
    }
    l->height = most - DATE_DAY + windows;
    for (int i = 0; i < l->count; i++) {
        naive_date d = read_date(l->value[i]);
        int level = 1;
        if (!l->value[i][0])
            continue;
        for (int parts = most - 1; parts >= DATE_DAY; parts--)
            write_parts(l->label[i][level++], &d, d.given < parts ? d.given : parts);
        for (int w = 0; w < windows; w++)
            write_months(l->label[i][level++], &d,
                         l->spec.width_count ? (int)l->spec.widths[w] : USUAL[w]);
    }
}

/* Without suppression the values must meet in one. Missing joins them in "*", which is put above
 * them where it is not their own. */
static inline void ladder_uncrown(ladder *l, uint64_t *random)
{
    const char *top = NULL;
    for (int i = 0; i < l->count; i++) {
        if (!l->value[i][0])
            continue;
        if (top && strcmp(top, l->label[i][l->height]) != 0)
            return;
        top = l->label[i][l->height];
    }
    l->spec.no_suppression = l->height > 0 && draw(random, 3) == 0;
    if (!l->spec.no_suppression)
        return;
    bool raised = l->has_missing && top && strcmp(top, "*") != 0;
    l->height += raised;
    for (int i = 0; i < l->count; i++)
        if (raised || !l->value[i][0])
            strcpy(l->label[i][l->height], raised || !top ? "*" : top);
}

/* Works out the ladder of a rule whose column's values are in l->value. */
static inline void ladder_rule(ladder *l, uint64_t *random)
{
    for (int i = 0; i < l->count; i++)
        strcpy(l->label[i][0], l->value[i]);
    if (l->spec.kind == TACIT_HIERARCHY_MASK)
        ladder_mask(l);
    else if (l->spec.kind == TACIT_HIERARCHY_INTERVAL)
        ladder_interval(l);
    else if (l->spec.kind == TACIT_HIERARCHY_DATE)
        ladder_date(l);
    ladder_uncrown(l, random);
    if (l->spec.kind != TACIT_HIERARCHY_MASK)
        ladder_crown(l);
}

/* A rule, and values that fit it; the column then draws from them. star: a
 * value may read like a suppressed one. */
static inline void ladder_draw_rule(ladder *l, bool star, uint64_t *random)
{
    static const char *const PLAIN[] = {"u", "v", "a,b", "\"", "two\r\nlines", "*"};
    static const char *const CODES[] = {"02138", "02139", "0214", "1", "\xC3\xA9t\xC3\xA9", "1*"};
    const bool DAY_FIRST = draw(random, 2);
    const char *const DATES[] = {"%d-09-20",
                                 DAY_FIRST ? "20/9/%d" : "9/20/%d",
                                 "20.9.%d",
                                 "%d-0%d",
                                 "%d",
                                 "%d-09-20 0%d:06",
                                 "%d-09-20T1%d:06:07"};
    static const double WINDOWS[][5] = {{0}, {2, 6, 12, 24}, {3, 12, 120}, {1, 2, 4, 24}, {60}};
    const bool TIMES = draw(random, 2);
    const int SCALE = 1 + (int)draw(random, 4), NEGATIVE = (int)draw(random, 2) * 7;
    const bool HALVES = draw(random, 3) == 0;
    l->spec.kind =
        (tacit_hierarchy_kind[]){TACIT_HIERARCHY_NONE, TACIT_HIERARCHY_MASK,
                                 TACIT_HIERARCHY_INTERVAL, TACIT_HIERARCHY_DATE}[draw(random, 4)];
    l->spec.mask_left = draw(random, 2);
    l->spec.order = draw(random, 2) ? TACIT_DATES_TELL
                    : DAY_FIRST     ? TACIT_DAY_FIRST
                                    : TACIT_MONTH_FIRST;
    l->spec.origin = (int)draw(random, 4) - 2;
    l->spec.width_count = 1 + (int)draw(random, 4);
    for (int i = 0; i < l->spec.width_count; i++)
        l->spec.widths[i] = SCALE * (i == 0 ? 1 : i == 1 ? 3 : i == 2 ? 6 : 30);
    if (l->spec.kind == TACIT_HIERARCHY_DATE) {
        memcpy(l->spec.widths, WINDOWS[draw(random, 5)], sizeof *WINDOWS);
        for (l->spec.width_count = 0; l->spec.widths[l->spec.width_count] > 0;)
            l->spec.width_count++;
    }
    int wanted = 1 + (int)draw(random, 6), from = 1960 + (int)draw(random, 12);
    while (l->count < wanted) {
        char *value = l->value[l->count];
        if (l->spec.kind == TACIT_HIERARCHY_NONE)
            strcpy(value, PLAIN[draw(random, star ? 6 : 5)]);
        else if (l->spec.kind == TACIT_HIERARCHY_MASK)
            strcpy(value, CODES[draw(random, 6)]);
        else if (l->spec.kind == TACIT_HIERARCHY_INTERVAL)
            sprintf(value, "%d%s", (int)draw(random, 20) - NEGATIVE,
                    HALVES && draw(random, 2) ? ".5" : "");
        else
            sprintf(value, DATES[draw(random, TIMES ? 7 : 5)], from + (int)draw(random, 8),
                    1 + (int)draw(random, 9));
        bool known = false;
        for (int i = 0; i < l->count; i++)
            known |= strcmp(l->value[i], value) == 0;
        if (known)
            wanted--;
        else
            l->count++;
    }
}

/* A hierarchy of a column that is yet to be filled from *pool: a file, or a rule
 * whose ladder depends on the values that the column gets. */
static inline void ladder_begin(ladder *l, ladder *pool, const char *folder, int number,
                                uint64_t *random)
{
    bool from_file = draw(random, 2);
    if (from_file)
        ladder_file(l, folder, number, random);
    else
        ladder_draw_rule(l, number == 0, random);
    *pool = *l;
    if (!from_file)
        l->count = 0;
}

/* Fills a cell of that column; one in ten is missing for each in `missing`. */
static inline void ladder_fill(ladder *l, const ladder *pool, char *cell, uint32_t missing,
                               uint64_t *random)
{
    if (draw(random, 10) >= missing)
        strcpy(cell, pool->value[draw(random, (uint32_t)pool->count)]);
    l->has_missing |= !*cell;
    if (!l->file[0] && *cell && !ladder_label(l, cell, 0))
        strcpy(l->value[l->count++], cell);
}

static inline void ladder_end(ladder *l, uint64_t *random)
{
    if (l->file[0])
        return;
    strcpy(l->value[l->count++], "");
    ladder_rule(l, random);
}

#endif
