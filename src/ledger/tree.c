/*
 * tree.c - the hierarchy file that a column of an earlier release was made with, found again.
 *
 * An entry has a keyed digest of the file. A file with the same labels under other parents would
 * recall the same release, but its labels would stand for other values, and what follows from it
 * would be found under a tree that nobody has seen. So the bytes must be the same. Who needs more
 * values keeps the old file under its name and uses another: then both are read, and every value
 * of the old one must have the ancestors there that it had. The cost is reading either file once.
 */
#include "ledger/ledger.h"

#include <string.h>

#include "base/error.h"
#include "hierarchy/hierarchy.h"

void tacit__ledger_tree_close(tacit__ledger_tree *tree)
{
    tacit__tree_clear(&tree->tree);
    tacit__rows_clear(&tree->rows);
    tacit__input_close(&tree->input);
    *tree = (tacit__ledger_tree){0};
}

static tacit_status read_tree(tacit__ledger_tree *tree, const char *path, tacit_error *err)
{
    tree->tree.file = path;
    tacit_status status =
        tacit__input_open(&tree->input, path, TACIT__MAX_HIERARCHY_BYTES, NULL, err);
    if (status == TACIT_OK)
        status = tacit__rows_init(&tree->rows, (tacit_strview){tree->input.bytes, tree->input.len},
                                  path, err);
    if (status == TACIT_OK)
        status = tacit__tree_read(&tree->tree, &tree->rows, err);
    return status;
}

static bool is_same(const tacit__ledger_tree *tree, const tacit_ledger_column *column,
                    const unsigned char *key)
{
    char digest[TACIT_LEDGER_HASH + 1];
    tacit__ledger_digest(digest, key, TACIT__LEDGER_HIERARCHY,
                         (tacit_strview){tree->input.bytes, tree->input.len});
    return strcmp(digest, column->file_hash) == 0;
}

/* Whether a ground value of one tree has the same ancestors in another. */
static bool stands_as(const tacit__tree *then, uint32_t value, const tacit__tree *now)
{
    uint32_t at = tacit__names_find(&now->levels[0].names, then->levels[0].names.labels[value]);
    for (int level = 0; level + 1 < then->level_count && at != TACIT__NONE; level++) {
        value = then->levels[level].branches[value].parent;
        at = now->levels[level].branches[at].parent;
        if (!tacit_strview_equal(then->levels[level + 1].names.labels[value],
                                 now->levels[level + 1].names.labels[at]))
            at = TACIT__NONE;
    }
    return at != TACIT__NONE;
}

/* The line of the first value of a tree that stands elsewhere in another; 0: there is none. */
static uint32_t moved_line(const tacit__tree *then, const tacit__tree *now)
{
    if (now->level_count != then->level_count)
        return 1;
    for (uint32_t i = 0; i < then->levels[0].names.count; i++)
        if (!stands_as(then, i, now))
            return then->levels[0].branches[i].line;
    return 0;
}

/* Compares the file of then with the one of now, which has other bytes. */
static tacit_status check_moved(const tacit__ledger_tree *then, const tacit__ledger_tree *now,
                                const tacit_ledger_column *column, int64_t number, tacit_error *err)
{
    uint32_t line = moved_line(&then->tree, &now->tree);
    if (!line)
        return TACIT_OK;
    return tacit__error_at(err, TACIT_INVALID, now->tree.file, 0, 0,
                           "this hierarchy of column \"%s\" puts values elsewhere than %s (its "
                           "line %u is the first), which release %lld of the ledger was made with; "
                           "use one that differs by values added only",
                           tacit__show(tacit_strview_of(column->name)).text, then->tree.file, line,
                           (long long)number);
}

static tacit_status changed(const tacit_ledger_column *column, int64_t number, tacit_error *err)
{
    return tacit__error(err, TACIT_INVALID,
                        "the hierarchy of column \"%s\" is not the one that release %lld of the "
                        "ledger was made with: %s is gone or was changed since; put it back as it "
                        "was, and where values have to be added, add them in a file of another "
                        "name and use that",
                        tacit__show(tacit_strview_of(column->name)).text, (long long)number,
                        column->hierarchy);
}

tacit_status tacit__ledger_tree_open(tacit__ledger_tree *out, const tacit_ledger_column *column,
                                     const char *now, int64_t number, const unsigned char *key,
                                     tacit_error *err)
{
    tacit__ledger_tree used = {0}, then = {0};
    tacit_error ignored = {0}; /* whatever is wrong with it, it is not what it was */
    tacit_status status = now ? read_tree(&used, now, err) : TACIT_OK;
    if (status == TACIT_OK && now && is_same(&used, column, key)) {
        *out = used;
        return TACIT_OK;
    }
    if (status == TACIT_OK) {
        status = read_tree(&then, column->hierarchy, &ignored);
        if (status == TACIT_NOMEM)
            tacit__nomem(err);
        else if (status != TACIT_OK || !is_same(&then, column, key))
            status = changed(column, number, err);
        else if (now)
            status = check_moved(&then, &used, column, number, err);
    }
    tacit__ledger_tree_close(&used);
    if (status == TACIT_OK)
        *out = then;
    else
        tacit__ledger_tree_close(&then);
    return status;
}
