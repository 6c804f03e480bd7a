/*
 * hide.c - a dependency that nobody is to prove from the release, as few blanks as it
 * takes (the end of 2.2 of the paper).
 *
 * What counts is what the rows of a class have in the dependency's right. Where they differ
 * already within a class, they agree in everything else whatever is blank, and there is nothing to
 * do; otherwise each class has one value, and two classes of different values are made to agree in
 * the left (witness.c). A right that is an attribute itself counts as it is released: a
 * row that has it blank may differ from any other. So no blank that is added ever undoes what hides
 * a dependency. 8 bytes a row and a class.
 */
#include <assert.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "records/ambiguate/state.h"

/* What the right is in the rows of each class of the tableau. */
typedef struct rights {
    uint32_t *values;
    bool several; /* in one class */
} rights;

/* The attribute that a column is, or -1. */
static int32_t attribute_of(const tacit_frame *frame, int32_t column)
{
    for (int32_t a = 0; a < frame->attribute_count; a++)
        if (frame->attributes[a].column == column)
            return a;
    return -1;
}

/* Classes of the frame -> those of the tableau. */
static void invert(uint32_t *place, const tacit__tableau *tableau)
{
    for (int64_t i = 0; i < tableau->classes; i++)
        place[tableau->index[i]] = (uint32_t)i;
}

static tacit_status read_rows(rights *r, const tacit__tableau *tableau, const tacit_frame *frame,
                              const tacit_classes *classes, int32_t column, const tacit_run *run,
                              tacit_error *err)
{
    tacit_codes_view codes = tacit_table_codes(frame->table, column);
    int64_t rows = tacit_table_rows(frame->table);
    uint32_t *class_of = tacit__alloc_array((size_t)rows, sizeof *class_of);
    uint32_t *place = tacit__alloc_array((size_t)tableau->classes, sizeof *place);
    tacit_status status = class_of && place ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status = tacit_classes_assign(classes, frame, class_of, run, err);
    if (status == TACIT_OK)
        invert(place, tableau);
    for (int64_t i = 0; status == TACIT_OK && i < tableau->classes; i++)
        r->values[i] = UINT32_MAX;
    for (int64_t row = 0; status == TACIT_OK && row < rows; row++) {
        uint32_t *value = &r->values[place[class_of[row]]], code = tacit_codes_at(codes, row);
        r->several |= *value != UINT32_MAX && *value != code;
        *value = code;
    }
    tacit__free(class_of);
    tacit__free(place);
    return status;
}

static tacit_status read_rights(rights *r, const tacit__tableau *tableau, const tacit_frame *frame,
                                const tacit_classes *classes, const tacit_hidden *hidden,
                                const tacit_run *run, tacit_error *err)
{
    int32_t attribute = attribute_of(frame, hidden->right);
    r->values = tacit__alloc_array((size_t)tableau->classes, sizeof *r->values);
    if (!r->values)
        return tacit__nomem(err);
    if (attribute < 0)
        return read_rows(r, tableau, frame, classes, hidden->right, run, err);
    for (int64_t i = 0; i < tableau->classes; i++)
        r->values[i] = tacit__tableau_codes(tableau, i)[attribute];
    return TACIT_OK;
}

static bool is_constant(const rights *r, const tacit__tableau *tableau)
{
    for (int64_t i = 1; i < tableau->classes; i++)
        if (r->values[i] != r->values[0])
            return false;
    return !r->several;
}

/* The dependency in words, and why there is nothing to be done about it. */
static tacit_status refuse_hiding(const tacit_frame *frame, const tacit_hidden *hidden,
                                  tacit_status status, const char *why, tacit_error *err)
{
    tacit__strbuf names = {0};
    for (uint64_t left = hidden->left; left; left &= left - 1) {
        int32_t column = frame->attributes[__builtin_ctzll(left)].column;
        tacit__strbuf_format(&names, "%s%s", names.len ? "," : "",
                             tacit__show(tacit_table_name(frame->table, column)).text);
    }
    tacit__strbuf_format(&names, "->%s",
                         tacit__show(tacit_table_name(frame->table, hidden->right)).text);
    if (names.failed)
        status = tacit__nomem(err);
    else
        tacit__error(err, status, "the dependency %s cannot be hidden: %s", names.bytes, why);
    tacit__strbuf_clear(&names);
    return status;
}

/* Without limits any two rows can be made to agree, and one of them blank in the right. */
static const char *why_not(const tacit__tableau *tableau)
{
    if (tableau->rows < 2)
        return "it takes two rows to speak against it, and there is one";
    return "the limits on blanks leave no two rows that could agree; raise them";
}

tacit_status tacit__ambiguate_hide(int64_t *added, tacit__state *state,
                                   const tacit__tableau *tableau, const tacit_frame *frame,
                                   const tacit_classes *classes, const tacit_hidden *hidden,
                                   const tacit_run *run, tacit_error *err)
{
    rights r = {0};
    bool found = true;
    int64_t blanks = 0;
    int32_t attribute = attribute_of(frame, hidden->right);
    assert(tableau->columns == 64 || !(hidden->left >> tableau->columns));
    if (attribute >= 0 && (hidden->left >> attribute & 1))
        return refuse_hiding(frame, hidden, TACIT_INVALID, "a column stands on both sides", err);
    tacit_status status = read_rights(&r, tableau, frame, classes, hidden, run, err);
    if (status == TACIT_OK && attribute < 0 && is_constant(&r, tableau))
        status = refuse_hiding(frame, hidden, TACIT_INFEASIBLE,
                               "what it leads to is the same in every row", err);
    if (status == TACIT_OK && !r.several)
        status =
            tacit__state_hide(&found, &blanks, state, hidden->left, attribute, r.values, run, err);
    if (status == TACIT_OK && !found)
        status = refuse_hiding(frame, hidden, TACIT_INFEASIBLE, why_not(tableau), err);
    if (status == TACIT_OK)
        *added = blanks;
    tacit__free(r.values);
    return status;
}
