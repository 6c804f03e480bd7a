/*
 * audit_honest.h - an honest release, to be tampered with: six rows of four
 * people's visits, names dropped, numbers replaced, postcodes masked by one
 * digit, k = 2. Two of them have come twice, to the same places, so that nobody can be followed.
 */
#ifndef TACIT_TESTS_AUDIT_HONEST_H
#define TACIT_TESTS_AUDIT_HONEST_H

#include <stdio.h>
#include <string.h>

#include "audit_case.h"

#define KIND(k) (1u << TACIT_FINDING_##k)

static const char ORIGINAL[] = "name,number,zip,sex,note,amount\n"
                               "Alice Moore,A1001,02138,f,\"cough, dry\",10\n"
                               "Bruno Weiss,A1002,02139,f,fever,20\n"
                               "Carla Stone,A1003,02138,m,fever,30\n"
                               "David Young,A1004,02134,m,,40\n"
                               "Alice Moore,A1001,10001,f,rash,50\n"
                               "Bruno Weiss,A1002,10002,f,\"said \"\"no\"\"\",60\n";

static const char RELEASE[] = "number,zip,sex,note,amount\n"
                              "p7,0213*,f,\"cough, dry\",10\n"
                              "p9,0213*,f,fever,20\n"
                              "p1,0213*,m,fever,30\n"
                              "p2,0213*,m,,40\n"
                              "p7,1000*,f,rash,50\n"
                              "p9,1000*,f,\"said \"\"no\"\"\",60\n";

static inline audit_case honest(void)
{
    audit_case c = {.promise = {.k = 2}, .original = ORIGINAL, .release = RELEASE};
    c.same_order = true;
    return c;
}

static inline void promise(audit_case *c)
{
    case_attribute(c, "zip", &CASE_MASK);
    case_attribute(c, "sex", &CASE_NONE);
    case_identifier(c, "name", false);
    case_identifier(c, "number", true);
}

/* A text with its first `old` replaced. */
static inline const char *replaced(const char *text, const char *old, const char *new)
{
    static char out[4096];
    const char *at = strstr(text, old);
    assert_non_null(at);
    snprintf(out, sizeof out, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
    return out;
}

static inline unsigned tampered(const char *old, const char *new, bool same_order)
{
    audit_case c = honest();
    promise(&c);
    c.same_order = same_order;
    c.release = replaced(RELEASE, old, new);
    return case_kinds(&c);
}

#endif
