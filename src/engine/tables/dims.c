/*
 * dims.c - reads --dim, for every command that takes a statistical table.
 */
#include "engine/tables/tables.h"

#include "base/error.h"
#include <string.h>

bool engine_is_jj(const char *path)
{
    size_t len = strlen(path);
    return len > 3 && strcmp(path + len - 3, ".jj") == 0;
}

int32_t engine_dims_find(const engine_dims *dims, const char *name, size_t len)
{
    for (int32_t i = 0; i < dims->count; i++)
        if (strlen(dims->names[i]) == len && memcmp(dims->names[i], name, len) == 0)
            return i;
    return -1;
}

static tacit_status new_dimension(int32_t *out, engine_dims *dims, const char *name, size_t len,
                                  tacit_error *err)
{
    if (dims->count == TACIT_MAX_DIMENSIONS)
        return tacit__error(err, TACIT_INVALID, "--dim: a table has at most %d dimensions",
                            TACIT_MAX_DIMENSIONS);
    int32_t at = dims->count++;
    memcpy(dims->names[at], name, len);
    dims->names[at][len] = '\0';
    dims->list[at] =
        (tacit_dimension_spec){.column = dims->names[at], .hierarchies = dims->files[at]};
    *out = at;
    return TACIT_OK;
}

static tacit_status add_tree(engine_dims *dims, int32_t at, const char *file, tacit_error *err)
{
    if (dims->list[at].hierarchy_count == TACIT_MAX_TREES)
        return tacit__error(err, TACIT_INVALID,
                            "--dim %.40s: a dimension has at most %d hierarchies", dims->names[at],
                            TACIT_MAX_TREES);
    dims->files[at][dims->list[at].hierarchy_count++] = file;
    return TACIT_OK;
}

/* COLUMN or COLUMN=FILE. */
static tacit_status add(engine_dims *dims, const char *text, tacit_error *err)
{
    const char *file = strchr(text, '=');
    size_t len = file ? (size_t)(file - text) : strlen(text);
    if (len == 0 || len >= ENGINE_DIM_NAME || (file && !file[1]))
        return tacit__error(err, TACIT_INVALID, "--dim is COLUMN or COLUMN=HIERARCHY, not %.40s",
                            text);
    int32_t at = engine_dims_find(dims, text, len);
    tacit_status status = TACIT_OK;
    if (at >= 0 && (!file || dims->list[at].hierarchy_count == 0))
        return tacit__error(err, TACIT_INVALID,
                            "--dim %.40s is given twice; a further hierarchy of it is another "
                            "--dim COLUMN=HIERARCHY",
                            dims->names[at]);
    if (at < 0)
        status = new_dimension(&at, dims, text, len, err);
    return status == TACIT_OK && file ? add_tree(dims, at, file + 1, err) : status;
}

/* CODE for all dimensions, or COLUMN=CODE for one. */
static void name_totals(engine_dims *dims, const char *text)
{
    const char *code = strchr(text, '=');
    int32_t at = code ? engine_dims_find(dims, text, (size_t)(code - text)) : -1;
    for (int32_t i = 0; i < dims->count; i++)
        if (at < 0 || i == at)
            dims->list[i].total = at < 0 ? text : code + 1;
}

tacit_status engine_dims_init(engine_dims *dims, const engine_settings *settings, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    dims->count = 0;
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (strcmp(settings->given[i].setting->name, "dim") == 0)
            status = add(dims, settings->given[i].value, err);
    for (size_t i = 0; i < settings->given_count && status == TACIT_OK; i++)
        if (strcmp(settings->given[i].setting->name, "total") == 0)
            name_totals(dims, settings->given[i].value);
    return status;
}
