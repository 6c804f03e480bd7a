/*
 * verdict.c - says what the judge has checked, and no more than that: a
 * sentence about values only where there was an original to compare with.
 */
#define _GNU_SOURCE
#include "verdict.h"

#include <stdarg.h>
#include <string.h>

enum { WIDTH = 80, LABEL_WIDTH = 12 };

int64_t cli_verdict_smallest(const tacit_verdict *verdict)
{
    int64_t smallest = 0;
    for (int32_t i = 0; i < verdict->set_count; i++)
        if (verdict->sets[i].classes > 0 && (!smallest || verdict->sets[i].smallest < smallest))
            smallest = verdict->sets[i].smallest;
    return smallest;
}

static void append(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void append(char *buffer, size_t size, const char *format, ...)
{
    size_t used = strlen(buffer);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(buffer + used, size - used, format, arguments);
    va_end(arguments);
}

static void append_good(char *buffer, size_t size, const tacit_verdict *verdict,
                        const tacit_promise *promise)
{
    const char *whom = verdict->people_counted ? "people" : "rows";
    if (verdict->rows == 0)
        append(buffer, size, "the promise holds, for the release has no rows");
    else
        append(buffer, size,
               "the promise holds: no combination of quasi-identifiers has fewer "
               "than %lld %s (k = %lld)",
               (long long)cli_verdict_smallest(verdict), whom, (long long)promise->k);
    if (verdict->values_checked)
        append(buffer, size, ", every value generalizes the original's");
    if (verdict->rows_matched)
        append(buffer, size, ", row by row");
    if (promise->identifier_count > 0)
        append(buffer, size, ", and no identifier is left");
    if (!verdict->values_checked)
        append(buffer, size, "; values were not compared, for there was no original");
    if (promise->person && !verdict->people_counted)
        append(buffer, size,
               "; rows were counted, not people as promised, for nothing says whose the rows are");
}

const char *cli_verdict_sentence(char *buffer, size_t size, const tacit_verdict *verdict,
                                 const tacit_promise *promise)
{
    buffer[0] = '\0';
    if (verdict->holds)
        append_good(buffer, size, verdict, promise);
    else
        append(buffer, size, "the promise is broken: %lld %s", (long long)verdict->finding_count,
               verdict->finding_count == 1 ? "finding" : "findings");
    return buffer;
}

const char *cli_finding_name(tacit_finding_kind kind)
{
    switch (kind) {
    case TACIT_FINDING_K: return "k";
    case TACIT_FINDING_SUPPRESSED: return "suppressed";
    case TACIT_FINDING_VALUE: return "value";
    case TACIT_FINDING_ROWS: return "rows";
    case TACIT_FINDING_CHANGED: return "changed";
    case TACIT_FINDING_IDENTIFIER: return "identifier";
    case TACIT_FINDING_COLUMN: return "column";
    case TACIT_FINDING_MODEL: return "model";
    }
    return "other";
}

static void add_findings(tacit_account *account, const tacit_verdict *verdict)
{
    tacit_account_list(account, "judge.findings");
    for (int32_t i = 0; i < verdict->finding_count; i++) {
        const tacit_finding *finding = &verdict->findings[i];
        tacit_account_push_object(account, "judge.findings");
        tacit_account_text(account, "@.kind", tacit_strview_of(cli_finding_name(finding->kind)));
        tacit_account_integer(account, "@.row", finding->row);
        tacit_account_integer(account, "@.count", finding->count);
        tacit_account_text(account, "@.message", tacit_strview_of(finding->message));
    }
}

void cli_verdict_account(tacit_account *account, const tacit_verdict *verdict)
{
    tacit_account_bool(account, "judge.holds", verdict->holds);
    tacit_account_list(account, "judge.sets");
    for (int32_t i = 0; i < verdict->set_count; i++) {
        tacit_account_push_object(account, "judge.sets");
        tacit_account_integer(account, "@.classes", verdict->sets[i].classes);
        tacit_account_integer(account, "@.smallest", verdict->sets[i].smallest);
        tacit_account_integer(account, "@.rows_below", verdict->sets[i].rows_below);
    }
    tacit_account_integer(account, "judge.suppressed_rows", verdict->suppressed_rows);
    tacit_account_integer(account, "judge.unreleased_rows", verdict->unreleased_rows);
    tacit_account_bool(account, "judge.rows_matched", verdict->rows_matched);
    tacit_account_bool(account, "judge.values_checked", verdict->values_checked);
    tacit_account_bool(account, "judge.people_counted", verdict->people_counted);
    add_findings(account, verdict);
}

void cli_print_labelled(FILE *out, const char *label, const char *text)
{
    bool fits = strlen(label) < LABEL_WIDTH; /* a longer one has a line of its own */
    if (fits)
        fprintf(out, "  %-*s", LABEL_WIDTH, label);
    else
        fprintf(out, "  %s\n%*s", label, LABEL_WIDTH + 2, "");
    int at = LABEL_WIDTH + 2;
    for (bool first = true; *text; first = false) {
        int word = (int)strcspn(text, " ");
        if (!first && at + 1 + word > WIDTH) {
            fprintf(out, "\n%*s", LABEL_WIDTH + 2, "");
            at = LABEL_WIDTH + 2;
        } else if (!first) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", word, text);
        at += word;
        text += word + (text[word] == ' ');
    }
    fputc('\n', out);
}

cli_counted cli_count(int64_t count)
{
    cli_counted counted;
    tacit_number_text(counted.text, sizeof counted.text, (double)count, 0);
    return counted;
}
