/*
 * ask.c - the interactive mu-argus of Figure 48 (phases C and D): what stands out
 * after each round, what one more level of each column would change, and a line of
 * standard input for an answer.
 *
 * Outliers are shown by their columns, with the number of records, and never by
 * their values. The end of the input means that nothing more is to be generalized;
 * an answer that is none is asked for again. Time spent waiting does not count
 * against --time.
 */
#include "ask.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/page.h>

#include "interrupt.h"
#include "options.h"

enum { MAX_SHOWN = 12 }; /* combinations */

/* A combination of columns, and the records that it makes stand out. */
typedef struct combination {
    uint64_t attributes;
    int64_t records;
} combination;

static int by_attributes(const void *a, const void *b)
{
    const combination *x = a, *y = b;
    return x->attributes < y->attributes ? -1 : x->attributes > y->attributes;
}

static int by_records(const void *a, const void *b)
{
    const combination *x = a, *y = b;
    if (x->records != y->records)
        return x->records > y->records ? -1 : 1;
    return by_attributes(a, b);
}

/* Adds up the outliers of each combination; returns how many there are. */
static int64_t add_up(combination *list, const tacit_argus_round *round)
{
    int64_t count = 0;
    for (int64_t i = 0; i < round->outlier_count; i++)
        list[i] = (combination){round->outliers[i].attributes, round->outliers[i].rows};
    qsort(list, (size_t)round->outlier_count, sizeof *list, by_attributes);
    for (int64_t i = 0; i < round->outlier_count; i++)
        if (count > 0 && list[count - 1].attributes == list[i].attributes)
            list[count - 1].records += list[i].records;
        else
            list[count++] = list[i];
    qsort(list, (size_t)count, sizeof *list, by_records);
    return count;
}

static tacit_strview name_of(const tacit_argus_round *round, int32_t attribute)
{
    return tacit_table_name(round->frame->table, round->frame->attributes[attribute].column);
}

static void add_names(tacit_grid *grid, const tacit_argus_round *round, uint64_t attributes)
{
    char text[256] = "";
    for (int32_t a = 0; a < round->frame->attribute_count; a++) {
        char shown[64];
        size_t used = strlen(text);
        if (attributes >> a & 1)
            snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "",
                     tacit_printable(shown, sizeof shown, name_of(round, a).bytes,
                                     name_of(round, a).len));
    }
    tacit_grid_add(grid, "%s", text);
}

static tacit_status show_outliers(const tacit_argus_round *round, tacit_error *err)
{
    static const char *const header[] = {"too few have the same", "records"};
    if (round->outlier_count == 0)
        return TACIT_OK;
    combination *list = malloc((size_t)round->outlier_count * sizeof *list);
    if (!list)
        return cli_error(err, TACIT_NOMEM, "out of memory");
    int64_t count = add_up(list, round);
    tacit_grid grid;
    tacit_grid_init(&grid, header, 2);
    for (int64_t i = 0; i < count && i < MAX_SHOWN; i++) {
        add_names(&grid, round, list[i].attributes);
        tacit_grid_add(&grid, "%lld", (long long)list[i].records);
    }
    tacit_grid_print(&grid, stderr);
    if (count > MAX_SHOWN)
        fprintf(stderr, "  and %lld more combinations\n", (long long)(count - MAX_SHOWN));
    fputc('\n', stderr);
    tacit_grid_clear(&grid);
    free(list);
    return TACIT_OK;
}

static void show_choices(const tacit_argus_round *round)
{
    static const char *const header[] = {"", "generalize", "to level", "Prec", "suppressed cells"};
    tacit_grid grid;
    tacit_grid_init(&grid, header, 5);
    for (int32_t i = 0; i < round->choice_count; i++) {
        const tacit_argus_choice *choice = &round->choices[i];
        const tacit_hierarchy *hierarchy = round->frame->attributes[choice->attribute].hierarchy;
        tacit_grid_add(&grid, "%d", (int)i + 1);
        tacit_grid_add_view(&grid, name_of(round, choice->attribute));
        tacit_grid_add(&grid, "%d of %d", choice->level, tacit_hierarchy_height(hierarchy));
        tacit_grid_add(&grid, "%.3f", choice->effect.precision);
        tacit_grid_add(&grid, "%lld", (long long)choice->effect.suppressed_cells);
    }
    tacit_grid_add(&grid, "%s", "");
    tacit_grid_add(&grid, "nothing more");
    tacit_grid_add(&grid, "%s", "");
    tacit_grid_add(&grid, "%.3f", round->effect.precision);
    tacit_grid_add(&grid, "%lld", (long long)round->effect.suppressed_cells);
    tacit_grid_print(&grid, stderr);
    fputc('\n', stderr);
    tacit_grid_clear(&grid);
}

/* The attribute of a name, or of a number in the list; -1 where it is neither. */
static int32_t find_choice(const char *word, const tacit_argus_round *round)
{
    for (int32_t i = 0; i < round->choice_count; i++)
        if (tacit_strview_equal(name_of(round, round->choices[i].attribute),
                                tacit_strview_of(word)))
            return round->choices[i].attribute;
    char *end;
    long number = strtol(word, &end, 10);
    if (!*word || *end || !isdigit((unsigned char)*word) || number < 1 ||
        number > round->choice_count)
        return -1;
    return round->choices[number - 1].attribute;
}

/* Whether a line is an answer; it is cut at both ends. */
static bool understand(int32_t *answer, char *line, const tacit_argus_round *round)
{
    char shown[64];
    while (isspace((unsigned char)*line))
        line++;
    for (char *end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
        *--end = '\0';
    int32_t attribute = find_choice(line, round);
    *answer = attribute;
    if (attribute >= 0)
        return true;
    *answer = strcmp(line, "undo") == 0 ? TACIT_ARGUS_UNDO : TACIT_ARGUS_DONE;
    if (!*line || strcmp(line, "done") == 0 || (*answer == TACIT_ARGUS_UNDO && round->taken > 0))
        return true;
    if (*answer == TACIT_ARGUS_UNDO)
        fputs("nothing has been generalized that could be undone\n", stderr);
    else
        fprintf(stderr, "\"%s\" is none of the columns above, nor a number before one\n",
                tacit_printable(shown, sizeof shown, line, strlen(line)));
    return false;
}

/* Reads lines until one is an answer. */
static tacit_status read_answer(int32_t *answer, const tacit_argus_round *round)
{
    char *line = NULL;
    size_t room = 0;
    tacit_status status = TACIT_OK;
    for (bool understood = false; !understood;) {
        fprintf(stderr, "generalize (number or name%s, Enter for nothing more): ",
                round->taken > 0 ? ", undo" : "");
        fflush(stderr);
        if (getline(&line, &room, stdin) >= 0) {
            understood = understand(answer, line, round);
            continue;
        }
        fputc('\n', stderr);
        *answer = TACIT_ARGUS_DONE;
        understood = true;
        if (cli_interrupted())
            status = TACIT_CANCELLED;
    }
    free(line);
    return status;
}

tacit_status cli_ask_person(int32_t *answer, const tacit_argus_round *round, void *payload,
                            tacit_error *err)
{
    cli_ask *a = payload;
    *answer = TACIT_ARGUS_DONE;
    if (round->choice_count == 0 && round->taken == 0)
        return TACIT_OK;
    cli_terminal_erase(a->terminal);
    fprintf(stderr, "round %d\n\n", ++a->round);
    tacit_status status = show_outliers(round, err);
    if (status == TACIT_OK) {
        show_choices(round);
        status = read_answer(answer, round);
    }
    return status;
}
