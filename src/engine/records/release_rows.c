/*
 * release_rows.c - pseudonyms per row: what the row's place in the data becomes under a key that is
 * drawn for this release from its seed and kept nowhere. So they are the same for the same seed,
 * other ones in the next release, and nobody finds the place from them without the seed.
 *
 * 40 bytes a row and column, and a keyed hash each.
 */
#include "engine/records/release_rows.h"
#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "engine/records/release.h"

static tacit_status make_room(engine_row_pseudonyms *made, int64_t rows, tacit_error *err)
{
    engine_row_labels *columns =
        tacit__resize_array(made->columns, ((size_t)made->count + 1), sizeof *made->columns);
    if (columns) {
        made->columns = columns;
        columns[made->count++] =
            (engine_row_labels){.texts = tacit__alloc((size_t)rows * TACIT_PSEUDONYM_LENGTH + 1),
                                .labels = tacit__alloc(((size_t)rows + 1) * sizeof(tacit_strview))};
    }
    if (!made->rows)
        made->rows = tacit__alloc(((size_t)rows + 1) * sizeof *made->rows);
    bool all =
        columns && made->rows && columns[made->count - 1].texts && columns[made->count - 1].labels;
    return all ? TACIT_OK : tacit__nomem(err);
}

static void write_labels(engine_row_pseudonyms *made, int32_t source, int64_t rows)
{
    engine_row_labels *column = &made->columns[made->count - 1];
    for (int64_t row = 0; row < rows; row++) {
        char place[48], *text = column->texts + row * TACIT_PSEUDONYM_LENGTH;
        snprintf(place, sizeof place, "%d/%lld", (int)source, (long long)row);
        size_t len =
            tacit_pseudonym(tacit_strview_of(place), text, TACIT_PSEUDONYM_LENGTH, made->key);
        column->labels[row] = (tacit_strview){text, len};
        made->rows[row] = (uint32_t)row;
    }
}

tacit_status engine_release_rows(tacit_csv_column *column, engine_release *release)
{
    engine_row_pseudonyms *made = &release->row_pseudonyms;
    engine_session *session = release->session;
    int64_t rows = tacit_table_rows(release->table);
    tacit_status status = make_room(made, rows, &session->error);
    if (status == TACIT_OK && !made->key)
        status = tacit_pseudonyms_draw(&made->key, &session->run, &session->error);
    if (status != TACIT_OK)
        return status;
    write_labels(made, column->source, rows);
    column->relabelled = true;
    column->codes = (tacit_codes_view){made->rows, sizeof *made->rows};
    column->labels = made->columns[made->count - 1].labels;
    column->label_count = (uint32_t)rows;
    return TACIT_OK;
}

void engine_row_pseudonyms_clear(engine_row_pseudonyms *made)
{
    for (int32_t i = 0; i < made->count; i++) {
        tacit__free(made->columns[i].texts);
        tacit__free(made->columns[i].labels);
    }
    tacit__free(made->columns);
    tacit__free(made->rows);
    tacit_pseudonyms_free(made->key);
    *made = (engine_row_pseudonyms){0};
}
