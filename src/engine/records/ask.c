/*
 * ask.c - the interactive mu-argus of Figure 48 (phases C and D): what stands out after each round,
 * what one more level of each column would change, and the answer of the person whom the caller
 * asks.
 *
 * Outliers are shown by their columns, with the number of records, and never by their values. No
 * answer means that nothing more is to be generalized; one that is none is asked for again. The
 * time that an answer takes is not the job's.
 */
#include "engine/records/ask.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/strbuf.h"

enum { MAX_COMBINATIONS = 12, MAX_ANSWER = 4096 }; /* combinations that are shown */

/* A combination of columns, and the records that it makes stand out. */
typedef struct ask_combination {
    uint64_t attributes;
    int64_t records;
} ask_combination;

static int by_attributes(const void *a, const void *b)
{
    const ask_combination *x = a, *y = b;
    return x->attributes < y->attributes ? -1 : x->attributes > y->attributes;
}

static int by_records(const void *a, const void *b)
{
    const ask_combination *x = a, *y = b;
    if (x->records != y->records)
        return x->records > y->records ? -1 : 1;
    return by_attributes(a, b);
}

/* Adds up the outliers of each combination; returns how many there are. */
static int64_t add_up(ask_combination *list, const tacit_argus_round *round)
{
    int64_t count = 0;
    for (int64_t i = 0; i < round->outlier_count; i++)
        list[i] = (ask_combination){round->outliers[i].attributes, round->outliers[i].rows};
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

static void add_names(tacit_report *report, const tacit_argus_round *round, uint64_t attributes)
{
    char text[256] = "";
    for (int32_t a = 0; a < round->frame->attribute_count; a++) {
        char shown[64];
        if (attributes >> a & 1)
            engine_append_name(text, sizeof text,
                               engine_printable(shown, sizeof shown, name_of(round, a)));
    }
    tacit_report_cell(report, "%s", text);
}

static tacit_status add_outliers(tacit_report *report, const tacit_argus_round *round,
                                 tacit_error *err)
{
    static const tacit_report_column COLUMNS[] = {{.heading = "too few have the same"},
                                                  {.heading = "records", .format = "%.0f"}};
    if (round->outlier_count == 0)
        return TACIT_OK;
    ask_combination *list = tacit__alloc_array((size_t)round->outlier_count, sizeof *list);
    if (!list)
        return tacit__nomem(err);
    int64_t count = add_up(list, round);
    tacit_report_begin(report, &(tacit_report_table){.printed = true,
                                                     .columns = COLUMNS,
                                                     .column_count = TACIT_COUNT_OF(COLUMNS)});
    for (int64_t i = 0; i < count && i < MAX_COMBINATIONS; i++) {
        add_names(report, round, list[i].attributes);
        tacit_report_cell_integer(report, list[i].records);
    }
    if (count > MAX_COMBINATIONS)
        tacit_report_note(report, "  and %lld more combinations",
                          (long long)(count - MAX_COMBINATIONS));
    tacit_report_gap(report);
    tacit__free(list);
    return TACIT_OK;
}

static void add_effect(tacit_report *report, const tacit_argus_effect *effect)
{
    tacit_report_cell_real(report, effect->precision);
    tacit_report_cell_integer(report, effect->suppressed_cells);
}

static void add_choices(tacit_report *report, const tacit_argus_round *round)
{
    static const tacit_report_column COLUMNS[] = {
        {.heading = ""},
        {.heading = "generalize"},
        {.heading = "to level"},
        {.heading = "Prec", .format = "%.3f"},
        {.heading = "suppressed cells", .format = "%.0f"}};
    tacit_report_begin(report, &(tacit_report_table){.printed = true,
                                                     .columns = COLUMNS,
                                                     .column_count = TACIT_COUNT_OF(COLUMNS)});
    for (int32_t i = 0; i < round->choice_count; i++) {
        const tacit_argus_choice *choice = &round->choices[i];
        const tacit_hierarchy *hierarchy = round->frame->attributes[choice->attribute].hierarchy;
        tacit_report_cell(report, "%d", (int)i + 1);
        tacit_report_cell_view(report, name_of(round, choice->attribute));
        tacit_report_cell(report, "%d of %d", choice->level, tacit_hierarchy_height(hierarchy));
        add_effect(report, &choice->effect);
    }
    tacit_report_cell_none(report);
    tacit_report_cell(report, "nothing more");
    tacit_report_cell_none(report);
    add_effect(report, &round->effect);
    tacit_report_gap(report);
}

/* What is shown of a round before its answer is asked for. */
static tacit_status describe(tacit__strbuf *out, const tacit_argus_round *round, int number,
                             tacit_error *err)
{
    tacit_report *report = NULL;
    char *text = NULL;
    tacit_status status = tacit_report_new(&report, "", err);
    if (status == TACIT_OK) {
        tacit_report_title(report, "round %d", number);
        status = add_outliers(report, round, err);
    }
    if (status == TACIT_OK) {
        add_choices(report, round);
        status = tacit_report_print(&text, report, err);
    }
    if (status == TACIT_OK)
        tacit__strbuf_text(out, text);
    tacit_text_free(text);
    tacit_report_free(report);
    return status;
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
    if (!tacit__is_digit(*word) || *end || number < 1 || number > round->choice_count)
        return -1;
    return round->choices[number - 1].attribute;
}

static char *trim(char *line)
{
    while (tacit__is_space(*line))
        line++;
    for (char *end = line + strlen(line); end > line && tacit__is_space(end[-1]);)
        *--end = '\0';
    return line;
}

/* Whether a line is an answer; what is said of one that is none goes before the next question. */
static bool understand(int32_t *answer, const char *line, const tacit_argus_round *round,
                       tacit__strbuf *question)
{
    *answer = find_choice(line, round);
    if (*answer >= 0)
        return true;
    *answer = strcmp(line, "undo") == 0 ? TACIT_ARGUS_UNDO : TACIT_ARGUS_DONE;
    if (!*line || strcmp(line, "done") == 0 || (*answer == TACIT_ARGUS_UNDO && round->taken > 0))
        return true;
    if (*answer == TACIT_ARGUS_UNDO)
        tacit__strbuf_text(question, "nothing has been generalized that could be undone\n");
    else
        tacit__strbuf_format(question,
                             "\"%s\" is none of the columns above, nor a number before one\n",
                             engine_show(line).text);
    return false;
}

static tacit_status ask_until_understood(int32_t *answer, const tacit_argus_round *round,
                                         engine_ask *a, tacit__strbuf *question, tacit_error *err)
{
    engine_session *session = a->session;
    char line[MAX_ANSWER];
    for (bool understood = false; !understood;) {
        tacit__strbuf_format(question, "generalize (number or name%s, Enter for nothing more): ",
                             round->taken > 0 ? ", undo" : "");
        if (question->failed)
            return tacit__nomem(err);
        double before = engine_now();
        tacit_status status =
            session->ask(line, sizeof line, question->bytes, session->ask_payload);
        session->start += engine_now() - before;
        if (status != TACIT_OK)
            return status;
        tacit__strbuf_clear(question);
        understood = understand(answer, trim(line), round, question);
    }
    return TACIT_OK;
}

static tacit_status ask(int32_t *answer, const tacit_argus_round *round, void *payload,
                        tacit_error *err)
{
    engine_ask *a = payload;
    tacit__strbuf question = {0};
    *answer = TACIT_ARGUS_DONE;
    if (round->choice_count == 0 && round->taken == 0)
        return TACIT_OK;
    tacit_status status = describe(&question, round, ++a->round, err);
    if (status == TACIT_OK)
        status = ask_until_understood(answer, round, a, &question, err);
    tacit__strbuf_clear(&question);
    return status;
}

tacit_status engine_ask_init(engine_ask *a, engine_session *session, const tacit_policy *policy,
                             const tacit_method *method, const char *data)
{
    *a = (engine_ask){.session = session};
    if (policy->as_published)
        a->argus.variant = TACIT_ARGUS_PUBLISHED;
    else if (policy->as_described)
        a->argus.variant = TACIT_ARGUS_DESCRIBED;
    if (!engine_has(session->settings, "ask"))
        return TACIT_OK;
    if (strcmp(method->name, "mu-argus") != 0)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask is for the method mu-argus; %s has nothing to ask",
                            method->name);
    if (strcmp(data, "-") == 0)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask reads answers from standard input, which cannot be the data as "
                            "well; give the data as a file");
    if (!session->ask)
        return tacit__error(&session->error, TACIT_INVALID,
                            "--ask needs somebody who answers: see tacit_job_on_question()");
    a->argus.ask = ask;
    a->argus.payload = a;
    return TACIT_OK;
}
