/*
 * rule_parse.c - primary rules as they are written: a word, a colon, and numbers with commas.
 */
#include <math.h>
#include <string.h>

#include "base/decimal.h"
#include "base/error.h"
#include "cells/cells/inside.h"

/* A rule's word, how many numbers it takes, and what they may be. */
typedef struct form {
    const char *word;
    tacit_rule_kind kind;
    int numbers;
    const char *what;
} form;

static const form forms[] = {
    {"freq", TACIT_RULE_FREQ, 1, "freq:n, n contributors or fewer, n from 1 to 1000000"},
    {"nk", TACIT_RULE_DOMINANCE, 2, "nk:n,k, n contributors from 1 to 16 and k percent below 100"},
    {"p", TACIT_RULE_P, 1, "p:p, p percent above 0 and up to 100"},
    {"pq", TACIT_RULE_PQ, 2, "pq:p,q, 0 < p < q <= 100 percent"},
    {"request", TACIT_RULE_REQUEST, 1, "request:k, k percent from 0 to below 100"},
};

static const form *form_of(const char *text)
{
    size_t len = strcspn(text, ":");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].word) == len && !memcmp(forms[i].word, text, len))
            return &forms[i];
    return NULL;
}

static bool read_numbers(double *numbers, int count, const char *text)
{
    for (int i = 0; i < count; i++) {
        size_t len = strcspn(text, ",");
        numbers[i] = tacit__decimal_read((tacit_strview){text, len});
        bool last = i + 1 == count;
        if (isnan(numbers[i]) || (text[len] == '\0') != last)
            return false;
        text += len + 1;
    }
    return true;
}

static bool is_count(double number, double most)
{
    return number >= 1 && number <= most && number == floor(number);
}

static bool fill(tacit_rule *rule, const double *numbers)
{
    switch (rule->kind) {
    case TACIT_RULE_FREQ:
        rule->n = is_count(numbers[0], 1e6) ? (int32_t)numbers[0] : 0;
        return rule->n > 0;
    case TACIT_RULE_DOMINANCE:
        rule->n = is_count(numbers[0], TACIT_MAX_TOP) ? (int32_t)numbers[0] : 0;
        rule->p = numbers[1];
        return rule->n > 0 && rule->p > 0 && rule->p < 100;
    case TACIT_RULE_P: rule->p = numbers[0]; return rule->p > 0 && rule->p <= 100;
    case TACIT_RULE_PQ:
        rule->p = numbers[0];
        rule->q = numbers[1];
        return rule->p > 0 && rule->p < rule->q && rule->q <= 100;
    case TACIT_RULE_REQUEST: rule->p = numbers[0]; return rule->p >= 0 && rule->p < 100;
    }
    return false;
}

tacit_status tacit_rule_parse(tacit_rule *rule, const char *text, tacit_error *err)
{
    const form *found = form_of(text);
    double numbers[2];
    if (!found)
        return tacit__error(err, TACIT_INVALID,
                            "\"%s\" is no rule; write freq:n, nk:n,k, p:p, pq:p,q or request:k",
                            tacit__show(tacit_strview_of(text)).text);
    tacit_rule read = {.kind = found->kind};
    const char *rest = text + strlen(found->word);
    if (*rest != ':' || !read_numbers(numbers, found->numbers, rest + 1) || !fill(&read, numbers))
        return tacit__error(err, TACIT_INVALID, "\"%s\" is not written as %s",
                            tacit__show(tacit_strview_of(text)).text, found->what);
    *rule = read;
    return TACIT_OK;
}
