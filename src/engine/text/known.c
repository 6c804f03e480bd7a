/*
 * known.c - reads the people of --known.
 *
 * What a column holds is told by its name, written in any way ("First Name", "first_name"); a
 * column that nobody can place is an error, since what it holds would not be looked for. A first
 * and a last name of a row are put together: how names are written in text, parts and initials
 * included, is the library's to know. Memory is that of the values.
 */
#include "engine/text/known.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/vector.h"

enum { SKIPPED = TACIT_TEXT_KINDS, MAX_NAME = 48, PARTS = 3 };

/* How columns are called, letters and digits only; of each kind the usual name first. */
static const struct called {
    tacit_text_kind kind;
    const char *names; /* with blanks between */
} CALLED[] = {
    {TACIT_TEXT_FULL_NAME, "name fullname patient"},
    {TACIT_TEXT_FIRST_NAME, "first firstname given givenname forename"},
    {TACIT_TEXT_MIDDLE_NAME, "middle middlename"},
    {TACIT_TEXT_LAST_NAME, "last lastname surname family familyname"},
    {TACIT_TEXT_NICK_NAME, "nick nickname"},
    {TACIT_TEXT_INITIALS, "initials"},
    {TACIT_TEXT_STREET, "street address"},
    {TACIT_TEXT_CITY, "city town"},
    {TACIT_TEXT_STATE, "state"},
    {TACIT_TEXT_ZIP, "zip zipcode postcode postalcode"},
    {TACIT_TEXT_COUNTRY, "country"},
    {TACIT_TEXT_PHONE, "phone telephone mobile"},
    {TACIT_TEXT_FAX, "fax"},
    {TACIT_TEXT_EMAIL, "email mail"},
    {TACIT_TEXT_SOCIAL_SECURITY, "ssn socialsecurity"},
    {TACIT_TEXT_REFERENCE, "mrn record recordnumber reference patientid"},
    {TACIT_TEXT_ACCOUNT, "account"},
    {TACIT_TEXT_LICENCE, "licence license"},
    {TACIT_TEXT_DEVICE, "device"},
    {TACIT_TEXT_HEALTH_PLAN, "healthplan member insurance"},
    {TACIT_TEXT_BANK, "iban bank"},
    {TACIT_TEXT_CARD, "card"},
    {TACIT_TEXT_VEHICLE, "vehicle plate"},
    {TACIT_TEXT_USER, "user username"},
    {TACIT_TEXT_URL, "url"},
    {TACIT_TEXT_IP, "ip"},
    {TACIT_TEXT_ORGANIZATION, "employer organization"},
    {TACIT_TEXT_HOSPITAL, "hospital"},
    {TACIT_TEXT_DATE, "dob birth birthdate dateofbirth date"},
};

static void fold(char *out, tacit_strview name)
{
    size_t len = 0;
    for (size_t i = 0; i < name.len && len + 1 < MAX_NAME; i++) {
        char c = tacit__to_lower(name.bytes[i]);
        if (!memchr(" _-.", c, 4))
            out[len++] = c;
    }
    out[len] = '\0';
}

/* Whether a name is one of those with blanks between. */
static bool is_among(const char *names, const char *name)
{
    size_t len = strlen(name);
    for (const char *at = names; len > 0 && *at; at += strcspn(at, " "), at += *at == ' ')
        if (strcspn(at, " ") == len && memcmp(at, name, len) == 0)
            return true;
    return false;
}

tacit_text_kind engine_known_kind(tacit_strview name)
{
    char folded[MAX_NAME];
    fold(folded, name);
    for (size_t i = 0; i < sizeof CALLED / sizeof *CALLED; i++)
        if (is_among(CALLED[i].names, folded))
            return CALLED[i].kind;
    return TACIT_TEXT_NONE;
}

static tacit_status unplaced(tacit_strview name, const char *path, tacit_error *err)
{
    char names[600] = "";
    size_t len = 0;
    int shown = name.len < 40 ? (int)name.len : 40;
    for (size_t i = 0; i < sizeof CALLED / sizeof *CALLED && len < sizeof names; i++)
        len += (size_t)snprintf(names + len, sizeof names - len, "%s%.*s", len ? ", " : "",
                                (int)strcspn(CALLED[i].names, " "), CALLED[i].names);
    return tacit__error(err, TACIT_INVALID,
                        "%.80s: what does column \"%.*s\" hold? Known are %s; or say it: "
                        "--known-columns %.*s=KIND (or =skip)",
                        path, shown, name.bytes, names, shown, name.bytes);
}

/* ---- --known-columns ---- */

/* The part before the next comma, and the rest after it. */
static tacit_strview next_item(tacit_strview *rest)
{
    const char *comma = memchr(rest->bytes, ',', rest->len);
    size_t len = comma ? (size_t)(comma - rest->bytes) : rest->len;
    tacit_strview item = {rest->bytes, len};
    size_t skip = len + (comma != NULL);
    *rest = (tacit_strview){rest->bytes + skip, rest->len - skip};
    return item;
}

static tacit_status place_column(int *kinds, const tacit_table *table, tacit_strview item,
                                 tacit_error *err)
{
    const char *equals = memchr(item.bytes, '=', item.len);
    int shown = item.len < 80 ? (int)item.len : 80;
    if (!equals)
        return tacit__error(err, TACIT_INVALID, "--known-columns takes NAME=KIND,..., not \"%.*s\"",
                            shown, item.bytes);
    tacit_strview name = {item.bytes, (size_t)(equals - item.bytes)};
    tacit_strview said = {equals + 1, item.len - name.len - 1};
    int32_t column = tacit_table_find(table, name);
    tacit_text_kind kind = tacit_text_kind_of(said);
    if (kind == TACIT_TEXT_NONE)
        kind = engine_known_kind(said);
    if (column < 0)
        return tacit__error(err, TACIT_INVALID,
                            "--known-columns: the file of --known has no \"%.*s\"",
                            name.len < 80 ? (int)name.len : 80, name.bytes);
    if (tacit_strview_equal(said, tacit_strview_of("skip")))
        kinds[column] = SKIPPED;
    else if (kind == TACIT_TEXT_NONE || kind >= TACIT_TEXT_KEPT)
        return tacit__error(err, TACIT_INVALID, "--known-columns: there is no kind \"%.*s\"",
                            said.len < 80 ? (int)said.len : 80, said.bytes);
    else
        kinds[column] = (int)kind;
    return TACIT_OK;
}

static tacit_status place_columns(int *kinds, const tacit_table *table, const char *path,
                                  const char *columns, tacit_error *err)
{
    tacit_strview rest = tacit_strview_of(columns ? columns : "");
    tacit_status status = TACIT_OK;
    while (rest.len > 0 && status == TACIT_OK)
        status = place_column(kinds, table, next_item(&rest), err);
    for (int32_t i = 0; i < tacit_table_columns(table) && status == TACIT_OK; i++) {
        tacit_strview name = tacit_table_name(table, i);
        if (kinds[i] == TACIT_TEXT_NONE)
            kinds[i] = (int)engine_known_kind(name);
        if (kinds[i] == TACIT_TEXT_NONE)
            status = unplaced(name, path, err);
    }
    return status;
}

/* ---- values ---- */

/* A value of parts that are in bytes already, from start on. */
static tacit_status add_value(engine_known *known, size_t start, tacit_text_kind kind,
                              tacit_error *err)
{
    tacit_status status = engine_text_check(&known->bytes, err);
    if (status != TACIT_OK || known->bytes.len == start)
        return status;
    if (!TACIT__RESERVE(known->starts, known->capacity, known->count + 2) ||
        !TACIT__RESERVE_ONE(known->kinds, known->kind_capacity, known->count))
        return tacit__nomem(err);
    known->starts[known->count] = start;
    known->kinds[known->count++] = kind;
    known->starts[known->count] = known->bytes.len;
    return TACIT_OK;
}

tacit_status engine_known_add(engine_known *known, tacit_strview value, tacit_text_kind kind,
                              tacit_error *err)
{
    size_t start = known->bytes.len;
    engine_text_view(&known->bytes, value);
    return add_value(known, start, kind, err);
}

static tacit_status add_values_of(engine_known *known, const tacit_table *table, int32_t column,
                                  tacit_text_kind kind, tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (uint32_t i = 0; i < tacit_table_distinct(table, column) && status == TACIT_OK; i++)
        status = engine_known_add(known, tacit_table_value(table, column, i), kind, err);
    return status;
}

static int32_t column_of(const int *kinds, int32_t columns, tacit_text_kind kind)
{
    for (int32_t i = 0; i < columns; i++)
        if (kinds[i] == (int)kind)
            return i;
    return -1;
}

/* First, middle and last name of each row, as one. */
static tacit_status add_names(engine_known *known, const tacit_table *table,
                              const int32_t parts[PARTS], tacit_error *err)
{
    tacit_status status = TACIT_OK;
    for (int64_t row = 0; row < tacit_table_rows(table) && status == TACIT_OK; row++) {
        size_t start = known->bytes.len;
        for (int i = 0; i < PARTS; i++) {
            if (parts[i] < 0)
                continue;
            uint32_t code = tacit_codes_at(tacit_table_codes(table, parts[i]), row);
            if (code >= tacit_table_distinct(table, parts[i]))
                continue;
            if (known->bytes.len > start)
                engine_text_put(&known->bytes, " ", 1);
            engine_text_view(&known->bytes, tacit_table_value(table, parts[i], code));
        }
        status = add_value(known, start, TACIT_TEXT_FULL_NAME, err);
    }
    return status;
}

static tacit_status add_table(engine_known *known, const tacit_table *table, int *kinds,
                              tacit_error *err)
{
    int32_t columns = tacit_table_columns(table);
    const int32_t parts[PARTS] = {column_of(kinds, columns, TACIT_TEXT_FIRST_NAME),
                                  column_of(kinds, columns, TACIT_TEXT_MIDDLE_NAME),
                                  column_of(kinds, columns, TACIT_TEXT_LAST_NAME)};
    tacit_status status = TACIT_OK;
    if (parts[0] >= 0 && parts[2] >= 0) {
        status = add_names(known, table, parts, err);
        for (int i = 0; i < PARTS; i++)
            if (parts[i] >= 0)
                kinds[parts[i]] = SKIPPED;
    }
    for (int32_t i = 0; i < columns && status == TACIT_OK; i++)
        if (kinds[i] != SKIPPED)
            status = add_values_of(known, table, i, (tacit_text_kind)kinds[i], err);
    return status;
}

tacit_status engine_known_end(engine_known *known, tacit_error *err)
{
    known->values = tacit__alloc((known->count + 1) * sizeof *known->values);
    if (!known->values)
        return tacit__nomem(err);
    for (size_t i = 0; i < known->count; i++)
        known->values[i] = (tacit_strview){known->bytes.bytes + known->starts[i],
                                           known->starts[i + 1] - known->starts[i]};
    return TACIT_OK;
}

tacit_status engine_known_read(engine_known *known, const char *path, const char *columns,
                               engine_session *session)
{
    tacit_error *err = &session->error;
    tacit_csv_options options;
    tacit_table *table = NULL;
    int *kinds = NULL;
    tacit_csv_options_init(&options);
    options.convert = tacit_formats_convert;
    tacit_status status = tacit_table_read(&table, path, &options, &session->run, err);
    if (status == TACIT_OK) {
        kinds = tacit__alloc_zeroed((size_t)tacit_table_columns(table), sizeof *kinds);
        if (!kinds)
            status = tacit__nomem(err);
    }
    if (status == TACIT_OK)
        status = place_columns(kinds, table, path, columns, err);
    if (status == TACIT_OK)
        status = add_table(known, table, kinds, err);
    if (status == TACIT_OK)
        status = engine_known_end(known, err);
    tacit__free(kinds);
    tacit_table_free(table);
    return status;
}

void engine_known_clear(engine_known *known)
{
    engine_text_clear(&known->bytes);
    tacit__free(known->starts);
    tacit__free(known->kinds);
    tacit__free(known->values);
    memset(known, 0, sizeof *known);
}
