/*
 * off.c - sums that are not what they should be.
 *
 * Two sums are taken for equal where they differ by no more than the tolerance asked for and
 * what decimals in doubles round to, TACIT_CELLS_EQUAL of the sizes that went into them.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "cells/cells/inside.h"

enum { LISTED = 5, DIGITS = 6 };

/* Sums that overflow are as far off as can be said. */
tacit__off tacit__off_of(double by, int64_t line)
{
    return (tacit__off){.by = isfinite(by) ? fabs(by) : DBL_MAX, .line = line};
}

bool tacit__within(double difference, double size, double tolerance)
{
    return isfinite(difference) && isfinite(size) &&
           fabs(difference) <= tolerance + TACIT_CELLS_EQUAL * fmax(1, size);
}

static int worst_first(const void *left, const void *right)
{
    const tacit__off *a = left, *b = right;
    if (a->by != b->by)
        return a->by > b->by ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

tacit_status tacit__off_error(tacit__off *off, int64_t count, const char *file, const char *what,
                              tacit_error *err)
{
    tacit__strbuf list = {0};
    qsort(off, (size_t)count, sizeof *off, worst_first);
    for (int64_t i = 0; i < count && i < LISTED; i++) {
        char by[TACIT__DECIMAL_SIZE];
        double scale = pow(10, DIGITS - ceil(log10(off[i].by)));
        tacit__decimal_write(by, round(off[i].by * scale) / scale);
        tacit__strbuf_format(&list, "%sline %lld by %s", i ? ", " : "", (long long)off[i].line, by);
    }
    tacit_status status =
        list.failed
            ? tacit__nomem(err)
            : tacit__error_at(err, TACIT_PARSE, file, off[0].line, 0,
                              "%s (%lld), worst first: %s%s; correct them or allow a tolerance",
                              what, (long long)count, list.bytes, count > LISTED ? ", ..." : "");
    tacit__strbuf_clear(&list);
    return status;
}
