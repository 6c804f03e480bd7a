/*
 * argus_files.c - the files that a batch of tau-Argus names: found, opened, and made anew without a
 * name, as the columns that a table needs.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/vector.h"
#include "engine/tables/argus_run.h"

const char *engine_argus_keep(engine_argus_run *s, const char *format, ...)
{
    char text[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const char *kept = tacit__arena_copy(&s->batch.arena, tacit_strview_of(text)).bytes;
    if (!kept)
        tacit__nomem(&s->session->error);
    return kept;
}

const char *engine_argus_folder(engine_argus_run *s, const char *path)
{
    const char *base = engine_base_name(path);
    return engine_argus_keep(s, "%.*s", (int)(base - path), path);
}

/* The file of that name in a folder, whatever its case; NULL: there is none. */
static const char *find_beside(engine_argus_run *s, const char *folder, const char *name)
{
    const char *found = NULL;
    DIR *listing = opendir(*folder ? folder : ".");
    if (!listing)
        return NULL;
    for (struct dirent *entry; !found && (entry = readdir(listing));)
        if (strcasecmp(entry->d_name, name) == 0)
            found = engine_argus_keep(s, "%s%s", folder, entry->d_name);
    closedir(listing);
    return found;
}

/* A name of a batch file as a path: \ is /, and what another system calls a drive is left out with
 * the folders that follow. */
tacit_status engine_argus_path(const char **out, engine_argus_run *s, const char *folder,
                               tacit_strview name, int64_t line)
{
    char text[PATH_MAX];
    if (name.len == 0 || name.len >= sizeof text || memchr(name.bytes, '\0', name.len))
        return tacit__error_at(&s->session->error, TACIT_PARSE, s->file, line, 0,
                               "the name of a file is empty or too long");
    memcpy(text, name.bytes, name.len);
    text[name.len] = '\0';
    for (char *at = text; *at; at++)
        *at = *at == '\\' ? '/' : *at;
    bool drive = name.len > 2 && text[1] == ':';
    *out = drive            ? engine_argus_keep(s, "%s%s", s->folder, engine_base_name(text))
           : text[0] == '/' ? engine_argus_keep(s, "%s", text)
                            : engine_argus_keep(s, "%s%s", folder, text);
    return *out ? TACIT_OK : TACIT_NOMEM;
}

/* The path of a file that is read. */
tacit_status engine_argus_find(const char **out, engine_argus_run *s, const char *folder,
                               tacit_strview name, int64_t line)
{
    struct stat about;
    const char *path = NULL;
    tacit_status status = engine_argus_path(&path, s, folder, name, line);
    if (status != TACIT_OK)
        return status;
    if (stat(path, &about) != 0) {
        const char *found = find_beside(s, engine_argus_folder(s, path), engine_base_name(path));
        found = found ? found : find_beside(s, folder, engine_base_name(path));
        if (!found)
            return tacit__error_at(&s->session->error, TACIT_IO, s->file, line, 0,
                                   "%.300s: no such file; names are relative to the batch file",
                                   path);
        path = found;
    }
    *out = path;
    return TACIT_OK;
}

tacit_status engine_argus_note(engine_argus_run *s, const char *path, const char *called,
                               bool written)
{
    engine_file file = {path, called, written};
    return TACIT__PUSH(s->files, s->file_capacity, s->file_count, file)
               ? TACIT_OK
               : tacit__nomem(&s->session->error);
}

/* A file without a name with that text, which is cleared. */
tacit_status engine_argus_make(const char **path, engine_argus_run *s, tacit__strbuf *text,
                               const char *shown, int header)
{
    tacit_error *err = &s->session->error;
    engine_argus_made made = {
        .fd = memfd_create("tacit", MFD_CLOEXEC), .shown = shown, .header = header};
    if (made.fd < 0)
        return tacit__io(err, shown, "cannot be kept in memory", errno);
    made.path = engine_argus_keep(s, "/dev/fd/%d", made.fd);
    tacit_status status = made.path ? TACIT_OK : TACIT_NOMEM;
    if (status == TACIT_OK)
        status = tacit__write_at(made.fd, shown, text->bytes ? text->bytes : "", text->len, 0, err);
    if (status == TACIT_OK && !TACIT__PUSH(s->made, s->made_capacity, s->made_count, made))
        status = tacit__nomem(err);
    if (status != TACIT_OK)
        close(made.fd);
    else
        *path = made.path;
    tacit__strbuf_clear(text);
    return status;
}

/* Puts the names of files in the place of those of files without a name. */
void engine_argus_show(const engine_argus_run *s, char *out, size_t size, const char *text)
{
    size_t len = 0;
    while (*text && len + 1 < size) {
        const char *shown = NULL;
        size_t skip = 1;
        for (size_t i = 0; i < s->made_count && !shown; i++) {
            size_t path = strlen(s->made[i].path);
            if (strncmp(text, s->made[i].path, path) == 0 &&
                !(text[path] >= '0' && text[path] <= '9')) {
                shown = s->made[i].shown;
                skip = path;
            }
        }
        int wrote =
            snprintf(out + len, size - len, "%.*s", shown ? INT_MAX : 1, shown ? shown : text);
        len += wrote > 0 ? (size_t)wrote : 0;
        text += skip;
    }
    out[len < size ? len : size - 1] = '\0';
}

/* ---- data and metadata ---- */

tacit_status engine_argus_open(engine_argus_run *s, size_t index)
{
    const engine_argus_source *named = &s->batch.sources[index];
    engine_argus_opened *source = &s->sources[index];
    tacit_error *err = &s->session->error;
    const char *meta = NULL;
    if (source->tried)
        return TACIT_OK;
    source->tried = true;
    tacit_status status =
        engine_argus_find(&source->data_path, s, s->folder, named->data, named->line);
    if (status == TACIT_OK)
        status = engine_argus_find(&meta, s, s->folder, named->meta, named->meta_line);
    if (status == TACIT_OK)
        status = engine_argus_note(s, source->data_path, "the data", false);
    if (status == TACIT_OK)
        status = engine_argus_note(s, meta, "the metadata", false);
    if (status == TACIT_OK)
        status = tacit__input_open(&source->meta_input, meta, ENGINE_ARGUS_MAX_TEXT, NULL, err);
    if (status == TACIT_OK)
        status = engine_argus_meta_parse(
            &source->meta, (tacit_strview){source->meta_input.bytes, source->meta_input.len}, meta,
            named->cells, err);
    if (status == TACIT_OK && !(source->meta_folder = engine_argus_folder(s, meta)))
        status = TACIT_NOMEM;
    if (status == TACIT_OK)
        status =
            tacit__input_open(&source->data_input, source->data_path, 0, &s->session->run, err);
    return status;
}

static tacit_status add_column(engine_argus_columns *columns, engine_argus_run *s,
                               const engine_argus_table *table,
                               const engine_argus_variable *variable, tacit_strview called,
                               const char *name)
{
    const engine_argus_meta *meta = &s->sources[table->source].meta;
    tacit_error *err = &s->session->error;
    if (!variable)
        return tacit__error_at(err, TACIT_INVALID, s->file, table->line, 0,
                               "the metadata has no variable %s", tacit__show(called).text);
    name =
        name ? name : engine_argus_keep(s, "%.*s", (int)variable->name.len, variable->name.bytes);
    if (!name)
        return TACIT_NOMEM;
    for (size_t i = 0; i < columns->count; i++)
        if (strcmp(columns->list[i].name, name) == 0) {
            if (columns->list[i].variable == variable)
                return TACIT_OK;
            return tacit__error_at(err, TACIT_INVALID, s->file, table->line, 0,
                                   "two variables would both be the column %.100s; rename one",
                                   name);
        }
    if (columns->count == ENGINE_ARGUS_MAX_COLUMNS)
        return tacit__error_at(err, TACIT_INVALID, s->file, table->line, 0, "too many variables");
    columns->list[columns->count++] =
        (engine_argus_column){.variable = variable,
                              .at = (size_t)(variable - meta->variables),
                              .coded = variable->tree.len || variable->level_count,
                              .name = name};
    return TACIT_OK;
}

static tacit_status add_named_column(engine_argus_columns *columns, engine_argus_run *s,
                                     const engine_argus_table *table, tacit_strview name)
{
    if (!name.len)
        return TACIT_OK;
    const engine_argus_meta *meta = &s->sources[table->source].meta;
    return add_column(columns, s, table, engine_argus_meta_find(meta, name), name, NULL);
}

/* What rows of cells say besides: under the names that a long CSV has for it. */
static tacit_status add_known_columns(engine_argus_columns *columns, engine_argus_run *s,
                                      const engine_argus_table *table)
{
    static const struct {
        engine_argus_role role;
        const char *name;
    } KNOWN[] = {{ENGINE_ARGUS_FREQUENCY, "freq"},
                 {ENGINE_ARGUS_STATUS, "status"},
                 {ENGINE_ARGUS_LOWER, "lpl"},
                 {ENGINE_ARGUS_UPPER, "upl"}};
    const engine_argus_meta *meta = &s->sources[table->source].meta;
    tacit_status status = TACIT_OK;
    int largest = 0;
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN && status == TACIT_OK; i++) {
        const engine_argus_variable *v = engine_argus_meta_role(meta, KNOWN[i].role);
        if (v)
            status = add_column(columns, s, table, v, v->name, KNOWN[i].name);
    }
    for (size_t i = 0; i < meta->count && status == TACIT_OK; i++)
        if (meta->variables[i].role == ENGINE_ARGUS_LARGEST && largest < TACIT_MAX_TOP)
            status = add_column(columns, s, table, &meta->variables[i], meta->variables[i].name,
                                engine_argus_keep(s, "max%d", ++largest));
    return status;
}

static tacit_status add_role(engine_argus_columns *columns, engine_argus_run *s,
                             const engine_argus_table *table, bool wanted, engine_argus_role role,
                             const char *tag)
{
    if (!wanted)
        return TACIT_OK;
    return add_column(columns, s, table,
                      engine_argus_meta_role(&s->sources[table->source].meta, role),
                      tacit_strview_of(tag), NULL);
}

tacit_status engine_argus_choose(engine_argus_columns *columns, engine_argus_run *s,
                                 const engine_argus_table *table, bool cells)
{
    tacit_status status = TACIT_OK;
    for (int i = 0; i < table->dim_count && status == TACIT_OK; i++)
        status = add_named_column(columns, s, table, table->dims[i]);
    if (status == TACIT_OK)
        status = add_named_column(columns, s, table, table->response);
    if (status == TACIT_OK)
        status = add_named_column(columns, s, table, table->cost);
    if (status == TACIT_OK && cells && table->shadow.len)
        status = tacit__error_at(&s->session->error, TACIT_INVALID, s->file, table->line, 0,
                                 "a shadow variable is for records; cells have the contributions "
                                 "of their own value");
    if (status != TACIT_OK)
        return status;
    if (cells)
        return add_known_columns(columns, s, table);
    status = add_named_column(columns, s, table, table->shadow);
    if (status == TACIT_OK)
        status = add_role(columns, s, table, table->weighted, ENGINE_ARGUS_WEIGHT, "<WEIGHT>");
    if (status == TACIT_OK)
        status = add_role(columns, s, table, table->by_holding, ENGINE_ARGUS_HOLDING, "<HOLDING>");
    if (status == TACIT_OK)
        status = add_role(columns, s, table, table->by_request, ENGINE_ARGUS_REQUEST, "<REQUEST>");
    return status;
}
