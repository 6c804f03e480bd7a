/*
 * profile_draft.c - a policy to start from, as YAML with a comment above each line that says why
 * it is there.
 *
 * Names of columns come from the data: those that could mean anything else to YAML are written in
 * double quotes, where every byte has a safe form. Reasons are words of this library and numbers,
 * never text of the data; of the data there are column names and words for "unknown". Groups of
 * values stand in files beside the policy, which are named after it and their column.
 */
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "policy/profile_parts.h"

/* YAML reads a key without '?' only up to 1024 characters, and a byte is written in up to four. */
enum { MAX_SIMPLE_KEY = 250 };

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

/* ---- hierarchies ---- */

static bool stays_in_name(char c)
{
    return tacit__is_alphanumeric(c) || c == '-' || c == '_';
}

/* Whether another column has the same name but for capital letters, which some file systems ignore.
 */
static bool has_twin(const tacit_profile *profile, int32_t index)
{
    tacit_strview name = profile->columns[index].name;
    bool found = false;
    for (int32_t i = 0; i < profile->column_count && !found; i++) {
        tacit_strview other = profile->columns[i].name;
        found = i != index && other.len == name.len;
        for (size_t at = 0; found && at < name.len; at++)
            found = (other.bytes[at] | 0x20) == (name.bytes[at] | 0x20);
    }
    return found;
}

/* A column's name as part of a file's: letters and digits, at most so many, and a number where that
 * is not all of it or may be another's. */
static void add_file_name(tacit__strbuf *out, const tacit_profile *profile, int32_t index)
{
    enum { MOST = 40 };
    tacit_strview name = profile->columns[index].name;
    bool whole = name.len > 0 && name.len <= MOST && !has_twin(profile, index);
    for (size_t i = 0; i < name.len && i < MOST; i++) {
        char c = stays_in_name(name.bytes[i]) ? name.bytes[i] : '_';
        whole &= c == name.bytes[i];
        tacit__strbuf_add(out, &c, 1);
    }
    if (!whole)
        tacit__strbuf_format(out, "-%d", (int)index + 1);
}

tacit_status tacit_profile_file(char **out, const tacit_profile *profile, int32_t index,
                                const char *prefix, tacit_error *err)
{
    tacit__strbuf text = {0};
    tacit__strbuf_format(&text, "%s.", prefix);
    add_file_name(&text, profile, index);
    tacit__strbuf_text(&text, ".csv");
    if (text.failed) {
        tacit__strbuf_clear(&text);
        return tacit__nomem(err);
    }
    *out = text.bytes;
    return TACIT_OK;
}

static void add_widths(tacit__strbuf *out, const tacit_hierarchy_spec *spec)
{
    for (int i = 0; i < spec->width_count; i++)
        tacit__strbuf_format(out, "%s%.12g", i ? ", " : "", spec->widths[i]);
}

static void add_dates(tacit__strbuf *out, const tacit_hierarchy_spec *spec)
{
    static const char *const ORDERS[] = {
        [TACIT_DATES_TELL] = "",
        [TACIT_DAY_FIRST] = "order: day-first",
        [TACIT_MONTH_FIRST] = "order: month-first",
    };
    const char *order = ORDERS[spec->order];
    if (!order[0] && spec->width_count == 0) {
        tacit__strbuf_text(out, "{date: true}\n");
        return;
    }
    tacit__strbuf_format(out, "{date: {%s", order);
    if (spec->width_count) {
        tacit__strbuf_format(out, "%swindows: [", order[0] ? ", " : "");
        add_widths(out, spec);
        tacit__strbuf_text(out, "]");
    }
    tacit__strbuf_text(out, "}}\n");
}

static void add_intervals(tacit__strbuf *out, const tacit_hierarchy_spec *spec)
{
    tacit__strbuf_format(out, "{interval: {origin: %.12g, widths: [", spec->origin);
    add_widths(out, spec);
    tacit__strbuf_format(out, "]%s}}\n",
                         spec->decimal == TACIT_DECIMAL_COMMA ? ", decimal: comma" : "");
}

static void add_rule(tacit__strbuf *out, const tacit_hierarchy_spec *spec)
{
    if (spec->kind == TACIT_HIERARCHY_DATE)
        add_dates(out, spec);
    else if (spec->kind == TACIT_HIERARCHY_INTERVAL)
        add_intervals(out, spec);
    else if (spec->kind == TACIT_HIERARCHY_STANDARD)
        tacit__strbuf_format(out, "{standard: %s}\n", spec->standard);
    else
        tacit__strbuf_text(out, "{mask: right}\n");
}

/* Groups stand in a file, which only a policy in a folder can have beside it. */
static tacit_status add_hierarchy(tacit__strbuf *out, const tacit_profile *profile, int32_t index,
                                  const char *prefix, tacit_error *err)
{
    const tacit_profile_column *column = &profile->columns[index];
    char *file = NULL;
    if (column->missing_words[0])
        tacit__strbuf_format(out,
                             "    # words or codes for \"unknown\": read as an empty cell\n"
                             "    missing-codes: [%s]\n",
                             column->missing_words);
    bool ruled = column->hierarchy.kind != TACIT_HIERARCHY_NONE;
    if (!ruled && !(column->group[0] && prefix))
        return TACIT_OK;
    tacit__strbuf_format(out, "    # %s\n    hierarchy: ", column->hierarchy_reason);
    if (ruled) {
        add_rule(out, &column->hierarchy);
        return TACIT_OK;
    }
    tacit_status status = tacit_profile_file(&file, profile, index, prefix, err);
    if (status != TACIT_OK)
        return status;
    tacit__strbuf_text(out, "{file: ");
    add_name(out, tacit_strview_of(file));
    tacit__strbuf_text(out, "}\n");
    tacit_text_free(file);
    return TACIT_OK;
}

/* ---- the policy ---- */

static tacit_status add_column(tacit__strbuf *out, const tacit_profile *profile, int32_t index,
                               const char *prefix, tacit_error *err)
{
    const tacit_profile_column *column = &profile->columns[index];
    tacit__strbuf_text(out, "\n");
    if (column->about[0])
        tacit__strbuf_format(out, "  # %s\n", column->about);
    tacit__strbuf_format(out, "  # %s\n", column->reason);
    bool simple = column->name.len <= MAX_SIMPLE_KEY;
    tacit__strbuf_text(out, simple ? "  " : "  ? ");
    add_name(out, column->name);
    tacit__strbuf_text(out, simple ? ":\n" : "\n  :\n");
    tacit__strbuf_format(out, "    role: %s\n", tacit_role_name(column->role));
    if (column->role == TACIT_ROLE_IDENTIFIER)
        tacit__strbuf_text(out, "    replace: drop\n");
    if (column->role == TACIT_ROLE_SENSITIVE && !column->near_unique && column->distinct > 1)
        tacit__strbuf_text(out, "    # diversity: 2 would leave no class in which everybody has "
                                "the same value, and costs detail\n");
    return add_hierarchy(out, profile, index, prefix, err);
}

static void add_household_note(tacit__strbuf *out)
{
    tacit__strbuf_text(
        out, "# Where others may know whole households, write household in place of person, with "
             "suppressed: drop\n"
             "# and method: mingen: that protects all members together, and costs much more "
             "detail.\n");
}

/* A column called "none" cannot be named as the person. */
static void add_person(tacit__strbuf *out, const tacit_profile *profile)
{
    if (profile->every_row)
        tacit__strbuf_format(out, "\n# %s\nperson: none\n", profile->person_reason);
    if (profile->person < 0)
        return;
    tacit_strview name = profile->columns[profile->person].name;
    bool taken = tacit_strview_equal(name, tacit_strview_of("none"));
    tacit__strbuf_format(out, "\n# %s\n", profile->person_reason);
    if (profile->households)
        add_household_note(out);
    tacit__strbuf_text(out, taken ? "# person: " : "person: ");
    add_name(out, name);
    tacit__strbuf_text(out, "\n");
}

static void add_weight(tacit__strbuf *out, const tacit_profile *profile)
{
    if (profile->weight < 0)
        return;
    tacit__strbuf_text(out, "\n# How many people a row stands for: risk and measures of loss go by "
                            "it.\nsampling-weight: ");
    add_name(out, profile->columns[profile->weight].name);
    tacit__strbuf_text(out, "\n");
}

/* UTF-8 and what a byte order mark declares are told without being told. */
static void add_encoding(tacit__strbuf *out, const tacit_profile *profile)
{
    if (profile->encoding != TACIT_ENCODING_WINDOWS_1252 &&
        profile->encoding != TACIT_ENCODING_ISO_8859_15)
        return;
    tacit__strbuf_format(out,
                         "\n# The file is not UTF-8. Unless you know its encoding this is a guess: "
                         "check letters\n# beyond ASCII in the release, which is UTF-8.\n"
                         "encoding: %s\n",
                         tacit_encoding_name(profile->encoding));
}

static void add_head(tacit__strbuf *out)
{
    tacit__strbuf_text(
        out, "# A policy to start from. The roles are guesses, with their reasons: check each\n"
             "# one, for only you know what others can know about these people.\n"
             "# A quasi-identifier without a hierarchy can only be kept or suppressed.\n\n"
             "# Every combination of quasi-identifiers is shared by so many.\n");
    tacit__strbuf_format(out, "k: %d\n\n", TACIT_PROFILE_K);
    tacit__strbuf_text(
        out,
        "# Generalizes each cell only as far as it has to be, which keeps most detail. A column "
        "then\n"
        "# holds values of several levels, and a generalized cell tells those who know the "
        "method that\n"
        "# its class does not share a finer value. mingen has one level a column.\n"
        "method: local\n\n"
        "# Rows that other methods may suppress; local suppresses none for this.\n"
        "loss: 0.05\n");
}

/* A policy goes by names. */
static tacit_status check_column_names(const tacit_profile *profile, tacit_error *err)
{
    for (int32_t i = 0; i < profile->column_count; i++)
        if (profile->columns[i].name.len == 0)
            return tacit__error(err, TACIT_INVALID,
                                "column %d has no name, and a policy refers to columns by name: "
                                "give it one in the first line of the file",
                                (int)i + 1);
    return TACIT_OK;
}

tacit_status tacit_profile_policy(char **yaml, const tacit_profile *profile, const char *prefix,
                                  tacit_error *err)
{
    tacit__strbuf text = {0};
    tacit_status status = check_column_names(profile, err);
    if (status != TACIT_OK)
        return status;
    add_head(&text);
    add_encoding(&text, profile);
    add_person(&text, profile);
    add_weight(&text, profile);
    tacit__strbuf_text(&text, "\ncolumns:\n");
    for (int32_t i = 0; i < profile->column_count && status == TACIT_OK; i++)
        status = add_column(&text, profile, i, prefix, err);
    if (status == TACIT_OK && text.failed)
        status = tacit__nomem(err);
    if (status == TACIT_OK)
        *yaml = text.bytes;
    else
        tacit__strbuf_clear(&text);
    return status;
}
