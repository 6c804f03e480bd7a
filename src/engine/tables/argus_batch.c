/*
 * argus_batch.c - a batch file of tau-Argus, translated: each command into what a job of ours is to
 * be told, or into a remark that says why not.
 *
 * A command that would change what is protected, or how well, and that cannot be done, refuses the
 * whole file; all of them are said, not only the first. A command that only speaks to tau-Argus
 * itself (its solver, its log) is passed over with a remark. Commands have their numbers from the
 * order of <SPECIFYTABLE>. Linear; views are into the bytes.
 *
 * Where the two differ, what is stricter is taken: rules for single records and for holdings are
 * all applied to holdings, where there are any, since merging contributors only makes cells less
 * safe.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/vector.h"
#include "engine/tables/argus.h"

typedef struct batch_reading {
    engine_argus_batch *batch;
    int64_t line;
    engine_argus_words words;
    bool open; /* a data file waits for its .rda */
    tacit_error *err;
} batch_reading;

/* ---- remarks and settings ---- */

static const char *batch_text(engine_argus_batch *batch, const char *format, va_list arguments)
{
    char text[1024], shown[1024];
    vsnprintf(text, sizeof text, format, arguments);
    tacit_printable(shown, sizeof shown, text, strlen(text));
    return tacit__arena_copy(&batch->arena, tacit_strview_of(shown)).bytes;
}

tacit_status engine_argus_remark_add(engine_argus_batch *batch, int64_t line, bool refuses,
                                     tacit_error *err, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    engine_argus_remark remark = {line, refuses, batch_text(batch, format, arguments)};
    va_end(arguments);
    batch->refused += refuses;
    if (!remark.text ||
        !TACIT__PUSH(batch->remarks, batch->remark_capacity, batch->remark_count, remark))
        return tacit__nomem(err);
    return TACIT_OK;
}

static tacit_status cannot(batch_reading *r, const char *what)
{
    return engine_argus_remark_add(r->batch, r->line, true, r->err, "%s", what);
}

static tacit_status passed_over(batch_reading *r, const char *what)
{
    return engine_argus_remark_add(r->batch, r->line, false, r->err, "%s", what);
}

static tacit_status push_setting(engine_argus_table *table, const char *name, const char *value,
                                 tacit_error *err)
{
    engine_argus_setting setting = {name, value};
    return TACIT__PUSH(table->settings, table->setting_capacity, table->setting_count, setting)
               ? TACIT_OK
               : tacit__nomem(err);
}

tacit_status engine_argus_set(engine_argus_batch *batch, engine_argus_table *table,
                              tacit_error *err, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *value = batch_text(batch, format, arguments);
    va_end(arguments);
    return value ? push_setting(table, name, value, err) : tacit__nomem(err);
}

/* ---- arguments in brackets ---- */

enum { MAX_ARGUMENTS = 8 };

/* (1, 2, "c"): words between commas; an argument left out is empty. */
typedef struct bracket {
    tacit_strview words[MAX_ARGUMENTS];
    double numbers[MAX_ARGUMENTS]; /* NAN: it is none */
    int count;
} bracket;

static bool read_bracket(bracket *out, engine_argus_words *line)
{
    *out = (bracket){.count = 0};
    if (!engine_argus_take(line, '('))
        return false;
    do {
        if (out->count == MAX_ARGUMENTS)
            return false;
        tacit_strview word = engine_argus_word(line, ",()|", NULL);
        out->words[out->count] = word;
        out->numbers[out->count++] = word.len ? tacit__decimal_read(word) : NAN;
    } while (engine_argus_take(line, ','));
    return engine_argus_take(line, ')');
}

/* Whether the first of the arguments are numbers that are not negative, so many at least. */
static bool has_numbers(const bracket *arguments, int least)
{
    for (int i = 0; i < arguments->count; i++)
        if ((i < least || arguments->words[i].len) && !(arguments->numbers[i] >= 0))
            return false;
    return arguments->count >= least;
}

/* ---- data ---- */

static tacit_status open_data(batch_reading *r, bool cells)
{
    engine_argus_batch *batch = r->batch;
    engine_argus_source source = {
        .line = r->line, .data = engine_argus_word(&r->words, "", NULL), .cells = cells};
    r->open = true;
    if (!source.data.len)
        return cannot(r, "the name of a file is missing");
    return TACIT__PUSH(batch->sources, batch->source_capacity, batch->source_count, source)
               ? TACIT_OK
               : tacit__nomem(r->err);
}

static tacit_status open_meta(batch_reading *r)
{
    tacit_strview file = engine_argus_word(&r->words, "", NULL);
    if (!r->open || !r->batch->source_count)
        return cannot(r, "a data file comes first");
    engine_argus_source *source = &r->batch->sources[r->batch->source_count - 1];
    source->meta = file;
    source->meta_line = r->line;
    r->open = false;
    return file.len ? TACIT_OK : cannot(r, "the name of a file is missing");
}

/* ---- tables ---- */

/* "A""B"|"Response"|"Shadow"|"Cost",lambda */
static tacit_status read_parts(engine_argus_table *table, batch_reading *r)
{
    engine_argus_words *line = &r->words;
    bool quoted;
    while (!engine_argus_take(line, '|')) {
        tacit_strview name = engine_argus_word(line, "|", NULL);
        if (!name.len)
            return cannot(r, "a | is expected between the explanatory variables and the response");
        if (table->dim_count == TACIT_MAX_DIMENSIONS)
            return cannot(r, "a table has at most 16 explanatory variables");
        table->dims[table->dim_count++] = name;
    }
    if (table->dim_count == 0)
        return cannot(r, "there is no explanatory variable");
    tacit_strview *const PARTS[] = {&table->response, &table->shadow, &table->cost};
    for (int i = 0; i < 3; i++) {
        *PARTS[i] = engine_argus_word(line, "|,", &quoted);
        if (i < 2 && !engine_argus_take(line, '|'))
            break;
    }
    if (engine_argus_is(table->response, "<freq>"))
        table->response = (tacit_strview){0};
    else if (!table->response.len)
        return cannot(r, "there is no response");
    return TACIT_OK;
}

static bool same_name(tacit_strview a, tacit_strview b)
{
    char name[256];
    if (b.len == 0 || b.len >= sizeof name)
        return false;
    memcpy(name, b.bytes, b.len);
    name[b.len] = '\0';
    return engine_argus_is(a, name);
}

/* What a suppressed cell costs. */
static tacit_status read_cost(engine_argus_table *table, batch_reading *r)
{
    tacit_strview cost = table->cost;
    tacit_status status = TACIT_OK;
    if (engine_argus_is(cost, "-1"))
        status = push_setting(table, "cost", "freq", r->err);
    else if (engine_argus_is(cost, "-2"))
        status = push_setting(table, "cost", "count", r->err);
    else if (engine_argus_is(cost, "-3"))
        status = passed_over(r, "there are no costs by distance: a cell costs its value, which "
                                "has no part in how well it is protected");
    if (engine_argus_is(cost, "-1") || engine_argus_is(cost, "-2") || engine_argus_is(cost, "-3") ||
        same_name(cost, table->response))
        table->cost = (tacit_strview){0};
    if (status != TACIT_OK ||
        !(engine_argus_take(&r->words, ',') || engine_argus_take(&r->words, '|')))
        return status;
    tacit_strview word = engine_argus_word(&r->words, "", NULL);
    double lambda = tacit__decimal_read(word);
    if (!word.len)
        return TACIT_OK;
    if (!(lambda >= 0))
        return cannot(r, "lambda is a number that is not negative");
    return engine_argus_set(r->batch, table, r->err, "lambda", "%.*s", (int)word.len, word.bytes);
}

static tacit_status specify_table(batch_reading *r)
{
    engine_argus_batch *batch = r->batch;
    engine_argus_table table = {.line = r->line, .margin = -1, .least = -1};
    if (!batch->source_count || r->open)
        return cannot(r, "a data file and its metadata come first");
    if (batch->table_count == ENGINE_ARGUS_MAX_TABLES)
        return cannot(r, "more than 256 tables");
    table.source = batch->source_count - 1;
    size_t refused = batch->refused;
    tacit_status status = read_parts(&table, r);
    if (status == TACIT_OK && batch->refused == refused)
        status = read_cost(&table, r);
    if (same_name(table.shadow, table.response))
        table.shadow = (tacit_strview){0};
    if (status == TACIT_OK &&
        !TACIT__PUSH(batch->tables, batch->table_capacity, batch->table_count, table))
        status = tacit__nomem(r->err);
    if (status != TACIT_OK)
        tacit__free(table.settings);
    return status;
}

/* ---- rules ---- */

/* A rule for single records, the first two of a kind, or for holdings. */
static void note_holding(engine_argus_table *table, int number)
{
    table->by_holding |= number > 2;
}

static tacit_status add_p(engine_argus_table *table, batch_reading *r, const bracket *b, int number)
{
    double p = b->numbers[0], q = b->count > 2 ? b->numbers[1] : 100;
    double coalition = b->count > 2 ? b->numbers[2] : b->count > 1 ? b->numbers[1] : 1;
    if (p == 0)
        return TACIT_OK;
    note_holding(table, number);
    if (coalition > 1)
        return cannot(r, "P: a coalition of more than one contributor is not known here; NK(n,k) "
                         "with n above 2 hides from one");
    if (!(q > 0))
        return cannot(r, "P: q is above 0");
    if (q == 100)
        return engine_argus_set(r->batch, table, r->err, "rule", "p:%g", p);
    return engine_argus_set(r->batch, table, r->err, "rule", "pq:%g,%g", p, q);
}

static tacit_status add_nk(engine_argus_table *table, batch_reading *r, const bracket *b,
                           int number)
{
    if (b->numbers[0] == 0 || b->numbers[1] == 0)
        return TACIT_OK;
    note_holding(table, number);
    return engine_argus_set(r->batch, table, r->err, "rule", "nk:%g,%g", b->numbers[0],
                            b->numbers[1]);
}

static void widen(double *kept, double number)
{
    *kept = number > *kept ? number : *kept;
}

/* A minimum of 3 contributors finds cells with 1 or 2. */
static tacit_status add_freq(engine_argus_table *table, batch_reading *r, const bracket *b,
                             int number)
{
    if (b->numbers[0] <= 1)
        return TACIT_OK;
    table->by_holding |= number > 1;
    widen(&table->margin, b->numbers[1]);
    return engine_argus_set(r->batch, table, r->err, "rule", "freq:%g", b->numbers[0] - 1);
}

static tacit_status add_request(engine_argus_table *table, batch_reading *r, const bracket *b,
                                int number)
{
    double first = b->numbers[0], second = b->numbers[1];
    double percent = second > 0 && (second < first || first == 0) ? second : first;
    if (percent == 0)
        return TACIT_OK;
    table->by_holding |= number > 1;
    table->by_request = true;
    widen(&table->margin, b->numbers[3]);
    if (first > 0 && second > 0 && first != second) {
        tacit_status status = passed_over(r, "REQ: the smaller percentage is taken for both codes");
        if (status != TACIT_OK)
            return status;
    }
    return engine_argus_set(r->batch, table, r->err, "rule", "request:%g", percent);
}

static tacit_status add_argus_rule(engine_argus_table *table, batch_reading *r, tacit_strview kind,
                                   const bracket *b, int numbers[4])
{
    static const char WRONG[] = "a rule has other numbers than is known of it";
    if (engine_argus_is(kind, "P"))
        return has_numbers(b, 1) ? add_p(table, r, b, ++numbers[0]) : cannot(r, WRONG);
    if (engine_argus_is(kind, "NK"))
        return has_numbers(b, 2) ? add_nk(table, r, b, ++numbers[1]) : cannot(r, WRONG);
    if (engine_argus_is(kind, "FREQ"))
        return has_numbers(b, 2) ? add_freq(table, r, b, ++numbers[2]) : cannot(r, WRONG);
    if (engine_argus_is(kind, "REQ"))
        return has_numbers(b, 4) ? add_request(table, r, b, ++numbers[3]) : cannot(r, WRONG);
    if (!has_numbers(b, 1))
        return cannot(r, WRONG);
    double number = b->numbers[0];
    if (engine_argus_is(kind, "ZERO")) {
        widen(&table->least, number);
        return push_setting(table, "zero", "primary", r->err);
    }
    if (engine_argus_is(kind, "WGT"))
        table->weighted = number != 0;
    else if (engine_argus_is(kind, "MAN"))
        widen(&table->margin, number);
    else if (engine_argus_is(kind, "MIS") && number != 0)
        return passed_over(r, "MIS(1): cells with a code for missing are judged like any other");
    else if (!engine_argus_is(kind, "MIS"))
        return cannot(r, "a rule is not known");
    return TACIT_OK;
}

static tacit_status safety_rule(batch_reading *r)
{
    engine_argus_batch *batch = r->batch;
    int numbers[4] = {0};
    tacit_status status = TACIT_OK;
    if (batch->table_count == batch->first)
        return cannot(r, "a <SPECIFYTABLE> comes first");
    engine_argus_table *table = &batch->tables[batch->table_count - 1];
    table->ruled = true;
    table->rules = (tacit_strview){r->words.at, (size_t)(r->words.end - r->words.at)};
    do {
        bracket arguments;
        tacit_strview kind = engine_argus_word(&r->words, "(,)|", NULL);
        if (!kind.len)
            break;
        if (!read_bracket(&arguments, &r->words))
            return cannot(r, "a rule is written NAME(number, ...), with | between rules");
        status = add_argus_rule(table, r, kind, &arguments, numbers);
    } while (status == TACIT_OK && engine_argus_take(&r->words, '|'));
    if (status == TACIT_OK && r->words.at < r->words.end)
        status = cannot(r, "a | is expected between rules");
    return status;
}

/* ---- methods ---- */

/* The table of that number; NULL, with a remark: there is none. */
static engine_argus_table *table_numbered(batch_reading *r, double number, tacit_status *status)
{
    engine_argus_batch *batch = r->batch;
    size_t count = batch->table_count - batch->first;
    if (number >= 1 && number <= (double)count && number == floor(number))
        return &batch->tables[batch->first + (size_t)number - 1];
    *status = cannot(r, "there is no table of that number");
    return NULL;
}

static bool is_on(const bracket *b, int at)
{
    return at < b->count && b->numbers[at] == 1;
}

static tacit_status set_method(engine_argus_table *table, batch_reading *r, const char *method)
{
    if (table->method_line)
        return cannot(r, "the table has a method already");
    table->method_line = r->line;
    return push_setting(table, "method", method, r->err);
}

/* Minutes that a search may take, where they were said. */
static tacit_status set_time(engine_argus_table *table, batch_reading *r, const bracket *b, int at)
{
    if (at >= b->count || !(b->numbers[at] > 0))
        return TACIT_OK;
    return engine_argus_set(r->batch, table, r->err, "time", "%g", 60 * b->numbers[at]);
}

static tacit_status by_hypercube(engine_argus_table *table, batch_reading *r, const bracket *b)
{
    tacit_status status = set_method(table, r, "hypercube");
    if (status == TACIT_OK && b->count > 1 && b->numbers[1] > 0)
        status = engine_argus_set(r->batch, table, r->err, "bounds", "%g", b->numbers[1]);
    if (status == TACIT_OK && is_on(b, 3))
        status = push_setting(table, "singletons", NULL, r->err);
    return status;
}

static tacit_status by_hitas(engine_argus_table *table, batch_reading *r, const bracket *b)
{
    tacit_status status = set_method(table, r, "hitas");
    if (status == TACIT_OK && (is_on(b, 2) || is_on(b, 3) || is_on(b, 4)))
        status = push_setting(table, "singletons", NULL, r->err);
    return status;
}

static tacit_status by_rounding(engine_argus_table *table, batch_reading *r, const bracket *b)
{
    if (b->count < 2 || !(b->numbers[1] > 0))
        return cannot(r, "RND needs a base above 0");
    tacit_status status = set_method(table, r, "round-controlled");
    if (status == TACIT_OK)
        status = engine_argus_set(r->batch, table, r->err, "base", "%g", b->numbers[1]);
    return status == TACIT_OK ? set_time(table, r, b, 3) : status;
}

static tacit_status apply_method(engine_argus_table *table, batch_reading *r, tacit_strview method,
                                 const bracket *b)
{
    tacit_status status = TACIT_OK;
    if (engine_argus_is(method, "GH"))
        return by_hypercube(table, r, b);
    if (engine_argus_is(method, "MOD") || engine_argus_is(method, "HITAS"))
        return by_hitas(table, r, b);
    if (engine_argus_is(method, "RND"))
        return by_rounding(table, r, b);
    if (engine_argus_is(method, "CTA"))
        return set_method(table, r, "adjust");
    if (engine_argus_is(method, "OPT")) {
        status = set_method(table, r, "optimal");
        return status == TACIT_OK ? set_time(table, r, b, 1) : status;
    }
    if (engine_argus_is(method, "NET")) {
        status = passed_over(r, "NET: the method is auto, which takes tables of any shape");
        return status == TACIT_OK ? set_method(table, r, "auto") : status;
    }
    if (engine_argus_is(method, "CKM"))
        return cannot(r, "CKM: there is no cell key method; tacit protect --method dp adds noise "
                         "under a budget");
    return cannot(r, "SUPPRESS: the method is not known");
}

/* Linked tables have one method, whose settings are those of the first. */
static tacit_status suppress_linked(batch_reading *r, tacit_strview method, const bracket *b)
{
    engine_argus_batch *batch = r->batch;
    tacit_status status = TACIT_OK;
    if (!engine_argus_is(method, "GH") && !engine_argus_is(method, "MOD"))
        return cannot(r, "linked tables are for GH and MOD");
    if (batch->table_count == batch->first)
        return cannot(r, "there is no table");
    for (size_t i = batch->first; i < batch->table_count && status == TACIT_OK; i++) {
        batch->tables[i].linked = true;
        status = apply_method(&batch->tables[i], r, method, b);
    }
    return status;
}

static tacit_status suppress_table(batch_reading *r)
{
    bracket arguments;
    tacit_status status = TACIT_OK;
    tacit_strview method = engine_argus_word(&r->words, "(", NULL);
    if (!read_bracket(&arguments, &r->words) || !has_numbers(&arguments, 1))
        return cannot(r, "SUPPRESS is written METHOD(table, number, ...)");
    if (arguments.numbers[0] == 0)
        return suppress_linked(r, method, &arguments);
    engine_argus_table *table = table_numbered(r, arguments.numbers[0], &status);
    return table ? apply_method(table, r, method, &arguments) : status;
}

/* ---- files ---- */

static bool ends_jj(tacit_strview name)
{
    return name.len > 3 && memcmp(name.bytes + name.len - 3, ".jj", 3) == 0;
}

/* Options of a form that are switched on and have no counterpart. */
static tacit_status check_form_options(batch_reading *r, tacit_strview options)
{
    static const char *const LEFT[] = {"HL", "SO", "AR", "HI", "SE", "TR", "AO", "AD", "AC"};
    tacit_status status = TACIT_OK;
    for (size_t i = 0; i + 2 < options.len && status == TACIT_OK; i++)
        for (size_t k = 0; k < sizeof LEFT / sizeof *LEFT; k++)
            if (memcmp(options.bytes + i, LEFT[k], 2) == 0 && options.bytes[i + 2] == '+')
                status =
                    engine_argus_remark_add(r->batch, r->line, false, r->err,
                                            "%s+ is not done: the form is as ours is", LEFT[k]);
    return status;
}

static tacit_status set_target(batch_reading *r, engine_argus_table *table, int slot,
                               tacit_strview file)
{
    engine_argus_target *target = &table->targets[slot];
    if (target->line)
        return engine_argus_remark_add(
            r->batch, r->line, true, r->err,
            "line %lld writes the table in that form already: leave one out",
            (long long)target->line);
    *target = (engine_argus_target){r->line, file};
    return TACIT_OK;
}

/* (table, form, options, "file") */
static tacit_status write_form(batch_reading *r)
{
    static const int SLOTS[] = {ENGINE_ARGUS_PIVOT, ENGINE_ARGUS_RELEASE, ENGINE_ARGUS_RELEASE,
                                ENGINE_ARGUS_SBS,   ENGINE_ARGUS_FULL,    ENGINE_ARGUS_FULL};
    bracket b;
    tacit_status status = TACIT_OK;
    if (!read_bracket(&b, &r->words) || b.count != 4 || !b.words[3].len)
        return cannot(r, "WRITETABLE is written (table, form, options, \"file\")");
    engine_argus_table *table = table_numbered(r, b.numbers[0], &status);
    if (!table)
        return status;
    int form = b.numbers[1] >= 1 && b.numbers[1] <= 7 ? (int)b.numbers[1] : 0;
    if (form == 0 || form == 7)
        return cannot(r, form ? "WRITETABLE: there is no cell key method, nor its form"
                              : "WRITETABLE: forms are numbered from 1 to 6");
    if (form == 6 && !ends_jj(b.words[3]))
        return cannot(r, "WRITETABLE: the name of a JJ file ends in .jj here");
    if (form != 6 && ends_jj(b.words[3]))
        return cannot(r, "WRITETABLE: a name that ends in .jj is for form 6");
    status = check_form_options(r, b.words[2]);
    return status == TACIT_OK ? set_target(r, table, SLOTS[form - 1], b.words[3]) : status;
}

/* "file", table, "separator", ignore errors, expand trivial codes */
static tacit_status add_apriori(batch_reading *r)
{
    engine_argus_words *line = &r->words;
    tacit_status status = TACIT_OK;
    tacit_strview words[5] = {{0}};
    int count = 0;
    do
        words[count++] = engine_argus_word(line, ",", NULL);
    while (count < 5 && engine_argus_take(line, ','));
    engine_argus_table *table =
        table_numbered(r, count > 1 && words[1].len ? tacit__decimal_read(words[1]) : NAN, &status);
    if (!table)
        return status;
    if (table->apriori_line)
        return cannot(r, "the table has an a-priori file already: put their lines in one");
    table->apriori_line = r->line;
    table->apriori = words[0];
    table->apriori_separator = words[2].len ? words[2].bytes[0] : ',';
    if (engine_argus_is(words[4], "1"))
        status = passed_over(r, "trivial levels need no expanding: a total with a single part is "
                                "one cell under both names");
    if (status == TACIT_OK && engine_argus_is(words[3], "1"))
        status =
            passed_over(r, "errors are not ignored: a wrong line stops the run with its place");
    return status;
}

static tacit_status read_table_command(batch_reading *r)
{
    tacit_strview word = engine_argus_word(&r->words, "", NULL);
    if (word.len && word.bytes[0] == '1')
        return passed_over(r, "READTABLE 1: totals that are missing are computed; given ones are "
                              "checked, and a wrong one is an error");
    if (word.len && word.bytes[0] == '2')
        return cannot(r, "READTABLE 2: tables whose totals do not add up cannot be protected");
    return TACIT_OK;
}

/* ---- lines ---- */

typedef struct command {
    const char *name;
    tacit_status (*run)(batch_reading *r);
    const char *passed, *refused; /* what is said of it where there is nothing to run */
} command;

static tacit_status open_records(batch_reading *r)
{
    return open_data(r, false);
}

static tacit_status open_cells(batch_reading *r)
{
    return open_data(r, true);
}

static tacit_status start_again(batch_reading *r)
{
    r->batch->first = r->batch->table_count;
    r->open = false;
    return TACIT_OK;
}

static const command COMMANDS[] = {
    {"<OPENMICRODATA>", open_records, NULL, NULL},
    {"<OPENTABLEDATA>", open_cells, NULL, NULL},
    {"<OPENMETADATA>", open_meta, NULL, NULL},
    {"<SPECIFYTABLE>", specify_table, NULL, NULL},
    {"<SAFETYRULE>", safety_rule, NULL, NULL},
    {"<READMICRODATA>", NULL, NULL, NULL},
    {"<READTABLE>", read_table_command, NULL, NULL},
    {"<APRIORI>", add_apriori, NULL, NULL},
    {"<APRIORY>", add_apriori, NULL, NULL},
    {"<SUPPRESS>", suppress_table, NULL, NULL},
    {"<WRITETABLE>", write_form, NULL, NULL},
    {"<CLEAR>", start_again, NULL, NULL},
    {"<COMMENT>", NULL, NULL, NULL},
    {"<SILENT>", NULL, NULL, NULL},
    {"<ANCO>", NULL, NULL, NULL},
    {"<SOLVER>", NULL, "there is one solver, which is built in", NULL},
    {"<LOGBOOK>", NULL, "no log is written; --report writes what was done, as JSON", NULL},
    {"<VERSIONINFO>", NULL, "tacit --version says the version", NULL},
    {"<GOINTERACTIVE>", NULL, "there is nothing to go on with by hand", NULL},
    {"<RECODE>", NULL, NULL,
     "RECODE: codes are not recoded here; give the hierarchy without the levels that are too fine"},
    {"<COVER>", NULL, NULL, "COVER: linked tables need no cover table; SUPPRESS GH(0) or MOD(0)"},
    {"<JJ>", NULL, NULL, "JJ: give the .jj itself: tacit protect table.jj"},
};

static tacit_status read_command(batch_reading *r)
{
    tacit_strview word = engine_argus_word(&r->words, "", NULL);
    if (!word.len ||
        (word.len > 1 && (memcmp(word.bytes, "//", 2) == 0 || memcmp(word.bytes, "\\\\", 2) == 0)))
        return TACIT_OK;
    for (size_t i = 0; i < sizeof COMMANDS / sizeof *COMMANDS; i++) {
        const command *c = &COMMANDS[i];
        if (!engine_argus_is(word, c->name))
            continue;
        return c->run       ? c->run(r)
               : c->refused ? cannot(r, c->refused)
               : c->passed  ? passed_over(r, c->passed)
                            : TACIT_OK;
    }
    return engine_argus_remark_add(r->batch, r->line, true, r->err, "%s is not known",
                                   tacit__show(word).text);
}

/* What no single line shows. */
static tacit_status check_table(batch_reading *r, const engine_argus_table *table)
{
    bool written = false;
    r->line = table->line;
    for (int i = 0; i < ENGINE_ARGUS_SLOTS; i++)
        written |= table->targets[i].line != 0;
    if (written && !table->method_line)
        return cannot(r, "the table is written and has no <SUPPRESS>: what is primary could be "
                         "worked out from the rest");
    if (!written && !table->linked)
        return passed_over(r, "the table is not written, so nothing is done");
    if (!table->ruled && !r->batch->sources[table->source].cells)
        return cannot(r, "the table has no <SAFETYRULE>");
    return TACIT_OK;
}

tacit_status engine_argus_batch_parse(engine_argus_batch *batch, tacit_strview bytes,
                                      tacit_error *err)
{
    engine_argus_words text = {bytes.bytes, bytes.bytes + bytes.len};
    batch_reading r = {.batch = batch, .err = err};
    tacit_status status = TACIT_OK;
    while (status == TACIT_OK && engine_argus_line(&r.words, &text)) {
        r.line++;
        status = read_command(&r);
    }
    for (size_t i = 0; i < batch->table_count && status == TACIT_OK; i++)
        status = check_table(&r, &batch->tables[i]);
    if (status == TACIT_OK && batch->table_count == 0) {
        r.line = r.line ? r.line : 1;
        status = cannot(&r, "there is no table: nothing to do");
    }
    for (size_t i = 0; i < batch->source_count && status == TACIT_OK; i++)
        if (!batch->sources[i].meta.len) {
            r.line = batch->sources[i].line;
            status = cannot(&r, "the data file has no <OPENMETADATA>");
        }
    return status;
}

void engine_argus_batch_clear(engine_argus_batch *batch)
{
    for (size_t i = 0; i < batch->table_count; i++)
        tacit__free(batch->tables[i].settings);
    tacit__free(batch->tables);
    tacit__free(batch->sources);
    tacit__free(batch->remarks);
    tacit__arena_clear(&batch->arena);
    *batch = (engine_argus_batch){0};
}
