/*
 * scrub_case.h - documents as if they had been scrubbed, for tests of what is told of them. In
 * the source, "{last_name 86 Lang Jandel}" stands where "Lang" was and "Jandel" is now, and
 * "{ssn 90 1}" where nothing is now; '_' is a blank within such words.
 */
#ifndef TACIT_TESTS_SCRUB_CASE_H
#define TACIT_TESTS_SCRUB_CASE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/text/scrub.h"

enum { SCRUB_CASE_TEXT = 1 << 16, SCRUB_CASE_SPANS = 2048 };

typedef struct scrub_case {
    char before[SCRUB_CASE_TEXT], now[SCRUB_CASE_TEXT];
    size_t before_len, now_len;
    tacit_text_span spans[SCRUB_CASE_SPANS];
    struct tacit_text_replaced replaced[SCRUB_CASE_SPANS];
    tacit_scrubbed scrubbed;
    engine_scrub_piece piece;
} scrub_case;

/* What becomes of kinds: all are made up. */
static const tacit_text_strategy scrub_case_made_up[TACIT_TEXT_KINDS];

static inline size_t scrub_case_put(char *text, size_t len, const char *word, bool blanks)
{
    for (; *word; word++)
        text[len++] = blanks && *word == '_' ? ' ' : *word;
    text[len] = '\0';
    return len;
}

static inline const char *scrub_case_span(scrub_case *c, const char *at)
{
    char kind[32] = "", word[64] = "", now[64] = "";
    int likelihood = 0, used = 0;
    size_t i = c->scrubbed.span_count++;
    assert_true(sscanf(at, "{%31s %d %63[^ }] %63[^}]", kind, &likelihood, word, now) >= 3);
    used = (int)strcspn(at, "}") + 1;
    c->spans[i].kind = tacit_text_kind_of(tacit_strview_of(kind));
    c->spans[i].likelihood = likelihood;
    c->spans[i].start = c->before_len;
    c->replaced[i].start = c->now_len;
    c->before_len = scrub_case_put(c->before, c->before_len, word, true);
    c->now_len = scrub_case_put(c->now, c->now_len, now, true);
    c->spans[i].end = c->before_len;
    c->replaced[i].end = c->now_len;
    return at + used;
}

/* The document as one piece; all of it is in c. */
static inline const engine_scrub_piece *scrub_case_of(scrub_case *c, uint64_t number,
                                                      const char *id, const char *source)
{
    memset(c, 0, sizeof *c);
    while (*source) {
        char letter[2] = {*source, '\0'};
        if (*source == '{') {
            source = scrub_case_span(c, source);
            continue;
        }
        c->before_len = scrub_case_put(c->before, c->before_len, letter, false);
        c->now_len = scrub_case_put(c->now, c->now_len, letter, false);
        source++;
    }
    c->scrubbed.text = (tacit_strview){c->now, c->now_len};
    c->scrubbed.spans = c->spans;
    c->scrubbed.replaced = c->replaced;
    c->piece = (engine_scrub_piece){.id = tacit_strview_of(id),
                                    .number = number,
                                    .first = true,
                                    .last = true,
                                    .text = {c->before, c->before_len},
                                    .strategy = scrub_case_made_up,
                                    .scrubbed = &c->scrubbed};
    return &c->piece;
}

/* Counts it as the command does. */
static inline void scrub_case_count(engine_scrub_totals *totals, const scrub_case *c)
{
    totals->documents++;
    totals->touched += c->scrubbed.span_count > 0;
    totals->bytes += c->before_len;
    totals->bytes_out += c->now_len;
    totals->spans += c->scrubbed.span_count;
    for (size_t i = 0; i < c->scrubbed.span_count; i++)
        totals->by_kind[c->spans[i].kind]++;
}

static const char scrub_case_letter[] =
    "{date 97 Wednesday,_February_2,_1994 February_1994}\n\n"
    "{name 96 Marjorie_Long Erisa_Cosborn}, M.D.\n{hospital 93 St._John's_Hospital "
    "Brigham_Hospital}\n{street 81 Huntington_18 Alberdam_Way}\n{city 97 Boston Peabon}, "
    "{state 95 MA MA} {zip 99 02151 02100}\n\nRE: {name 94 Virginia_Townsend Kathel_Wallams}\n"
    "CH#{reference 90 32-841-09787 18-512-32871}  DOB {date 98 05/26/86 05/86}\n\n"
    "Dear Dr. {last_name 86 Lang Jandel}:\n\nI feel much better after seeing {first_name 71 "
    "Virginia Kathel} this time. As you know, {nickname 55 Dot Cob} is a {age 88 7_and_6/12 8} "
    "year "
    "old female in follow up for insulin dependent diabetes mellitus diagnosed in {date 92 "
    "June_of_1993 June_of_1993} by Dr. {last_name 84 Frank Wandel} at {hospital 66 Brigham "
    "Namingham}'s. She is currently on Lily Human Insulin and is growing and gaining weight "
    "normally. She will start competing again with the {organization 52 "
    "U._S._Junior_Gymnastics_team}. We will contact Mrs. {last_name 90 Hodgkins Learl} in a week "
    "at {organization 83 Marina_Corp Garlaw_Corp} {phone 78 473-1214 912-8205} to schedule a "
    "follow-up visit for her daughter.\n\n{name 95 Patrick_Hayes Mank_Brones}, M.D. {reference 61 "
    "34764 21075}\n";

static const char scrub_case_girl[] =
    "At the age of two she was sexually assaulted. At the age of three she set fire to her home. "
    "At the age of four her parents divorced. At the age of five she was placed in foster care "
    "after stabbing her nursery school teacher with scissors.\n";

#endif
