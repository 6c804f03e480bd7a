/*
 * hierarchy.h - what a value generalizes to.
 *
 * A specification says where the generalizations come from (a file or a rule);
 * binding it to a table's column gives a hierarchy: for every value in the
 * column, and for missing, one value on each level from 0 (as it is) to the
 * height, where a single most general value is left. Section 5.2 of Sweeney,
 * Computational Disclosure Control.
 *
 * Missing stays missing on every level below the top, unless a hierarchy file
 * has a row for the empty value; at the top it becomes the top value, which is
 * then "*" even where no suppressed level was wanted: no other is true of it.
 *
 * Files are UTF-8 of at most 64 MiB, quoted as CSV, delimited by semicolons, tabs
 * or commas, and come in three forms that are told apart by their content:
 *   - ancestors: a row a ground value, then its ancestors in order, without a
 *     header: `02138;0213*;021**;*`;
 *   - .hrc: a line a code, depth first, indented by @ (`@@;a101` or `@a101`);
 *     several codes at the first depth get a root `Total`;
 *   - a list of two columns, code and parent. Two columns are a list if the
 *     first row is `code,parent`, or if the second column holds several values
 *     of which one is also in the first column.
 * In the last two forms a leaf of a short branch stays itself on the lowest
 * levels until its parent's.
 *
 * Rules, and how their values read:
 *   - mask: `0213*`, `021**`, ... `*`. Shorter values count as filled up with
 *     blanks on the masked side;
 *   - interval: `20-24` (both ends held; `-5 to -1` where one is negative) where
 *     all numbers are whole, otherwise `[20.5, 21)` (the upper end not held);
 *   - date: `1965-09`, `1965`, `1965-1969`, `1960-1969`, or windows of given numbers of
 *     months, `1965-09 to 1965-10`, `1964-1965`. Below them, where values have a time of
 *     day, `1965-09-20T05:06:07`, `1965-09-20T05:06`, `1965-09-20T05`, `1965-09-20`, from
 *     above the most precise value on; zones are not looked at. Read are 1965-09-20,
 *     19650920, 9/20/1965 and 20/9/65, 20.9.1965 (day first), 20 Sep 1965,
 *     Sep 20, 1965, and less precise 1965-09, 9/1965, Sep 1965 and 1965. Years of
 *     two digits lie between 1930 and 2029. Whether the day or the month comes
 *     first in dates with slashes is declared, or told by the whole column: 9/20/1965
 *     can only be September. A column in which nothing tells is TACIT_INVALID, one in
 *     which some dates say this and others that is TACIT_PARSE. A full date may have a
 *     time: 1965-09-20T05:06:07.5+01:00, 9/20/1965 5:06 PM.
 */
#ifndef TACIT_HIERARCHY_H
#define TACIT_HIERARCHY_H

#include <tacit/table.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of a hierarchy, ground and top among them. */
enum { TACIT_MAX_LEVELS = 64, TACIT_MAX_WIDTHS = 32 };

typedef enum tacit_hierarchy_kind {
    TACIT_HIERARCHY_NONE = 0, /* no hierarchy: the value, then suppressed */
    TACIT_HIERARCHY_FILE,
    TACIT_HIERARCHY_MASK,
    TACIT_HIERARCHY_INTERVAL,
    TACIT_HIERARCHY_DATE
} tacit_hierarchy_kind;

/* What comes first in dates such as 5/10/1954. */
typedef enum tacit_date_order {
    TACIT_DATES_TELL = 0, /* not declared: the whole column tells */
    TACIT_DAY_FIRST,
    TACIT_MONTH_FIRST
} tacit_date_order;

/* Where generalizations come from. Zero-initialized is "none". */
typedef struct tacit_hierarchy_spec {
    tacit_hierarchy_kind kind;
    bool no_suppression;             /* do not put a suppressed level on top */
    bool compared_only;              /* values are compared and none is released: missing joins the
                                        top value, whatever that is */
    char *path;                      /* FILE: owned by the spec */
    bool mask_left;                  /* MASK: characters go from the left, not from the right */
    double origin;                   /* INTERVAL */
    double widths[TACIT_MAX_WIDTHS]; /* ascending, each a multiple of the one before; DATE: windows
                                        in months, 1, 2, 3, 4, 6 or whole years */
    int width_count;                 /* DATE: 0 is the usual levels */
    tacit_date_order order;          /* DATE */
} tacit_hierarchy_spec;

void tacit_hierarchy_spec_clear(tacit_hierarchy_spec *spec);

/* Reads a rule or file name as a flag writes it: "mask:right", "mask:left",
 * "date", "date:day-first", "date:month-first", "date:2,6,12,24", "date:day-first/2,6,12",
 * "interval:0/5,10,20", "none", otherwise a file ("./date" where it is named like a rule).
 * directory (may be NULL) is where a relative file name starts. What spec held is cleared first,
 * but for no_suppression. */
tacit_status tacit_hierarchy_spec_parse(tacit_hierarchy_spec *spec, const char *text,
                                        const char *directory, tacit_error *err);

/* The label of a suppressed value: "*". */
tacit_strview tacit_hierarchy_suppressed(void);

typedef struct tacit_hierarchy tacit_hierarchy;

/* Binds a specification to a coded column of a table, which must outlive the
 * hierarchy. A value that the hierarchy does not know, two parents, a cycle,
 * several roots: an error naming value and place. The height is at least 1. */
tacit_status tacit_hierarchy_new(tacit_hierarchy **out, const tacit_hierarchy_spec *spec,
                                 const tacit_table *table, int32_t column, tacit_error *err);
void tacit_hierarchy_free(tacit_hierarchy *hierarchy);

/* The highest level; level 0 is the ground. */
int tacit_hierarchy_height(const tacit_hierarchy *hierarchy);

/* Number of distinct values that the column's values take on a level, and
 * missing where a hierarchy file gives it a value there; missing itself is not
 * counted. 1 at the height. */
uint32_t tacit_hierarchy_count(const tacit_hierarchy *hierarchy, int level);

/* For every code of the column, and for missing as the last entry, its value's
 * number on a level (distinct + 1 entries). Missing is numbered count(level)
 * where it stays missing. On level 0 a value's number is its code; above it
 * values are numbered in the order of the first code that has them. */
const uint32_t *tacit_hierarchy_map(const tacit_hierarchy *hierarchy, int level);

/* The value itself, borrowed; number < count(level). */
tacit_strview tacit_hierarchy_label(const tacit_hierarchy *hierarchy, int level, uint32_t number);

/* Ground values of the whole hierarchy (whether the column has them or not; a
 * row for missing counts), and how many of them lie under a value of a level.
 * For rules, the column's own values are the ground. */
uint32_t tacit_hierarchy_leaves(const tacit_hierarchy *hierarchy);
uint32_t tacit_hierarchy_leaves_under(const tacit_hierarchy *hierarchy, int level, uint32_t number);

#ifdef __cplusplus
}
#endif
#endif
