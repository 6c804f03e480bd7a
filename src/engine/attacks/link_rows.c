/*
 * link_rows.c - linking, row by row: the file of --linked, and with --show who the only
 * candidates are, by the cells of the first register that are no columns of the release.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "engine/attacks/link.h"
#include "engine/job/csv.h"
#include "engine/job/text.h"
#include "engine/records/verdict.h"

enum { MOST_PEOPLE = 20, BATCH = 1 << 14, CELL_BYTES = 4096 };

/* ---- the first register's other columns ---- */

/* What is said of a person: columns by which nobody was linked. */
typedef struct sayings {
    const tacit_table *table;
    int32_t *columns;
    int32_t count;
    tacit_strview *cells; /* of a row, all columns */
    char *text;           /* a cell, unquoted */
} sayings;

static bool is_shared(const engine_linked *found, tacit_strview name)
{
    for (int32_t i = 0; i < found->registers.c.column_count; i++)
        if (tacit_strview_equal(name, tacit_strview_of(found->registers.names[i])))
            return true;
    return false;
}

static void sayings_clear(sayings *s)
{
    tacit__free(s->columns);
    tacit__free(s->cells);
    tacit__free(s->text);
}

static bool sayings_init(sayings *s, const engine_linked *found)
{
    *s = (sayings){.table = found->registers.tables[0]};
    int32_t columns = tacit_table_columns(s->table);
    s->columns = tacit__alloc((size_t)columns * sizeof *s->columns);
    s->cells = tacit__alloc((size_t)columns * sizeof *s->cells);
    s->text = tacit__alloc(CELL_BYTES);
    if (!s->columns || !s->cells || !s->text) {
        sayings_clear(s);
        return false;
    }
    for (int32_t i = 0; i < columns; i++)
        if (!is_shared(found, tacit_table_name(s->table, i)))
            s->columns[s->count++] = i;
    return true;
}

/* What a person's row says in one of the columns; the row is at hand. */
static tacit_strview say(const sayings *s, int32_t at)
{
    size_t len = tacit_csv_unquote(s->cells[s->columns[at]], s->text, CELL_BYTES);
    return (tacit_strview){s->text, len < CELL_BYTES ? len : CELL_BYTES};
}

/* ---- the file ---- */

static void put_record(engine_csv *csv, const engine_linked *found, const sayings *s,
                       int64_t record)
{
    const tacit_link *link = found->link;
    uint32_t class = link->class_of[record];
    bool one = link->maps_to[class] == 1;
    engine_csv_integer(csv, record + 1);
    engine_csv_integer(csv, link->maps_to[class]);
    engine_csv_text(csv, tacit_strview_of(one ? "yes" : "no"));
    if (s && one)
        tacit_table_row(s->table, link->only[class], s->cells);
    for (int32_t i = 0; s && i < s->count; i++)
        engine_csv_text(csv, one ? say(s, i) : tacit_strview_of(""));
    engine_csv_row(csv);
}

static void put_header(engine_csv *csv, const sayings *s)
{
    static const char *const OWN[] = {"row", "people", "unique"};
    for (int i = 0; i < 3; i++)
        engine_csv_text(csv, tacit_strview_of(OWN[i]));
    for (int32_t i = 0; s && i < s->count; i++)
        engine_csv_text(csv, tacit_table_name(s->table, s->columns[i]));
    engine_csv_row(csv);
}

static tacit_status put_all(engine_csv *csv, const engine_linked *found, const sayings *s,
                            const engine_case *c, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    put_header(csv, s);
    for (int64_t record = 0; record < found->link->records && status == TACIT_OK; record++) {
        put_record(csv, found, s, record);
        if (record % BATCH == 0)
            status = engine_session_check(c->session);
    }
    return status == TACIT_OK ? engine_csv_commit(csv, err) : status;
}

tacit_status engine_linked_write(const engine_linked *found, const engine_case *c, tacit_error *err)
{
    const char *path = engine_value(c->session->settings, "linked");
    engine_csv *csv = NULL;
    sayings s = {0};
    bool named = found->link->only && engine_has(c->session->settings, "show");
    if (!path)
        return TACIT_OK;
    if (named && !sayings_init(&s, found))
        return tacit__nomem(err);
    tacit_status status = engine_csv_new_private(&csv, path, err);
    if (status == TACIT_OK)
        status = put_all(csv, found, named ? &s : NULL, c, err);
    engine_csv_free(csv);
    sayings_clear(&s);
    return status;
}

/* ---- the terminal ---- */

static void show_record(FILE *to, const engine_linked *found, const sayings *s, int64_t record,
                        bool first)
{
    char line[512], cell[96], name[64];
    size_t used = (size_t)snprintf(line, sizeof line, "row %lld is", (long long)record + 1);
    tacit_table_row(s->table, found->link->only[found->link->class_of[record]], s->cells);
    for (int32_t i = 0; i < s->count && used < sizeof line; i++) {
        engine_printable(name, sizeof name, tacit_table_name(s->table, s->columns[i]));
        used += (size_t)snprintf(line + used, sizeof line - used, "%s %s %s", i ? "," : "", name,
                                 engine_printable(cell, sizeof cell, say(s, i)));
    }
    engine_print_labelled(to, first ? "people" : "", line);
}

void engine_linked_show(FILE *to, const engine_linked *found)
{
    sayings s;
    const tacit_link *link = found->link;
    if (!found->registers.tables[0] || link->records_one == 0 || !sayings_init(&s, found))
        return;
    int64_t shown = 0;
    for (int64_t record = 0; record < link->records && shown < MOST_PEOPLE; record++)
        if (link->maps_to[link->class_of[record]] == 1)
            show_record(to, found, &s, record, shown++ == 0);
    if (link->records_one > shown) {
        char text[96];
        snprintf(text, sizeof text, "and %s more: --linked writes all of them",
                 engine_count(link->records_one - shown).text);
        engine_print_labelled(to, "", text);
    }
    sayings_clear(&s);
}
