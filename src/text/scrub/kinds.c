/*
 * kinds.c - what the kinds of spans are called, and the formats of documents.
 */
#include <tacit/experimental/text.h>

#include <string.h>
#include <strings.h>

static const char *const names[TACIT_TEXT_KINDS] = {
    [TACIT_TEXT_NONE] = "none",
    [TACIT_TEXT_IDENTIFICATION_BLOCK] = "identification_block",
    [TACIT_TEXT_MAILING_LABEL] = "mailing_label",
    [TACIT_TEXT_ADDRESS_BLOCK] = "address_block",
    [TACIT_TEXT_FULL_NAME] = "name",
    [TACIT_TEXT_LOCATION] = "location",
    [TACIT_TEXT_STREET] = "street",
    [TACIT_TEXT_CITY] = "city",
    [TACIT_TEXT_STATE] = "state",
    [TACIT_TEXT_ZIP] = "zip",
    [TACIT_TEXT_PHONE] = "phone",
    [TACIT_TEXT_FIRST_NAME] = "first_name",
    [TACIT_TEXT_MIDDLE_NAME] = "middle_name",
    [TACIT_TEXT_LAST_NAME] = "last_name",
    [TACIT_TEXT_NICK_NAME] = "nickname",
    [TACIT_TEXT_COUNTRY] = "country",
    [TACIT_TEXT_SOCIAL_SECURITY] = "ssn",
    [TACIT_TEXT_TITLE] = "title",
    [TACIT_TEXT_ORGANIZATION] = "organization",
    [TACIT_TEXT_AGE] = "age",
    [TACIT_TEXT_DATE] = "date",
    [TACIT_TEXT_REFERENCE] = "reference",
    [TACIT_TEXT_FAX] = "fax",
    [TACIT_TEXT_EMAIL] = "email",
    [TACIT_TEXT_URL] = "url",
    [TACIT_TEXT_IP] = "ip",
    [TACIT_TEXT_HOSPITAL] = "hospital",
    [TACIT_TEXT_INITIALS] = "initials",
    [TACIT_TEXT_ACCOUNT] = "account",
    [TACIT_TEXT_LICENCE] = "licence",
    [TACIT_TEXT_DEVICE] = "device",
    [TACIT_TEXT_HEALTH_PLAN] = "health_plan",
    [TACIT_TEXT_BANK] = "bank",
    [TACIT_TEXT_CARD] = "card",
    [TACIT_TEXT_VEHICLE] = "vehicle",
    [TACIT_TEXT_USER] = "user",
    [TACIT_TEXT_COORDINATES] = "coordinates",
    [TACIT_TEXT_MEASUREMENT] = "measurement",
    [TACIT_TEXT_MEDICAL] = "medical",
    [TACIT_TEXT_EPONYM] = "eponym",
    [TACIT_TEXT_VERB] = "verb",
    [TACIT_TEXT_TIME] = "time",
};

const char *tacit_text_kind_name(tacit_text_kind kind)
{
    return kind > TACIT_TEXT_NONE && kind < TACIT_TEXT_KINDS ? names[kind] : names[TACIT_TEXT_NONE];
}

const char *tacit_text_format_name(tacit_text_format format)
{
    static const char *const formats[TACIT_TEXT_FORMATS] = {
        [TACIT_TEXT_LETTER] = "letter",
        [TACIT_TEXT_NOTE] = "note",
        [TACIT_TEXT_DELIMITED] = "delimited",
    };
    return format < TACIT_TEXT_FORMATS ? formats[format] : formats[TACIT_TEXT_NOTE];
}

static bool same(const char *name, tacit_strview text)
{
    return strlen(name) == text.len && strncasecmp(name, text.bytes, text.len) == 0;
}

tacit_text_kind tacit_text_kind_of(tacit_strview name)
{
    for (int kind = TACIT_TEXT_NONE + 1; kind < TACIT_TEXT_KINDS; kind++)
        if (name.len > 0 && same(names[kind], name))
            return (tacit_text_kind)kind;
    return TACIT_TEXT_NONE;
}
