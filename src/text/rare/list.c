/*
 * list.c - which of the collected facts are rare, by how much they tell, and which
 * documents hold many that nobody else has: "an overall sequence of events can provide a
 * preponderance of details that identify an individual" (section 9.5).
 *
 * A fact's score is a factor of its kind times the bits that it has in the batch,
 * log2(documents / holders), and those of its words in English. In a batch of one document all
 * facts have no bits, and English alone decides. What scores less than LEAST_SCORE says nothing:
 * two common words that happen to stand together in a small batch. Cost: sorting what is kept.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "text/rare/rare.h"

enum { SEVERAL = 3, LEAST_SCORE = 8 };

/* A rare fact in the making. */
typedef struct rare_rated {
    const tacit__rare_entry *entry;
    double bits, score;
} rare_rated;

static rare_rated rate(const tacit__rare_entry *entry, uint64_t documents)
{
    double bits = log2((double)documents / (double)entry->holders);
    return (rare_rated){.entry = entry,
                        .bits = bits,
                        .score = tacit__rare_factor(entry->kind) * (bits + entry->bits)};
}

static int by_score(const void *a, const void *b)
{
    const rare_rated *one = a, *other = b;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    int order = strcmp(one->entry->text, other->entry->text);
    return order ? order
                 : (one->entry->key > other->entry->key) - (one->entry->key < other->entry->key);
}

/* Those of a document together, in one order whatever the order of the store. */
static int by_document(const void *a, const void *b)
{
    const rare_rated *one = a, *other = b;
    if (one->entry->first != other->entry->first)
        return one->entry->first < other->entry->first ? -1 : 1;
    return by_score(a, b);
}

static int by_facts(const void *a, const void *b)
{
    const tacit_rare_document *one = a, *other = b;
    if (one->facts != other->facts)
        return one->facts > other->facts ? -1 : 1;
    if (one->score != other->score)
        return one->score > other->score ? -1 : 1;
    return (one->document > other->document) - (one->document < other->document);
}

/* What is kept for certain and rare. */
static size_t choose(rare_rated *rated, tacit_rare_report *report, const tacit__rare_store *store,
                     uint64_t edge, uint64_t below)
{
    size_t count = 0;
    for (size_t i = 0; i < store->count; i++) {
        const tacit__rare_entry *entry = &store->entries[i];
        if (entry->rank < edge)
            continue;
        report->distinct++;
        rare_rated one = rate(entry, report->documents);
        if (entry->holders < below && one.score >= LEAST_SCORE)
            rated[count++] = one;
    }
    report->rare = count;
    report->complete = edge == 0;
    return count;
}

/* ---- facts ---- */

/* Whether a word was noted for the document already; it is afterwards. *failed: no memory. */
static bool see_word(tacit__numbering *seen, uint64_t document, uint32_t word, bool *failed)
{
    uint32_t before = seen->count;
    uint32_t number = tacit__numbering_add(seen, tacit__mix(document ^ (uint64_t)word << 32) | 1);
    *failed = *failed || number == TACIT__NONE;
    return number != before;
}

static bool says_more(tacit__numbering *seen, const tacit__rare_entry *entry, bool *failed)
{
    bool first = see_word(seen, entry->first, entry->words[0], failed);
    bool last = see_word(seen, entry->first, entry->words[1], failed);
    return !first || (entry->words[0] != entry->words[1] && !last);
}

static bool copy_fact(tacit_rare_fact *fact, const rare_rated *rated)
{
    *fact = (tacit_rare_fact){.words =
                                  tacit__copy_bytes(rated->entry->text, strlen(rated->entry->text)),
                              .kind = rated->entry->kind,
                              .document = rated->entry->first,
                              .holders = rated->entry->holders,
                              .bits = rated->bits,
                              .score = rated->score};
    return fact->words != NULL;
}

static tacit_status list_facts(tacit_rare_report *report, rare_rated *rated, size_t count,
                               size_t most, tacit_error *err)
{
    tacit__numbering seen = {0}; /* words that were listed already, by document */
    most = most < count ? most : count;
    report->facts = tacit__alloc_zeroed(most, sizeof *report->facts);
    bool failed = !report->facts;
    if (!failed)
        qsort(rated, count, sizeof *rated, by_score);
    for (size_t i = 0; i < count && report->fact_count < most && !failed; i++)
        if (says_more(&seen, rated[i].entry, &failed) && !failed)
            failed = !copy_fact(&report->facts[report->fact_count++], &rated[i]);
    tacit__numbering_clear(&seen);
    return failed ? tacit__nomem(err) : TACIT_OK;
}

/* ---- documents ---- */

static size_t count_documents(tacit_rare_document *documents, const rare_rated *rated, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        if (rated[i].entry->holders > 1)
            continue;
        if (found == 0 || documents[found - 1].document != rated[i].entry->first)
            documents[found++] = (tacit_rare_document){.document = rated[i].entry->first};
        documents[found - 1].facts++;
        documents[found - 1].score += rated[i].score;
    }
    return found;
}

static tacit_status list_documents(tacit_rare_report *report, rare_rated *rated, size_t count,
                                   size_t most, tacit_error *err)
{
    report->most = tacit__alloc_array(count, sizeof *report->most);
    if (!report->most)
        return tacit__nomem(err);
    qsort(rated, count, sizeof *rated, by_document);
    size_t found = count_documents(report->most, rated, count);
    for (size_t i = 0; i < found; i++)
        report->several += report->most[i].facts >= SEVERAL;
    report->alone = found;
    qsort(report->most, found, sizeof *report->most, by_facts);
    report->most_count = found < most ? found : most;
    return TACIT_OK;
}

tacit_status tacit_rare_list(tacit_rare_report **out, const tacit_rare *rare,
                             const tacit_rare_options *options, tacit_error *err)
{
    uint64_t edge = 0;
    rare_rated *rated = NULL;
    tacit_rare_report *report = tacit__alloc_zeroed(1, sizeof *report);
    tacit_status status =
        report ? tacit__rare_store_edge(&edge, &rare->store, err) : tacit__nomem(err);
    if (status != TACIT_OK)
        goto cleanup;
    rated = tacit__alloc_array(rare->store.count, sizeof *rated);
    status = rated ? TACIT_OK : tacit__nomem(err);
    if (status != TACIT_OK)
        goto cleanup;
    report->documents = rare->documents;
    size_t count = choose(rated, report, &rare->store, edge, options->below);
    status = list_facts(report, rated, count, options->facts, err);
    if (status == TACIT_OK)
        status = list_documents(report, rated, count, options->documents, err);
cleanup:
    tacit__free(rated);
    if (status != TACIT_OK)
        tacit_rare_report_free(report);
    else
        *out = report;
    return status;
}

void tacit_rare_report_free(tacit_rare_report *report)
{
    if (!report)
        return;
    for (size_t i = 0; report->facts && i < report->fact_count; i++)
        tacit__free((void *)(uintptr_t)report->facts[i].words);
    tacit__free(report->facts);
    tacit__free(report->most);
    tacit__free(report);
}
