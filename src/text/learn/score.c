/*
 * score.c - how well documents are scrubbed, by tokens: runs of letters, digits and
 * underscores. A token that a mark touches is personal, one that a span touches is found;
 * whether the span says the right kind does not matter, for what is replaced is gone.
 *
 * Every thread paints marks and spans into bytes of its own and counts; sums of counts do not
 * depend on who had which document. Cost: that of scrubbing, and a few steps a byte.
 */
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "text/learn/learn.h"
#include "text/read/signs.h"

double tacit_learn_recall(const tacit_learn_score *score)
{
    return score->personal > 0 ? (double)score->both / (double)score->personal : 1;
}

double tacit_learn_precision(const tacit_learn_score *score)
{
    return score->found > 0 ? (double)score->both / (double)score->found : 1;
}

/* Of a share that falls short of what it should be: how far it gets there. */
static double share_of_goal(double reached, double goal)
{
    return reached < goal ? reached / goal : 1;
}

double tacit_learn_value(const tacit_learn_score *score, double precision)
{
    const double alone = 0.9; /* of the documents with nothing personal in them */
    double left = score->clean > 0 ? 1 - (double)score->touched / (double)score->clean : 1;
    return tacit_learn_recall(score) * share_of_goal(tacit_learn_precision(score), precision) *
           share_of_goal(left, alone);
}

bool tacit_learn_better(const tacit_learn_score *a, const tacit_learn_score *b, double precision)
{
    double first = tacit_learn_value(a, precision), second = tacit_learn_value(b, precision);
    return first != second ? first > second : tacit_learn_precision(a) > tacit_learn_precision(b);
}

/* One thread's memory. */
typedef struct measurer {
    tacit_scrub_reader *reader;
    uint16_t *marked; /* of each byte: the label of its first mark, + 1, or 0 */
    bool *found;
    tacit__learn_measured counts;
} measurer;

typedef struct measuring {
    const tacit__collection *collection;
    const tacit_scrubber *scrubber;
    unsigned parts;
    measurer *measurers;
} measuring;

static tacit_status equip(measurer *m, const measuring *all, tacit_error *err)
{
    if (m->reader)
        return TACIT_OK;
    size_t room = all->collection->longest + 1;
    m->marked = tacit__alloc_array(room, sizeof *m->marked);
    m->found = tacit__alloc_array(room, sizeof *m->found);
    if (!m->marked || !m->found)
        return tacit__nomem(err);
    return tacit_scrub_reader_new(&m->reader, all->scrubber, err);
}

static void paint_marks(measurer *m, const tacit__collection *collection,
                        const tacit_text_marked *document)
{
    memset(m->marked, 0, document->text.len * sizeof *m->marked);
    for (size_t i = 0; i < document->mark_count; i++) {
        const tacit_text_mark *mark = &document->marks[i];
        uint16_t label = (uint16_t)(tacit__collection_label(collection, mark->label) + 1);
        for (uint64_t at = mark->start; at < mark->end; at++)
            if (m->marked[at] == 0)
                m->marked[at] = label;
    }
}

/* Scrubs the document piece by piece. */
static tacit_status paint_spans(measurer *m, tacit_strview text, bool *touched, tacit_error *err)
{
    memset(m->found, 0, text.len * sizeof *m->found);
    tacit_scrub_begin(m->reader, 0);
    *touched = false;
    while (text.len > 0) {
        tacit_scrubbed scrubbed;
        size_t consumed;
        tacit_status status = tacit_scrub_piece(&scrubbed, &consumed, m->reader, text, true, err);
        if (status != TACIT_OK)
            return status;
        for (size_t i = 0; i < scrubbed.span_count; i++) {
            const tacit_text_span *span = &scrubbed.spans[i];
            memset(m->found + span->start, true, span->end - span->start);
            *touched = true;
        }
        text = (tacit_strview){text.bytes + consumed, text.len - consumed};
    }
    return TACIT_OK;
}

/* Bytes of the letter, digit or underscore at the place; 0 where there is none. */
static size_t token_character(tacit_strview text, size_t at)
{
    unsigned char byte = (unsigned char)text.bytes[at];
    size_t len = 1;
    unsigned sign =
        byte < 0x80 ? tacit__sign_ascii(byte)
                    : tacit__sign_foreign((tacit_strview){text.bytes + at, text.len - at}, &len);
    return sign & TACIT__SIGN_WORD || byte == '_' ? len : 0;
}

static void count_token(measurer *m, size_t start, size_t end)
{
    uint16_t label = 0;
    bool found = false;
    for (size_t at = start; at < end; at++) {
        label = label != 0 ? label : m->marked[at];
        found |= m->found[at];
    }
    m->counts.score.tokens++;
    m->counts.score.found += found;
    if (label == 0)
        return;
    m->counts.score.personal++;
    m->counts.score.both += found;
    m->counts.personal[label - 1]++;
    m->counts.both[label - 1] += found;
}

static void count_tokens(measurer *m, tacit_strview text)
{
    size_t start = 0;
    for (size_t at = 0; at < text.len;) {
        size_t len = token_character(text, at);
        if (len > 0) {
            at += len;
            continue;
        }
        if (at > start)
            count_token(m, start, at);
        start = ++at;
    }
    if (text.len > start)
        count_token(m, start, text.len);
}

static tacit_status measure_one(void *context, int64_t task, int worker, tacit_error *err)
{
    measuring *all = context;
    measurer *m = &all->measurers[worker];
    const tacit__collected *item = &all->collection->items[task];
    const tacit_text_marked *document = item->document;
    bool touched;
    if (!(item->part & all->parts))
        return TACIT_OK;
    tacit_status status = equip(m, all, err);
    if (status == TACIT_OK)
        status = paint_spans(m, document->text, &touched, err);
    if (status != TACIT_OK)
        return status;
    paint_marks(m, all->collection, document);
    count_tokens(m, document->text);
    m->counts.score.clean += document->mark_count == 0;
    m->counts.score.touched += document->mark_count == 0 && touched;
    return TACIT_OK;
}

static void add_counts(tacit__learn_measured *sum, const tacit__learn_measured *counts)
{
    sum->score.tokens += counts->score.tokens;
    sum->score.personal += counts->score.personal;
    sum->score.found += counts->score.found;
    sum->score.both += counts->score.both;
    sum->score.clean += counts->score.clean;
    sum->score.touched += counts->score.touched;
    for (size_t i = 0; i < TACIT_LEARN_LABELS; i++) {
        sum->personal[i] += counts->personal[i];
        sum->both[i] += counts->both[i];
    }
}

tacit_status tacit__collection_measure(tacit__learn_measured *out,
                                       const tacit__collection *collection, unsigned parts,
                                       const tacit_scrubber *scrubber, const tacit_run *run,
                                       tacit_error *err)
{
    int threads = tacit__threads(run);
    measuring all = {.collection = collection, .scrubber = scrubber, .parts = parts};
    all.measurers = tacit__alloc_zeroed((size_t)threads, sizeof *all.measurers);
    if (!all.measurers)
        return tacit__nomem(err);
    tacit_status status =
        tacit__parallel(run, "measuring", (int64_t)collection->count, measure_one, &all, err);
    *out = status == TACIT_OK ? (tacit__learn_measured){0} : *out;
    for (int i = 0; i < threads; i++) {
        if (status == TACIT_OK)
            add_counts(out, &all.measurers[i].counts);
        tacit_scrub_reader_free(all.measurers[i].reader);
        tacit__free(all.measurers[i].marked);
        tacit__free(all.measurers[i].found);
    }
    tacit__free(all.measurers);
    return status;
}
