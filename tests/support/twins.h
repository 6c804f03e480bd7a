/*
 * twins.h - tables with dimensions as tables without: the same cells and relations, or what a
 * careless program would write of them. Include it after suppress.h.
 */
#ifndef TACIT_TESTS_SUPPORT_TWINS_H
#define TACIT_TESTS_SUPPORT_TWINS_H

/* A view of the same cells that has no dimensions. */
static inline tacit_cells without_dimensions(const tacit_cells *cells)
{
    tacit_cells twin = *cells;
    twin.table_count = twin.dimension_count = 0;
    return twin;
}

/* One relation, its terms in any order, perhaps with all signs changed. Returns the length. */
static inline int write_relation(char *text, const tacit_cells *cells, const int *number, int r)
{
    const tacit_relations *all = &cells->relations;
    int count = 0, width = (int)(all->starts[r + 1] - all->starts[r]), from = random_below(width);
    int sign = random_below(2) ? 1 : -1;
    char terms[2048] = "";
    for (int k = 0; k < width; k++) {
        int64_t j = all->starts[r] + (from + k) % width;
        if (number[all->items[j]] >= 0) {
            size_t at = strlen(terms);
            snprintf(terms + at, sizeof terms - at, " %d (%g)", number[all->items[j]],
                     sign * all->coefs[j]);
            count++;
        }
    }
    return count ? sprintf(text, "0 %d :%s\n", count, terms) : 0;
}

/* A .jj of a table: without its zeros where asked for, relations in any order and some of them
 * twice. */
static inline tacit_cells *careless_jj(const tacit_cells *cells, bool zeros)
{
    static char text[1 << 20], relations[1 << 19];
    int number[4096], count = 0, at = 0, lines = 0, many = cells->relations.count;
    for (int i = 0; i < cells->count; i++)
        number[i] = zeros || cells->value[i] != 0 ? count++ : -1;
    for (int k = 0, from = many ? random_below(many) : 0; k < many; k++)
        for (int again = random_below(10) == 0; again >= 0; again--) {
            int length = write_relation(relations + at, cells, number, (from + k) % many);
            at += length;
            lines += length > 0;
        }
    relations[at] = '\0';
    at = sprintf(text, "0\n%d\n", count);
    for (int i = 0; i < cells->count; i++)
        if (number[i] >= 0)
            at += sprintf(text + at, "%d %g %g %c %g %g %g %g %g\n", number[i], cells->value[i],
                          cells->cost[i], cells->status[i], cells->lower[i], cells->upper[i],
                          cells->lpl[i], cells->upl[i], cells->spl[i]);
    sprintf(text + at, "%d\n%s", lines, relations);
    return jj_of(text);
}

#endif
