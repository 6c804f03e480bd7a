/*
 * formulas.c - cells of a release that a spreadsheet may run.
 *
 * What begins with = + - or @, plain or full-width, with a tab or with a line end, may be a formula
 * to the spreadsheet that opens the release. A sign with a number behind it is not. The file is
 * judged as it was written, names of columns among it; how its cells were guarded is not known
 * here. That a guarded cell is the original's and nothing else, the comparison of rows says: the
 * original is read with the same guard.
 *
 * Cost: the first bytes of every cell, on all cores.
 */
#include <string.h>

#include "audit/judge/judge.h"
#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/parallel.h"

typedef struct patrol {
    const tacit__judge *judge;
    tacit__judge_tally *tallies; /* workers times columns */
    tacit_strview *cells;        /* the same */
    tacit__cell_buffer *buffers;
    int32_t columns;
} patrol;

/* The character that a text begins with, full-width forms as the plain ones. */
static int first_character(tacit_strview text)
{
    const unsigned char *b = (const unsigned char *)text.bytes;
    if (text.len == 0)
        return 0;
    if (text.len >= 3 && b[0] == 0xEF && b[1] >= 0xBC && b[1] <= 0xBD) {
        int point = 0xF000 | (b[1] & 0x3F) << 6 | (b[2] & 0x3F); /* U+FF01 to U+FF5E */
        return point > 0xFF00 && point < 0xFF5F ? point - 0xFF00 + ' ' : point;
    }
    return b[0];
}

/* Whether nothing but a number follows the sign: no letter but one E with digits around it. */
static bool is_signed_number(tacit_strview text)
{
    static const char allowed[] = "0123456789.,";
    size_t mantissa = 0, at = 1;
    for (; at < text.len && memchr(allowed, text.bytes[at], sizeof allowed - 1); at++)
        mantissa += tacit__is_digit(text.bytes[at]);
    if (mantissa == 0 || at == text.len)
        return mantissa > 0;
    if (tacit__to_lower(text.bytes[at++]) != 'e')
        return false;
    if (at < text.len && strchr("+-", text.bytes[at]) && text.bytes[at])
        at++;
    size_t exponent = at;
    while (at < text.len && tacit__is_digit(text.bytes[at]))
        at++;
    return at > exponent && at == text.len;
}

static bool may_be_run(tacit_strview text)
{
    switch (first_character(text)) {
    case '=':
    case '@':
    case '\t':
    case '\r':
    case '\n': return true;
    case '+':
    case '-': return !is_signed_number(text);
    default: return false;
    }
}

static tacit_status patrol_block(void *context, int64_t block, int worker, tacit_error *err)
{
    patrol *p = context;
    const tacit_table *release = p->judge->release;
    tacit__judge_tally *tallies = p->tallies + (size_t)worker * (size_t)p->columns;
    tacit_strview *cells = p->cells + (size_t)worker * (size_t)p->columns;
    int64_t end = tacit__block_end(block, tacit_table_rows(release));
    for (int64_t row = block * TACIT__BLOCK; row < end; row++) {
        tacit_table_row(release, row, cells);
        for (int32_t i = 0; i < p->columns; i++) {
            tacit_strview says = tacit__cell_says(cells[i], &p->buffers[worker]);
            if (!says.bytes)
                return tacit__nomem(err);
            if (may_be_run(says))
                tacit__tally_add(&tallies[i], row);
        }
    }
    return TACIT_OK;
}

static void report_formulas(const patrol *p, int workers, tacit__judge *judge)
{
    const tacit_table *release = judge->release;
    for (int32_t i = 0; i < p->columns; i++) {
        tacit_strview name = tacit_table_name(release, i);
        tacit__judge_tally sum = tacit__tally_sum(p->tallies, workers, p->columns, i);
        if (tacit_table_has_header(release) && may_be_run(name))
            tacit__find(judge, TACIT_FINDING_FORMULA, 0, 1,
                        "the name of column %d begins as a formula does, and a spreadsheet may run "
                        "it: rename the column",
                        (int)i + 1);
        if (sum.count)
            tacit__find(
                judge, TACIT_FINDING_FORMULA, sum.first + 1, sum.count,
                "column \"%s\" has cells, %lld in all, that begin as a formula does and that a "
                "spreadsheet may run; the first is in row %lld (line %lld)",
                tacit__show(name).text, (long long)sum.count, (long long)sum.first + 1,
                (long long)tacit_table_line(release, sum.first));
    }
}

tacit_status tacit__judge_formulas(tacit__judge *judge, tacit_error *err)
{
    if (tacit_table_guard(judge->release) == TACIT_GUARD_CELLS)
        return tacit__error(err, TACIT_INVALID,
                            "a release is judged as it was written, not with a guard");
    int workers = tacit__threads(judge->run);
    patrol p = {.judge = judge, .columns = tacit_table_columns(judge->release)};
    p.tallies = tacit__tallies_new(workers, p.columns);
    p.cells = tacit__alloc_array((size_t)workers * (size_t)p.columns, sizeof *p.cells);
    p.buffers = tacit__alloc_zeroed((size_t)workers, sizeof *p.buffers);
    tacit_status status = p.tallies && p.cells && p.buffers ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(judge->run, "judging", tacit__blocks(tacit_table_rows(judge->release)),
                            patrol_block, &p, err);
    if (status == TACIT_OK)
        report_formulas(&p, workers, judge);
    for (int i = 0; p.buffers && i < workers; i++)
        tacit__free(p.buffers[i].bytes);
    tacit__free(p.buffers);
    tacit__free(p.cells);
    tacit__free(p.tallies);
    return status;
}
