/*
 * hrc.c - the hierarchy files of tau-Argus and sdcTable: a line a code, depth
 * first, indented by leading @ characters.
 *
 * Two spellings are known: with a delimiter between the indentation and the
 * code (`@@;a101`), and without (`@a101`, codes of the first depth bare). The
 * first line's indentation is the first depth; each line may go one deeper
 * than the line before it. Several codes of the first depth imply a root,
 * `Total`. Codes that nothing stands under are the ground values; where
 * branches differ in depth, a short branch's code stays itself on the lower
 * levels until its parent's. Linear in the file.
 */
#include "hierarchy/tree.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/vector.h"

static const char indent = '@';

typedef struct lines {
    tacit__hierarchy_entry *entries;
    size_t capacity;
    uint32_t count;
    uint32_t open[TACIT_MAX_LEVELS]; /* the latest entry of each depth */
    size_t first;                    /* indentation of the first line */
} lines;

static size_t indentation(tacit_strview text)
{
    size_t count = 0;
    while (count < text.len && text.bytes[count] == indent)
        count++;
    return count;
}

/* Takes a line apart. */
static tacit_status read_line(size_t *depth, tacit_strview *code, const tacit__rows *rows,
                              tacit_error *err)
{
    tacit_strview first = rows->fields[0];
    *depth = indentation(first);
    if (rows->delimiter && (rows->count != 2 || *depth != first.len))
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "a line of a .hrc file is its indentation, %c and a code, as in "
                               "@@%ca101",
                               rows->delimiter, rows->delimiter);
    *code = rows->delimiter ? rows->fields[1]
                            : (tacit_strview){first.bytes + *depth, first.len - *depth};
    if (!code->len)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "the code is empty; write one after the indentation");
    return TACIT_OK;
}

static tacit_status check_depth(const lines *so_far, size_t depth, tacit_strview code,
                                const tacit__rows *rows, tacit_error *err)
{
    tacit__shown shown = tacit__show(code);
    if (depth < so_far->first)
        return tacit__error_at(err, TACIT_PARSE, rows->file, rows->line, 0,
                               "\"%s\" is indented less than the first line; start with the top",
                               shown.text);
    size_t below = depth - so_far->first;
    size_t deepest = so_far->count ? (size_t)so_far->entries[so_far->count - 1].depth + 1 : 0;
    if (below > deepest)
        return tacit__error_at(
            err, TACIT_PARSE, rows->file, rows->line, 0,
            "\"%s\" is more than one %c deeper than the line before it; its parent "
            "is missing",
            shown.text, indent);
    if (below >= TACIT_MAX_LEVELS)
        return tacit__error_at(err, TACIT_LIMIT, rows->file, rows->line, 0,
                               "\"%s\" makes more than %d levels", shown.text, TACIT_MAX_LEVELS);
    return TACIT_OK;
}

static tacit_status add_line(lines *to, const tacit__rows *rows, tacit_error *err)
{
    size_t depth;
    tacit_strview code;
    tacit_status status = read_line(&depth, &code, rows, err);
    if (status != TACIT_OK)
        return status;
    if (!to->count)
        to->first = depth;
    if ((status = check_depth(to, depth, code, rows, err)) != TACIT_OK)
        return status;
    if (!TACIT__RESERVE_ONE(to->entries, to->capacity, to->count))
        return tacit__nomem(err);
    depth -= to->first;
    uint32_t parent = depth ? to->open[depth - 1] : TACIT__NONE;
    if (parent != TACIT__NONE)
        to->entries[parent].inner = true;
    to->open[depth] = to->count;
    to->entries[to->count++] = (tacit__hierarchy_entry){
        .label = code, .parent = parent, .line = (uint32_t)rows->line, .depth = (int32_t)depth};
    return TACIT_OK;
}

bool tacit__hrc_recognize(const tacit__rows *rows)
{
    tacit_strview first = rows->fields[0];
    if (rows->delimiter)
        return rows->count == 2 && first.len && indentation(first) == first.len;
    return tacit__rows_line_starts(rows, indent);
}

tacit_status tacit__hrc_read(tacit__tree *tree, tacit__rows *rows, tacit_error *err)
{
    lines all = {0};
    tacit_status status;
    while ((status = tacit__rows_next(rows, err)) == TACIT_OK && rows->count)
        if ((status = add_line(&all, rows, err)) != TACIT_OK)
            break;
    if (status == TACIT_OK)
        status =
            tacit__tree_add_entries(tree, all.entries, all.count, tacit_strview_of("Total"), err);
    tacit__free(all.entries);
    return status;
}
