/*
 * place.c - where a table is: scheme://server/database?table=schema.name&option=value.
 *
 * The table is taken out, the rest is the driver's. A name with dots or capitals that matter stands
 * in double quotes, as in SQL; %-escapes are resolved as in any address. A password in it is
 * refused: command lines are seen by everybody on the machine, and kept by shells.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/strbuf.h"
#include "engines/engines.h"

static int hex_of(char c)
{
    if (tacit__is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Resolves %-escapes in place; false where one is damaged. */
static bool resolve(char *text)
{
    char *to = text;
    for (const char *at = text; *at; at++) {
        if (*at != '%') {
            *to++ = *at;
            continue;
        }
        int high = hex_of(at[1]), low = high >= 0 ? hex_of(at[2]) : -1;
        if (low < 0 || high * 16 + low == 0)
            return false;
        *to++ = (char)(high * 16 + low);
        at += 2;
    }
    *to = '\0';
    return true;
}

/* One part of a name, quoted or not, from *at on, which is left behind it; NULL: there is none. */
static char *take_part(const char **at)
{
    tacit__strbuf part = {0};
    bool quoted = **at == '"';
    *at += quoted;
    tacit__strbuf_text(&part, "");
    for (; **at && (quoted || **at != '.'); ++*at) {
        if (quoted && **at == '"' && *++*at != '"') {
            quoted = false;
            break;
        }
        tacit__strbuf_add(&part, *at, 1);
    }
    if (!quoted && part.len > 0 && !part.failed && (!**at || **at == '.'))
        return part.bytes;
    tacit__strbuf_clear(&part);
    return NULL;
}

static tacit_status read_name(tacit__place *out, const char *name, tacit_error *err)
{
    const char *at = name;
    out->table = take_part(&at);
    if (out->table && *at == '.') {
        out->schema = out->table;
        at++;
        out->table = take_part(&at);
    } else {
        out->schema = tacit__copy_text("");
    }
    if (out->table && out->schema && !*at)
        return TACIT_OK;
    return tacit__error(err, TACIT_INVALID,
                        "table=%.100s names no table; write table=name or table=schema.name, in "
                        "double quotes where dots are part of a name",
                        name);
}

/* odbc:DSN=ward;table=patients: options alone. */
static bool is_odbc(const char *place)
{
    return strncmp(place, "odbc:", 5) == 0;
}

/* user:password@ before the server, or an option that says one. */
static bool has_password(const char *place)
{
    const char *server = strstr(place, "://");
    const char *end = server ? server + 3 + strcspn(server + 3, "/?") : NULL;
    const char *at = end ? memchr(server + 3, '@', (size_t)(end - server - 3)) : NULL;
    if (at && memchr(server + 3, ':', (size_t)(at - server - 3)))
        return true;
    for (const char *option = strpbrk(place, is_odbc(place) ? ":" : "?"); option;
         option = strpbrk(option + 1, is_odbc(place) ? ";" : "&"))
        if (strncasecmp(option + 1, "password=", 9) == 0 ||
            strncasecmp(option + 1, "sslpassword=", 12) == 0 ||
            strncasecmp(option + 1, "passfile=", 9) == 0 || strncasecmp(option + 1, "pwd=", 4) == 0)
            return true;
    return false;
}

static tacit_status without_table(tacit__place *out, tacit_error *err)
{
    out->schema = tacit__copy_text("");
    out->table = tacit__copy_text("");
    return out->schema && out->table ? TACIT_OK : tacit__nomem(err);
}

/* Copies the options but for the table, which is taken. */
static tacit_status split(tacit__place *out, const char *place, bool may_be_file, tacit_error *err)
{
    bool odbc = is_odbc(place);
    size_t len = strcspn(place, odbc ? ":" : "?");
    tacit__strbuf server = {0};
    char *name = NULL;
    char before = odbc ? ':' : '?';
    const char *end_of_option = odbc ? ";" : "&";
    tacit__strbuf_add(&server, place, len);
    for (const char *option = place + len; *option; option += strcspn(option, end_of_option)) {
        size_t end = strcspn(++option, end_of_option);
        if (strncmp(option, "table=", 6) == 0 && !name) {
            name = tacit__copy_bytes(option + 6, end - 6);
            continue;
        }
        tacit__strbuf_add(&server, &before, 1);
        tacit__strbuf_add(&server, option, end);
        before = *end_of_option;
    }
    out->server = server.bytes;
    tacit_status status = server.failed ? tacit__nomem(err) : TACIT_OK;
    if (status == TACIT_OK && !name && may_be_file)
        return without_table(out, err);
    if (status == TACIT_OK && (!name || !resolve(name)))
        status = tacit__error(err, TACIT_INVALID,
                              "no table is named; add ?table=NAME to the address of the database "
                              "(;table=NAME for ODBC)");
    if (status == TACIT_OK)
        status = read_name(out, name, err);
    tacit__free(name);
    return status;
}

tacit_status tacit__place_read(tacit__place *out, const char *place, bool may_be_file,
                               tacit_error *err)
{
    enum { MAX_PLACE = 4096 };
    *out = (tacit__place){0};
    if (strlen(place) > MAX_PLACE)
        return tacit__error(err, TACIT_LIMIT, "an address of %d bytes at most", (int)MAX_PLACE);
    if (has_password(place))
        return tacit__error(err, TACIT_INVALID,
                            "the address holds a password, which others on this machine can read: "
                            "put it where the database's own programs look for it (~/.pgpass, "
                            "CLICKHOUSE_PASSWORD), and "
                            "leave it out here");
    tacit_status status = split(out, place, may_be_file, err);
    if (status != TACIT_OK)
        tacit__place_clear(out);
    return status;
}

void tacit__place_clear(tacit__place *place)
{
    tacit__free(place->server);
    tacit__free(place->schema);
    tacit__free(place->table);
    *place = (tacit__place){0};
}
