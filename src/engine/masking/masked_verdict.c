/*
 * masked_verdict.c - what steps claim to have kept, in words, and what the judge has measured.
 */
#include "engine/masking/masked_verdict.h"
#include "engine/job/print.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

enum { NAMED = 4, NAME_BYTES = 48, SENTENCE_BYTES = 512 };

typedef struct words {
    char *text;
    size_t size;
} words;

static void add(const words *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(const words *w, const char *format, ...)
{
    size_t used = strlen(w->text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(w->text + used, w->size - used, format, arguments);
    va_end(arguments);
}

/* "a, b and c"; of many, the first ones and how many more. */
static void add_names(const words *w, const char *const *names, size_t count)
{
    char name[NAME_BYTES];
    size_t shown = count > NAMED + 1 ? NAMED : count;
    for (size_t i = 0; i < shown; i++) {
        const char *before = i + 1 < count ? ", " : " and ";
        add(w, "%s%s", i ? before : "",
            engine_printable(name, sizeof name, tacit_strview_of(names[i])));
    }
    if (shown < count)
        add(w, " and %zu more", count - shown);
}

static void add_columns(const words *w, const tacit_kept *kept)
{
    add_names(w, kept->columns, kept->column_count);
}

/* ---- one claim ---- */

static void say_values(const words *w, const tacit_kept *kept)
{
    add(w, "values of ");
    add_columns(w, kept);
    add(w, " are those that were there, as often");
}

static void say_unit(const words *w, const tacit_kept *kept)
{
    add(w, "combinations of ");
    add_columns(w, kept);
    add(w, " are those that were there, as often");
}

static void say_sum(const words *w, const tacit_kept *kept)
{
    add(w, kept->column_count > 1 ? "sums of " : "the sum of ");
    add_columns(w, kept);
    add(w, kept->column_count > 1 ? " are " : " is ");
    if (kept->amount > 0)
        add(w, "within %.6g of what %s", kept->amount,
            kept->column_count > 1 ? "they were" : "it was");
    else
        add(w, kept->column_count > 1 ? "as they were" : "as it was");
}

static void say_moments(const words *w, const tacit_kept *kept)
{
    add(w, kept->column_count > 1 ? "means and covariances of " : "mean and variance of ");
    add_columns(w, kept);
    add(w, " are within %.6g standard deviations of what they were", kept->amount);
}

static void say_shares(const words *w, const tacit_kept *kept)
{
    add(w, "every value's share of rows in ");
    add_columns(w, kept);
    add(w, " is within %.6g of what it was", kept->amount);
}

static void say_near(const words *w, const tacit_kept *kept)
{
    add(w, "no number of ");
    add_columns(w, kept);
    add(w, " is further than %.6g from what it was", kept->amount);
}

static void say_groups(const words *w, const tacit_kept *kept)
{
    add(w, "every %s of ", kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    add(w, " that is there is there at least %.6g times", kept->amount);
}

static void say_null_map(const words *w, const tacit_kept *kept)
{
    add(w, "no row has a %s of ", kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    add(w, " that the original has");
}

static void say_wrong_map(const words *w, const tacit_kept *kept)
{
    add(w, "no row has the %s of ", kept->column_count > 1 ? "combination" : "value");
    add_columns(w, kept);
    add(w, " that it had, and every one is another row's");
}

static void say_range(const words *w, const tacit_kept *kept)
{
    add(w, "every number of ");
    add_columns(w, kept);
    if (isinf(kept->low))
        add(w, " is at most %.6g", kept->high);
    else if (isinf(kept->high))
        add(w, " is at least %.6g", kept->low);
    else
        add(w, " is from %.6g to %.6g", kept->low, kept->high);
}

/* A kind's name in the account, what it says, and whether a figure says more than that. */
typedef struct kind_words {
    const char *name;
    void (*say)(const words *w, const tacit_kept *kept);
    bool measured;
} kind_words;

static const kind_words KINDS[] = {
    [TACIT_KEPT_VALUES] = {"values", say_values, false},
    [TACIT_KEPT_UNIT] = {"unit", say_unit, false},
    [TACIT_KEPT_SUM] = {"sum", say_sum, true},
    [TACIT_KEPT_MOMENTS] = {"moments", say_moments, true},
    [TACIT_KEPT_SHARES] = {"shares", say_shares, true},
    [TACIT_KEPT_NEAR] = {"near", say_near, true},
    [TACIT_KEPT_GROUPS] = {"groups", say_groups, true},
    [TACIT_KEPT_NULL_MAP] = {"null_map", say_null_map, false},
    [TACIT_KEPT_WRONG_MAP] = {"wrong_map", say_wrong_map, false},
    [TACIT_KEPT_RANGE] = {"range", say_range, false},
};

static const kind_words *kind_of(const tacit_kept *kept)
{
    size_t kind = (size_t)kept->kind;
    return kind < sizeof KINDS / sizeof *KINDS ? &KINDS[kind] : NULL;
}

static void say_claim(const words *w, const tacit_kept *kept)
{
    const kind_words *kind = kind_of(kept);
    if (!kind) {
        add(w, "something is kept that nobody knows");
        return;
    }
    kind->say(w, kept);
    if (kept->within_count) {
        add(w, kept->within_count > 1 ? " in each combination of " : " in each ");
        add_names(w, kept->within, kept->within_count);
    }
}

const char *engine_masked_sentence(char *buffer, size_t size, const tacit_masked_verdict *verdict,
                                   const tacit_masked_case *masked, size_t claim)
{
    words w = {buffer, size};
    const tacit_masked_claim *judged = &verdict->claims[claim];
    const tacit_kept *kept = &masked->kept[claim];
    buffer[0] = '\0';
    if (!judged->holds)
        add(&w, judged->checked ? "it does not hold that " : "it could not be checked that ");
    say_claim(&w, kept);
    if (judged->holds && kind_of(kept)->measured && judged->allowed > 0 &&
        isfinite(judged->measured))
        add(&w, " (%.4g measured)", judged->measured);
    return buffer;
}

void engine_masked_sentences(const tacit_masked_verdict *verdict, const tacit_masked_case *masked,
                             engine_sentence_fn each, void *payload)
{
    char sentence[SENTENCE_BYTES];
    for (size_t i = 0; i < verdict->claim_count; i++)
        each(payload, engine_masked_sentence(sentence, sizeof sentence, verdict, masked, i),
             verdict->claims[i].holds);
}

/* ---- refusal ---- */

static void say_finding(const words *w, const tacit_masked_finding *finding,
                        const tacit_masked_case *masked)
{
    char name[NAME_BYTES];
    bool of_claim = finding->claim != SIZE_MAX;
    if (of_claim) {
        add(w, "step %zu claims that ", masked->kept[finding->claim].step + 1);
        say_claim(w, &masked->kept[finding->claim]);
        add(w, "; ");
    }
    if (finding->column)
        add(w,
            "column %s: ", engine_printable(name, sizeof name, tacit_strview_of(finding->column)));
    add(w, "%s", finding->what);
    if (isfinite(finding->measured) && of_claim)
        add(w, " (%.6g measured, %.6g allowed)", finding->measured, finding->allowed);
    else if (isfinite(finding->measured) && finding->measured > 0)
        add(w, " (%.0f)", finding->measured);
    if (finding->row > 0)
        add(w, "; the first is row %lld", (long long)finding->row);
}

tacit_status engine_masked_refuse(tacit_error *err, const tacit_masked_verdict *verdict,
                                  const tacit_masked_case *masked)
{
    char text[SENTENCE_BYTES] = "", more[48] = "";
    if (verdict->holds)
        return TACIT_OK;
    say_finding(&(words){text, sizeof text}, &verdict->findings[0], masked);
    if (verdict->finding_count > 1)
        snprintf(more, sizeof more, "; and %zu more %s", verdict->finding_count - 1,
                 verdict->finding_count > 2 ? "findings" : "finding");
    return tacit__error(err, TACIT_INFEASIBLE,
                        "the judge refuses the masked table, and nothing is written: %s%s", text,
                        more);
}

/* ---- account ---- */

static void push_names(tacit_account *account, const char *list, const char *const *names,
                       size_t count)
{
    tacit_account_list(account, list);
    for (size_t i = 0; i < count; i++)
        tacit_account_push_text(account, list, tacit_strview_of(names[i]));
}

static void account_claim(tacit_account *account, const tacit_masked_claim *claim,
                          const tacit_kept *kept)
{
    const kind_words *kind = kind_of(kept);
    tacit_account_push_object(account, "claims");
    tacit_account_text(account, "@.kept", tacit_strview_of(kind ? kind->name : "unknown"));
    push_names(account, "@.columns", kept->columns, kept->column_count);
    push_names(account, "@.within", kept->within, kept->within_count);
    tacit_account_integer(account, "@.step", (int64_t)kept->step + 1);
    tacit_account_real(account, "@.allowed", claim->allowed);
    tacit_account_real(account, "@.measured", claim->measured);
    tacit_account_bool(account, "@.holds", claim->holds);
}

static void account_finding(tacit_account *account, const tacit_masked_finding *finding)
{
    static const char *const NAMES[] = {[TACIT_MASKED_HEADER] = "header",
                                        [TACIT_MASKED_ROWS] = "rows",
                                        [TACIT_MASKED_BYTES] = "bytes",
                                        [TACIT_MASKED_CLAIM] = "claim",
                                        [TACIT_MASKED_UNCHECKED] = "unchecked"};
    tacit_account_push_object(account, "masked_judge.findings");
    tacit_account_text(account, "@.kind", tacit_strview_of(NAMES[finding->kind]));
    if (finding->claim != SIZE_MAX)
        tacit_account_integer(account, "@.claim", (int64_t)finding->claim + 1);
    if (finding->column)
        tacit_account_text(account, "@.column", tacit_strview_of(finding->column));
    if (finding->row > 0)
        tacit_account_integer(account, "@.row", finding->row);
    tacit_account_text(account, "@.what", tacit_strview_of(finding->what));
    tacit_account_real(account, "@.measured", finding->measured);
    tacit_account_real(account, "@.allowed", finding->allowed);
}

void engine_masked_account(tacit_account *account, const tacit_masked_verdict *verdict,
                           const tacit_masked_case *masked)
{
    tacit_account_list(account, "claims");
    for (size_t i = 0; i < verdict->claim_count; i++)
        account_claim(account, &verdict->claims[i], &masked->kept[i]);
    tacit_account_bool(account, "masked_judge.holds", verdict->holds);
    tacit_account_integer(account, "masked_judge.cells_compared", verdict->cells_compared);
    tacit_account_integer(account, "masked_judge.cells_changed", verdict->cells_changed);
    tacit_account_list(account, "masked_judge.findings");
    for (size_t i = 0; i < verdict->finding_count; i++)
        account_finding(account, &verdict->findings[i]);
}
