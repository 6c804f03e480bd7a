/*
 * profile_policy.c - a policy to start from, written as YAML with a comment
 * above each column that says why it has its role.
 *
 * Names of columns come from the data: those that could mean anything else to
 * YAML are written in double quotes, where every byte has a safe form. Reasons
 * are words of this library and numbers, never text of the data.
 */
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "policy/profile_parts.h"

/* YAML reads a key without '?' only up to 1024 characters. */
enum { LONGEST_SIMPLE_KEY = 500 };

const char *tacit_role_name(tacit_role role)
{
    switch (role) {
    case TACIT_ROLE_IDENTIFIER: return "identifier";
    case TACIT_ROLE_QUASI: return "quasi";
    case TACIT_ROLE_SENSITIVE: return "sensitive";
    case TACIT_ROLE_INSENSITIVE: return "insensitive";
    default: return "none";
    }
}

/* Words that YAML takes for truth values or nothing, in any case. */
static bool is_reserved(tacit_strview name)
{
    static const char words[] = " y n yes no on off true false null ";
    char word[16] = " ";
    if (name.len > 8)
        return false;
    for (size_t i = 0; i < name.len; i++)
        word[i + 1] =
            (char)(tacit__is_letter(name.bytes[i]) ? name.bytes[i] | 0x20 : name.bytes[i]);
    word[name.len + 1] = ' ';
    return strstr(words, word) != NULL;
}

/* Whether YAML reads the bare name as this text and nothing else. */
static bool is_plain(tacit_strview name)
{
    if (!name.len || !tacit__is_letter(name.bytes[0]) || is_reserved(name) ||
        name.bytes[name.len - 1] == ' ')
        return false;
    for (size_t i = 0; i < name.len; i++) {
        char c = name.bytes[i];
        if (!tacit__is_alphanumeric(c) && !strchr("_-. ", c))
            return false;
    }
    return true;
}

static void add_escaped(tacit__strbuf *out, uint32_t point, tacit_strview bytes)
{
    if (point == '"' || point == '\\')
        tacit__strbuf_format(out, "\\%c", (char)point);
    else if (point == '\n')
        tacit__strbuf_text(out, "\\n");
    else if (point == '\t')
        tacit__strbuf_text(out, "\\t");
    else if (point < 0x20 || (point >= 0x7F && point < 0xA0))
        tacit__strbuf_format(out, "\\x%02X", (unsigned)point);
    else if (point == 0x2028 || point == 0x2029 || point == 0xFEFF || point == 0xFFFE ||
             point == 0xFFFF)
        tacit__strbuf_format(out, "\\u%04X", (unsigned)point);
    else
        tacit__strbuf_add(out, bytes.bytes, bytes.len);
}

static void add_name(tacit__strbuf *out, tacit_strview name)
{
    if (is_plain(name)) {
        tacit__strbuf_add(out, name.bytes, name.len);
        return;
    }
    tacit__strbuf_text(out, "\"");
    while (name.len) {
        uint32_t point;
        bool valid;
        size_t step = tacit__utf8_next(&point, &valid, name);
        tacit_strview bytes = {name.bytes, step};
        add_escaped(out, point, valid ? bytes : tacit_strview_of("\xEF\xBF\xBD"));
        name = (tacit_strview){name.bytes + step, name.len - step};
    }
    tacit__strbuf_text(out, "\"");
}

static void add_hierarchy(tacit__strbuf *out, const tacit_hierarchy_spec *spec)
{
    static const char *const dates[] = {
        [TACIT_DATES_TELL] = "true",
        [TACIT_DAY_FIRST] = "{order: day-first}",
        [TACIT_MONTH_FIRST] = "{order: month-first}",
    };
    if (spec->kind == TACIT_HIERARCHY_DATE)
        tacit__strbuf_format(out, "    hierarchy: {date: %s}\n", dates[spec->order]);
    if (spec->kind == TACIT_HIERARCHY_MASK)
        tacit__strbuf_text(out, "    hierarchy: {mask: right}\n");
    if (spec->kind != TACIT_HIERARCHY_INTERVAL)
        return;
    tacit__strbuf_format(out, "    hierarchy: {interval: {origin: %.12g, widths: [", spec->origin);
    for (int i = 0; i < spec->width_count; i++)
        tacit__strbuf_format(out, "%s%.12g", i ? ", " : "", spec->widths[i]);
    tacit__strbuf_text(out, "]}}\n");
}

static void add_column(tacit__strbuf *out, const tacit_profile *profile, int32_t index)
{
    const tacit_profile_column *column = &profile->columns[index];
    tacit__strbuf_format(out, "\n  # %s\n", column->reason);
    bool simple = column->name.len <= LONGEST_SIMPLE_KEY;
    tacit__strbuf_text(out, simple ? "  " : "  ? ");
    add_name(out, column->name);
    tacit__strbuf_text(out, simple ? ":\n" : "\n  :\n");
    tacit__strbuf_format(out, "    role: %s\n", tacit_role_name(column->role));
    if (column->role == TACIT_ROLE_IDENTIFIER)
        tacit__strbuf_text(out, "    replace: drop\n");
    add_hierarchy(out, &column->hierarchy);
}

/* A column called "none" cannot be named as the person. */
static void add_person(tacit__strbuf *out, const tacit_profile *profile)
{
    if (profile->person < 0)
        return;
    tacit_strview name = profile->columns[profile->person].name;
    bool taken = tacit_strview_equal(name, tacit_strview_of("none"));
    tacit__strbuf_format(out, "\n# %s\n%sperson: ", profile->person_reason, taken ? "# " : "");
    add_name(out, name);
    tacit__strbuf_text(out, "\n");
}

/* A policy goes by names. */
static tacit_status check_names(const tacit_profile *profile, tacit_error *err)
{
    for (int32_t i = 0; i < profile->column_count; i++)
        if (profile->columns[i].name.len == 0)
            return tacit__error(err, TACIT_INVALID,
                                "column %d has no name, which a policy goes by: give it one in the "
                                "first line of the file",
                                (int)i + 1);
    return TACIT_OK;
}

tacit_status tacit_profile_policy(char **yaml, const tacit_profile *profile, tacit_error *err)
{
    tacit__strbuf text = {0};
    tacit_status status = check_names(profile, err);
    if (status != TACIT_OK)
        return status;
    tacit__strbuf_text(
        &text, "# A policy to start from. The roles are guesses, with their reasons: check each\n"
               "# one, for only you know what others can know about these people.\n"
               "# A quasi-identifier without a hierarchy can only be kept or suppressed.\n");
    tacit__strbuf_format(&text, "k: %d\n", TACIT_PROFILE_K);
    add_person(&text, profile);
    tacit__strbuf_text(&text, "\ncolumns:\n");
    for (int32_t i = 0; i < profile->column_count; i++)
        add_column(&text, profile, i);
    if (text.failed) {
        tacit__strbuf_clear(&text);
        return tacit__nomem(err);
    }
    *yaml = text.bytes;
    return TACIT_OK;
}
