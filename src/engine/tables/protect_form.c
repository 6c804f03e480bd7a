/*
 * protect_form.c - the form in which a protected table appears.
 *
 * A release is always written and judged as a CSV. In another form, that CSV stays a file without a
 * name, and what appears is made of it as it was read back: the same cells, with what is said of
 * their status. It is then read in its own form and compared with the judged one, row by row, by
 * code that shares nothing with what wrote it.
 *
 * Statuses are full in a CSV unless it is told otherwise, plain in every other form: s where there
 * is a value and x where there is none. Which suppressed cells are primary tells what the rules
 * found of them, such as that a count is from 1 to 3.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/file.h"
#include "engine/tables/protect.h"

/* Of SDMX: a value that is there, and one that is held back; free to be published, not to be, and
 * why not. */
static const char OBS_NORMAL[] = "A", OBS_SUPPRESSED[] = "Q";
static const char CONF_FREE[] = "F", CONF_NOT_FREE[] = "N", CONF_PRIMARY[] = "C",
                  CONF_SECONDARY[] = "D";
static const char DATAFLOW[] = "TACIT:TABLE(1.0)", DATAFLOW_2[] = "TACIT:TABLE(1.0.0)";

static bool is_sdmx(const engine_protection *p)
{
    return p->form.kind == ENGINE_FORM_SDMX || p->form.kind == ENGINE_FORM_SDMX_2;
}

static bool is_px(const engine_protection *p)
{
    return p->form.format && strcmp(tacit_format_name(p->form.format), "PC-Axis") == 0;
}

/* ---- the plan ---- */

static const tacit_format *format_of_target(const char *target)
{
    bool named = strcmp(target, "-") != 0 && strncmp(target, "/dev/", 5) != 0;
    return named ? tacit_format_of_name(target) : NULL;
}

/* What the name of the release says, and --as where it says nothing. */
static tacit_status choose_form(engine_protection *p, const char *target)
{
    static const char *const NAMES[] = {"csv", "px", "xlsx", "sdmx", "sdmx2"};
    static const char *const ENDINGS[] = {NULL, "x.px", "x.xlsx", NULL, NULL};
    const engine_settings *settings = p->session->settings;
    tacit_error *err = &p->session->error;
    engine_form *form = &p->form;
    int as = -1;
    tacit_status status = engine_choice(&as, settings, "as", NAMES, 5, err);
    if (status != TACIT_OK)
        return status;
    form->format = format_of_target(target);
    if (as >= 0 && (engine_is_jj(target) || form->format) &&
        (engine_is_jj(target) || !ENDINGS[as] || form->format != tacit_format_of_name(ENDINGS[as])))
        return tacit__error(err, TACIT_INVALID,
                            "--as %s: the name %.200s says another form; leave out one of the two",
                            NAMES[as], target);
    if (as > 0 && ENDINGS[as])
        form->format = tacit_format_of_name(ENDINGS[as]);
    if (form->format && !tacit_format_is_written(form->format))
        return tacit__error(err, TACIT_INVALID,
                            "%.200s: the format %s is read, not written; give the release another "
                            "name, such as one that ends in .csv",
                            target, tacit_format_name(form->format));
    form->kind = engine_is_jj(target) ? ENGINE_FORM_JJ
                 : form->format       ? ENGINE_FORM_FORMAT
                 : as == 3            ? ENGINE_FORM_SDMX
                 : as == 4            ? ENGINE_FORM_SDMX_2
                                      : ENGINE_FORM_CSV;
    return TACIT_OK;
}

/* Which statuses it has. */
static tacit_status choose_statuses(engine_protection *p)
{
    static const char *const NAMES[] = {"full", "plain"};
    engine_form *form = &p->form;
    tacit_error *err = &p->session->error;
    int statuses = -1;
    tacit_status status = engine_choice(&statuses, p->session->settings, "statuses", NAMES, 2, err);
    if (status != TACIT_OK)
        return status;
    if (statuses >= 0 && form->kind == ENGINE_FORM_JJ)
        return tacit__error(err, TACIT_INVALID,
                            "--statuses: a .jj has all values and statuses, and is for yourself");
    if (statuses == 0 && is_px(p))
        return tacit__error(err, TACIT_INVALID,
                            "--statuses full: a .px says which cells are suppressed, no more");
    form->plain = statuses == 1 || (statuses < 0 && form->kind != ENGINE_FORM_CSV);
    if (form->kind == ENGINE_FORM_CSV && form->plain)
        form->kind = ENGINE_FORM_PLAIN;
    return TACIT_OK;
}

tacit_status engine_form_plan(engine_protection *p)
{
    const engine_settings *settings = p->session->settings;
    tacit_error *err = &p->session->error;
    const char *target = engine_value(settings, "output");
    tacit_status status = choose_form(p, target ? target : "-");
    if (status == TACIT_OK)
        status = choose_statuses(p);
    if (status != TACIT_OK)
        return status;
    if (engine_has(settings, "dataflow") && !is_sdmx(p))
        return tacit__error(err, TACIT_INVALID, "--dataflow applies to --as sdmx and sdmx2");
    if (p->intervals && (is_px(p) || is_sdmx(p)))
        return tacit__error(err, TACIT_INVALID,
                            "intervals have no place in this form; write the release as a .csv");
    const char *dataflow = engine_value(settings, "dataflow");
    p->form.dataflow = dataflow                             ? dataflow
                       : p->form.kind == ENGINE_FORM_SDMX_2 ? DATAFLOW_2
                                                            : DATAFLOW;
    return TACIT_OK;
}

bool engine_form_converts(const engine_protection *p)
{
    return p->form.kind != ENGINE_FORM_CSV && p->form.kind != ENGINE_FORM_JJ;
}

/* ---- the text that is to appear ---- */

/* The judged table, column by column. */
typedef struct judged_table {
    const engine_protection *p;
    const tacit_table *table;
    tacit_codes_view codes[TACIT_MAX_DIMENSIONS + 4];
    int32_t columns, value, status; /* dimensions come before the value */
} judged_table;

static tacit_strview cell_of(const judged_table *j, int32_t column, int64_t row)
{
    uint32_t code = tacit_codes_at(j->codes[column], row);
    return code < tacit_table_distinct(j->table, column) ? tacit_table_value(j->table, column, code)
                                                         : (tacit_strview){0};
}

static tacit_status open_judged(judged_table *j, const engine_protection *p,
                                const tacit_table *table)
{
    *j = (judged_table){.p = p,
                        .table = table,
                        .columns = tacit_table_columns(table),
                        .status = tacit_table_find(table, tacit_strview_of("status"))};
    j->value = j->status - 1;
    for (int32_t i = 0; i < j->columns; i++)
        j->codes[i] = tacit_table_codes(table, i);
    return TACIT_OK;
}

static void add_form_cell(tacit__strbuf *out, tacit_strview text, bool first)
{
    bool quotes = false;
    for (size_t i = 0; i < text.len; i++)
        quotes |= strchr("\",\r\n", text.bytes[i]) != NULL;
    tacit__strbuf_text(out, first ? "" : ",");
    tacit__strbuf_text(out, quotes ? "\"" : "");
    for (size_t i = 0; i < text.len; i++)
        tacit__strbuf_add(out, text.bytes[i] == '"' ? "\"\"" : text.bytes + i,
                          text.bytes[i] == '"' ? 2 : 1);
    tacit__strbuf_text(out, quotes ? "\"" : "");
}

static bool is_out(const judged_table *j, int64_t row)
{
    return cell_of(j, j->value, row).len > 0;
}

/* What stands before the dimensions: of SDMX alone. */
static void add_structure(tacit__strbuf *out, const engine_protection *p, bool header)
{
    if (p->form.kind == ENGINE_FORM_SDMX) {
        add_form_cell(out, tacit_strview_of(header ? "DATAFLOW" : p->form.dataflow), true);
    } else if (p->form.kind == ENGINE_FORM_SDMX_2) {
        add_form_cell(out, tacit_strview_of(header ? "STRUCTURE" : "dataflow"), true);
        add_form_cell(out, tacit_strview_of(header ? "STRUCTURE_ID" : p->form.dataflow), false);
        add_form_cell(out, tacit_strview_of(header ? "ACTION" : "I"), false);
    }
}

static void add_form_header(tacit__strbuf *out, const judged_table *j)
{
    const engine_protection *p = j->p;
    add_structure(out, p, true);
    for (int32_t i = 0; i < j->columns; i++) {
        tacit_strview name = tacit_table_name(j->table, i);
        if (is_sdmx(p) && i == j->value)
            name = tacit_strview_of("OBS_VALUE");
        else if (is_sdmx(p) && i == j->status)
            name = tacit_strview_of("OBS_STATUS");
        if (!is_px(p) || i != j->status)
            add_form_cell(out, name, i == 0 && !is_sdmx(p));
    }
    tacit__strbuf_text(out, is_sdmx(p) ? ",CONF_STATUS\n" : "\n");
}

static const char *conf_status(const judged_table *j, int64_t row)
{
    tacit_strview letter = cell_of(j, j->status, row);
    if (is_out(j, row))
        return CONF_FREE;
    if (j->p->form.plain)
        return CONF_NOT_FREE;
    return letter.len == 1 && letter.bytes[0] == TACIT_CELL_PRIMARY ? CONF_PRIMARY : CONF_SECONDARY;
}

static void add_form_row(tacit__strbuf *out, const judged_table *j, int64_t row)
{
    const engine_protection *p = j->p;
    bool there = is_out(j, row);
    add_structure(out, p, false);
    for (int32_t i = 0; i < j->columns; i++) {
        tacit_strview cell = cell_of(j, i, row);
        if (i == j->value && !there && is_px(p))
            cell = tacit_strview_of("..");
        if (i == j->status && is_sdmx(p))
            cell = tacit_strview_of(there ? OBS_NORMAL : OBS_SUPPRESSED);
        else if (i == j->status && p->form.plain)
            cell = tacit_strview_of(there ? "s" : "x");
        if (!is_px(p) || i != j->status)
            add_form_cell(out, cell, i == 0 && !is_sdmx(p));
    }
    if (is_sdmx(p))
        add_form_cell(out, tacit_strview_of(conf_status(j, row)), false);
    tacit__strbuf_text(out, "\n");
}

/* Columns of SDMX must not have the names of dimensions. */
static tacit_status check_form_names(const judged_table *j, tacit_error *err)
{
    static const char *const OWN[] = {"DATAFLOW",  "STRUCTURE",  "STRUCTURE_ID", "ACTION",
                                      "OBS_VALUE", "OBS_STATUS", "CONF_STATUS"};
    for (int32_t i = 0; i < j->value && is_sdmx(j->p); i++)
        for (size_t k = 0; k < sizeof OWN / sizeof *OWN; k++)
            if (tacit_strview_equal(tacit_table_name(j->table, i), tacit_strview_of(OWN[k])))
                return tacit__error(err, TACIT_INVALID,
                                    "a dimension is named %s, as another column of SDMX-CSV; "
                                    "rename it",
                                    OWN[k]);
    return TACIT_OK;
}

static bool is_sdmx_name(tacit_strview name)
{
    for (size_t i = 0; i < name.len; i++)
        if (!((name.bytes[i] >= 'a' && name.bytes[i] <= 'z') ||
              (name.bytes[i] >= 'A' && name.bytes[i] <= 'Z') ||
              (name.bytes[i] >= '0' && name.bytes[i] <= '9') || strchr("_@$-", name.bytes[i])))
            return false;
    return name.len > 0;
}

/* Codes go out as they are, and a registry may not take them. */
static void warn_of_names(const judged_table *j)
{
    for (int32_t i = 0; i < j->value && is_sdmx(j->p); i++) {
        uint32_t other = 0, count = tacit_table_distinct(j->table, i);
        for (uint32_t k = 0; k < count; k++)
            other += !is_sdmx_name(tacit_table_value(j->table, i, k));
        tacit__shown name = tacit__show(tacit_table_name(j->table, i));
        if (other > 0 || !is_sdmx_name(tacit_table_name(j->table, i)))
            engine_warn(j->p->session,
                        "%s: its name or %u of its codes are no identifiers of SDMX, which are "
                        "letters, digits, _ @ $ and -",
                        name.text, other);
    }
}

/* ---- the check ---- */

typedef struct form_check {
    const judged_table *j;
    const tacit_table *file;
    int32_t at[TACIT_MAX_DIMENSIONS + 4]; /* where the columns of the judged table are; -1 */
    int32_t conf;
} form_check;

static tacit_strview written_cell(const tacit_table *file, int32_t column, int64_t row)
{
    uint32_t code = tacit_codes_at(tacit_table_codes(file, column), row);
    return code < tacit_table_distinct(file, column) ? tacit_table_value(file, column, code)
                                                     : (tacit_strview){0};
}

static tacit_status differs_from_judged(const form_check *c, const char *what)
{
    return tacit__error(&c->j->p->session->error, TACIT_INFEASIBLE,
                        "the second check refuses the release, and nothing is written: in its "
                        "form, %s",
                        what);
}

/* A column that has the same text everywhere. */
static bool is_constant(const tacit_table *file, const char *name, const char *text)
{
    int32_t at = tacit_table_find(file, tacit_strview_of(name));
    return at >= 0 && tacit_table_distinct(file, at) == 1 && !tacit_table_has_missing(file, at) &&
           tacit_strview_equal(tacit_table_value(file, at, 0), tacit_strview_of(text));
}

static bool has_structure(const form_check *c)
{
    const engine_protection *p = c->j->p;
    if (p->form.kind == ENGINE_FORM_SDMX)
        return is_constant(c->file, "DATAFLOW", p->form.dataflow);
    return !is_sdmx(p) || (is_constant(c->file, "STRUCTURE", "dataflow") &&
                           is_constant(c->file, "STRUCTURE_ID", p->form.dataflow) &&
                           is_constant(c->file, "ACTION", "I"));
}

static tacit_status find_form_columns(form_check *c)
{
    const judged_table *j = c->j;
    int32_t own = j->p->form.kind == ENGINE_FORM_SDMX     ? 2
                  : j->p->form.kind == ENGINE_FORM_SDMX_2 ? 4
                                                          : 0;
    bool all = tacit_table_columns(c->file) == j->columns + own &&
               tacit_table_rows(c->file) == tacit_table_rows(j->table);
    for (int32_t i = 0; i < j->columns; i++) {
        const char *renamed = !is_sdmx(j->p)   ? NULL
                              : i == j->value  ? "OBS_VALUE"
                              : i == j->status ? "OBS_STATUS"
                                               : NULL;
        c->at[i] = tacit_table_find(c->file, renamed ? tacit_strview_of(renamed)
                                                     : tacit_table_name(j->table, i));
        all &= c->at[i] >= 0;
    }
    c->conf = tacit_table_find(c->file, tacit_strview_of("CONF_STATUS"));
    all &= (c->conf >= 0) == is_sdmx(j->p);
    if (!all)
        return differs_from_judged(c, "its columns or its number of rows are others");
    return has_structure(c) ? TACIT_OK : differs_from_judged(c, "its structure is another");
}

/* The status that a judged one becomes. */
static bool is_same_status(const form_check *c, int64_t row)
{
    const judged_table *j = c->j;
    tacit_strview judged = cell_of(j, j->status, row);
    char letter = judged.len == 1 ? judged.bytes[0] : '\0';
    bool out = letter == TACIT_CELL_FREE || letter == TACIT_CELL_FIXED;
    tacit_strview said = written_cell(c->file, c->at[j->status], row);
    if (said.len != 1)
        return false;
    if (!is_sdmx(j->p))
        return j->p->form.plain ? said.bytes[0] == (out ? 's' : 'x') : said.bytes[0] == letter;
    tacit_strview conf = written_cell(c->file, c->conf, row);
    char wanted = out ? 'F' : j->p->form.plain ? 'N' : letter == 'u' ? 'C' : 'D';
    return said.bytes[0] == (out ? 'A' : 'Q') && conf.len == 1 && conf.bytes[0] == wanted;
}

static tacit_status compare_form_row(const form_check *c, int64_t row)
{
    const judged_table *j = c->j;
    for (int32_t i = 0; i < j->columns; i++)
        if (i != j->status &&
            !tacit_strview_equal(cell_of(j, i, row), written_cell(c->file, c->at[i], row)))
            return differs_from_judged(c,
                                       i == j->value ? "a value is another" : "a code is another");
    return is_same_status(c, row) ? TACIT_OK : differs_from_judged(c, "a status is another");
}

/* Reads what is to appear, and compares it with what was judged. */
static tacit_status check_form(const judged_table *j, int fd)
{
    engine_session *session = j->p->session;
    form_check c = {.j = j};
    tacit_table *file = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    tacit_status status =
        tacit_table_read_fd(&file, fd, "the release", &options, &session->run, &session->error);
    c.file = file;
    if (status == TACIT_OK)
        status = find_form_columns(&c);
    for (int64_t row = 0; status == TACIT_OK && row < tacit_table_rows(file); row++)
        status = compare_form_row(&c, row);
    tacit_table_free(file);
    return status;
}

/* ---- the whole ---- */

/* A file of a format is made of the text, and compared with it by the format. */
static tacit_status write_format(const engine_protection *p, int fd, tacit_strview text)
{
    engine_session *session = p->session;
    tacit_table *table = NULL;
    tacit_csv_options options;
    tacit_csv_options_init(&options);
    options.delimiter = ',';
    options.code_none = true;
    tacit_status status = tacit_table_read_memory(&table, text, "the release", &options,
                                                  &session->run, &session->error);
    if (status == TACIT_OK)
        status = tacit_format_write_shaded(fd, p->targets[ENGINE_PROTECT_RELEASE], p->form.format,
                                           "status", table, &session->run, &session->error);
    tacit_table_free(table);
    return status;
}

static tacit_status fill_form(const judged_table *j, int fd)
{
    const engine_protection *p = j->p;
    tacit_error *err = &p->session->error;
    tacit__strbuf text = {0};
    tacit_status status = check_form_names(j, err);
    if (status != TACIT_OK)
        return status;
    add_form_header(&text, j);
    for (int64_t row = 0; row < tacit_table_rows(j->table) && !text.failed; row++)
        add_form_row(&text, j, row);
    if (text.failed)
        status = tacit__nomem(err);
    else if (p->form.format)
        status = write_format(p, fd, (tacit_strview){text.bytes, text.len});
    else
        status =
            tacit__write_at(fd, p->targets[ENGINE_PROTECT_RELEASE], text.bytes, text.len, 0, err);
    tacit__strbuf_clear(&text);
    if (status == TACIT_OK && !p->form.format)
        status = check_form(j, fd);
    return status;
}

tacit_status engine_form_fill(engine_protection *p)
{
    judged_table j;
    tacit_table *table = NULL;
    if (!engine_form_converts(p))
        return TACIT_OK;
    tacit_status status = engine_protect_read_back(&table, p);
    if (status == TACIT_OK)
        status = open_judged(&j, p, table);
    if (status == TACIT_OK)
        status = fill_form(&j, tacit_output_fd(p->outputs[ENGINE_PROTECT_RELEASE]));
    if (status == TACIT_OK)
        warn_of_names(&j);
    tacit_table_free(table);
    return status;
}
