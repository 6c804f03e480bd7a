/*
 * findings.c - what the judge has found, collected and then cut to the room
 * that a verdict has.
 *
 * A finding is made once for a subject (a quasi-identifier, an attribute, a
 * column), with the number of rows concerned and the first of them, so there
 * are never many; still, none of a kind may hide another kind. Findings never
 * show values: names of columns, rows and lines only.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/vector.h"

enum { KINDS = TACIT_FINDING_FORMULA + 1 };

void tacit__find(tacit__judge *judge, tacit_finding_kind kind, int64_t row, int64_t count,
                 const char *format, ...)
{
    if (!TACIT__RESERVE_ONE(judge->findings, judge->finding_capacity, judge->finding_count)) {
        judge->out_of_memory = true;
        return;
    }
    tacit_finding *finding = &judge->findings[judge->finding_count++];
    *finding = (tacit_finding){.kind = kind, .row = row, .count = count};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message, sizeof finding->message, format, arguments);
    va_end(arguments);
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

/* The most findings of one kind that fit when every kind may have as many. */
static int32_t fair_share(const int32_t *of_kind)
{
    int32_t share = TACIT_MAX_FINDINGS;
    for (;; share--) {
        int32_t taken = 0;
        for (int kind = 0; kind < KINDS; kind++)
            taken += smaller(of_kind[kind], share);
        if (taken <= TACIT_MAX_FINDINGS)
            return share;
    }
}

/* Says in the last finding of a kind that there are others like it. */
static void mention_more(tacit_finding *last, int32_t more)
{
    size_t len = strlen(last->message);
    snprintf(last->message + len, sizeof last->message - len, " (and %d more like this)", more);
}

void tacit__findings_close(tacit__judge *judge)
{
    tacit_verdict *v = judge->verdict;
    int32_t of_kind[KINDS] = {0};
    for (size_t i = 0; i < judge->finding_count; i++)
        of_kind[judge->findings[i].kind]++;
    int32_t share = fair_share(of_kind);
    for (int kind = 0; kind < KINDS; kind++) {
        int32_t left = smaller(of_kind[kind], share);
        for (size_t i = 0; i < judge->finding_count && left > 0; i++) {
            if (judge->findings[i].kind != (tacit_finding_kind)kind)
                continue;
            v->findings[v->finding_count++] = judge->findings[i];
            left--;
        }
        if (of_kind[kind] > share)
            mention_more(&v->findings[v->finding_count - 1], of_kind[kind] - share);
    }
    v->holds = judge->finding_count == 0;
}

tacit__judge_tally *tacit__tallies_new(int workers, int32_t subjects)
{
    size_t count;
    if (!tacit__multiply((size_t)workers, (size_t)subjects, &count))
        return NULL;
    return tacit__alloc_zeroed(count, sizeof(tacit__judge_tally));
}

tacit__judge_tally tacit__tally_sum(const tacit__judge_tally *tallies, int workers,
                                    int32_t subjects, int32_t subject)
{
    tacit__judge_tally sum = {0};
    for (int worker = 0; worker < workers; worker++) {
        const tacit__judge_tally *part = &tallies[(int64_t)worker * subjects + subject];
        if (part->count && (!sum.count || part->first < sum.first))
            sum.first = part->first;
        sum.count += part->count;
    }
    return sum;
}
