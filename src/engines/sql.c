/*
 * sql.c - statements put together. Names and texts are quoted as the engine reads them; nothing
 * else of the data comes into a statement.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "engines/engines.h"

static void add(tacit_sql *sql, const char *bytes, size_t len)
{
    if (sql->failed ||
        !tacit__reserve((void **)&sql->text, &sql->capacity, sql->len + len + 1, 1)) {
        sql->failed = true;
        return;
    }
    if (len)
        memcpy(sql->text + sql->len, bytes, len);
    sql->len += len;
    sql->text[sql->len] = '\0';
}

/* In quotes, each of which is doubled within. A byte 0 would end the statement: it is left out, and
 * the name is then none that there is. */
static void add_quoted(tacit_sql *sql, tacit_strview text, char quote, bool backslash)
{
    add(sql, &quote, 1);
    for (size_t i = 0; i < text.len; i++) {
        char byte = text.bytes[i];
        if (byte == quote || (backslash && byte == '\\'))
            add(sql, &byte, 1);
        if (byte)
            add(sql, &byte, 1);
    }
    add(sql, &quote, 1);
}

static void add_text(tacit_sql *sql, const tacit_engine *engine, tacit_strview text)
{
    add_quoted(sql, text, '\'', engine->driver->escapes_backslash);
}

static void add_name(tacit_sql *sql, const tacit_engine *engine, tacit_strview name)
{
    add_quoted(sql, name, engine->driver->quote, engine->driver->escapes_backslash);
}

static void add_place(tacit_sql *sql, const tacit_engine *engine, tacit_place_name place)
{
    if (place.schema.len) {
        add_name(sql, engine, place.schema);
        add(sql, ".", 1);
    }
    add_name(sql, engine, place.name);
}

static void add_place_text(tacit_sql *sql, const tacit_engine *engine, tacit_place_name place)
{
    tacit_sql name = {0};
    add_place(&name, engine, place);
    add_text(sql, engine, (tacit_strview){name.text, name.len});
    sql->failed |= name.failed;
    tacit_sql_clear(&name);
}

static void add_number(tacit_sql *sql, int64_t number)
{
    char digits[24];
    add(sql, digits, (size_t)snprintf(digits, sizeof digits, "%lld", (long long)number));
}

static void add_column_text(tacit_sql *sql, const tacit_engine *engine, const char *table,
                            tacit_strview name)
{
    add(sql, engine->driver->in_text, strlen(engine->driver->in_text));
    add(sql, table, strlen(table));
    add_name(sql, engine, name);
    add(sql, engine->driver->as_text, strlen(engine->driver->as_text));
}

void tacit_sql_add(tacit_sql *sql, const tacit_engine *engine, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (const char *at = format; *at;) {
        size_t plain = strcspn(at, "%");
        add(sql, at, plain);
        at += plain;
        if (!*at)
            break;
        switch (at[1]) {
        case 'n': add_name(sql, engine, va_arg(arguments, tacit_strview)); break;
        case 'v': add_text(sql, engine, va_arg(arguments, tacit_strview)); break;
        case 'b': add_name(sql, engine, va_arg(arguments, tacit_place_name).name); break;
        case 'q': add_place_text(sql, engine, va_arg(arguments, tacit_place_name)); break;
        case 'r':
            tacit_sql_add(sql, engine, engine->driver->random, tacit_strview_of(engine->secret));
            break;
        case 'p': add_place(sql, engine, va_arg(arguments, tacit_place_name)); break;
        case 's': {
            const char *text = va_arg(arguments, const char *);
            add(sql, text, strlen(text));
            break;
        }
        case 'd': add_number(sql, va_arg(arguments, int64_t)); break;
        case 'x': add_column_text(sql, engine, "", va_arg(arguments, tacit_strview)); break;
        case 't': add_column_text(sql, engine, "t.", va_arg(arguments, tacit_strview)); break;
        case 'u': add_column_text(sql, engine, "s.", va_arg(arguments, tacit_strview)); break;
        default: sql->failed = true; break;
        }
        at += 2;
    }
    va_end(arguments);
}

void tacit_sql_clear(tacit_sql *sql)
{
    tacit__free(sql->text);
    *sql = (tacit_sql){0};
}
