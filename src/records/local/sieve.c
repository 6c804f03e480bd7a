/*
 * sieve.c - records of classes, and dividing them by the values of an attribute, in place.
 *
 * Codes lie packed in whole words, so that going through ten million classes reads little memory,
 * and they move together with what they stand for, so that it is read in order. Dividing is one
 * pass that puts each record where its part's next belongs and takes up what was there (American
 * flag sort; McIlroy, Bostic and McIlroy 1993). Where records end up depends on where they were,
 * and on nothing else.
 *
 * Eight bytes and one or a few words a class; linear in the range for each call.
 */
#include "records/local/sieve.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/parallel.h"
#include "records/classes/classes.h"

/* Attributes in their order, none across two words. */
static void lay_out_fields(tacit__records *records)
{
    uint32_t word = 0, used = 0;
    for (int32_t a = 0; a < records->local->attributes; a++) {
        const tacit__local *local = records->local;
        uint32_t values = tacit__distinct_on(local->frame, a, local->floor[a]);
        uint32_t bits = values < 2 ? 0 : 32 - (uint32_t)__builtin_clz(values - 1);
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        bool empty = bits == 0; /* a shift by 64 would be none */
        records->fields[a] = (tacit__code_field){
            .word = word, .shift = empty ? 0 : used, .mask = (UINT64_C(1) << bits) - 1};
        used += bits;
    }
    records->words = word + 1;
}

static tacit_status fill_task(void *context, int64_t task, int worker, tacit_error *err)
{
    (void)worker, (void)err;
    tacit__records *records = context;
    const tacit__local *local = records->local;
    int64_t count = local->classes->groups.count, size = tacit__task_items(count);
    int64_t end = (task + 1) * size < count ? (task + 1) * size : count;
    for (int64_t c = task * size; c < end; c++) {
        uint64_t *codes = records->codes + (size_t)c * records->words;
        memset(codes, 0, records->words * sizeof *codes);
        for (int32_t a = 0; a < local->attributes; a++)
            codes[records->fields[a].word] |= (uint64_t)tacit_classes_code(local->classes, c, a)
                                              << records->fields[a].shift;
        records->shares[c] = (tacit__share){(uint32_t)c, local->people[c]};
    }
    return TACIT_OK;
}

tacit_status tacit__records_init(tacit__records *records, const tacit__local *local,
                                 tacit_error *err)
{
    int64_t count = local->classes->groups.count;
    *records = (tacit__records){.local = local};
    lay_out_fields(records);
    records->codes = tacit__alloc_array((size_t)count, records->words * sizeof *records->codes);
    records->shares = tacit__alloc_array((size_t)count, sizeof *records->shares);
    tacit_status status = records->codes && records->shares ? TACIT_OK : tacit__nomem(err);
    if (status == TACIT_OK)
        status =
            tacit__parallel(local->run, "classes", tacit__tasks(count), fill_task, records, err);
    if (status != TACIT_OK)
        tacit__records_clear(records);
    return status;
}

void tacit__records_clear(tacit__records *records)
{
    tacit__free(records->codes);
    tacit__free(records->shares);
    *records = (tacit__records){0};
}

tacit_status tacit__sieve_init(tacit__sieve *sieve, tacit__records *records, tacit_error *err)
{
    size_t values = records->local->values;
    *sieve = (tacit__sieve){.records = records};
    sieve->parts = tacit__alloc_array(values, sizeof *sieve->parts);
    sieve->part_of = tacit__alloc_zeroed(values, sizeof *sieve->part_of);
    sieve->next = tacit__alloc_array(values + 1, sizeof *sieve->next);
    sieve->ends = tacit__alloc_array(values + 1, sizeof *sieve->ends);
    if (sieve->parts && sieve->part_of && sieve->next && sieve->ends)
        return TACIT_OK;
    tacit__sieve_clear(sieve);
    return tacit__nomem(err);
}

void tacit__sieve_clear(tacit__sieve *sieve)
{
    tacit__free(sieve->parts);
    tacit__free(sieve->part_of);
    tacit__free(sieve->next);
    tacit__free(sieve->ends);
    *sieve = (tacit__sieve){0};
}

void tacit__sieve_count(tacit__sieve *sieve, int64_t from, int64_t to, int32_t attribute, int level)
{
    const tacit__records *records = sieve->records;
    const uint32_t *up = records->local->up[attribute][level];
    sieve->part_count = 0;
    for (int64_t r = from; r < to; r++) {
        uint32_t value = up[tacit__record_code(records, r, attribute)];
        uint32_t *part = &sieve->part_of[value];
        if (*part == 0) {
            sieve->parts[sieve->part_count] = (tacit__sieve_part){.value = value};
            *part = (uint32_t)++sieve->part_count;
        }
        sieve->parts[*part - 1].records++;
        sieve->parts[*part - 1].people += records->shares[r].people;
    }
    for (int64_t p = 0; p < sieve->part_count; p++)
        sieve->part_of[sieve->parts[p].value] = 0;
}

/* Places for the parts: 0 is all that stays, part p that goes has place p + 1. */
static void give_places(tacit__sieve *sieve, int64_t from)
{
    int64_t at = from;
    for (int64_t p = 0; p < sieve->part_count; p++)
        at += sieve->parts[p].stays ? sieve->parts[p].records : 0;
    sieve->next[0] = from;
    sieve->ends[0] = at;
    for (int64_t p = 0; p < sieve->part_count; p++) {
        bool stays = sieve->parts[p].stays;
        sieve->next[p + 1] = at;
        at += stays ? 0 : sieve->parts[p].records;
        sieve->ends[p + 1] = at;
        sieve->part_of[sieve->parts[p].value] = stays ? 0 : (uint32_t)p + 1;
    }
}

void tacit__records_exchange(tacit__records *records, int64_t a, int64_t b)
{
    tacit__share share = records->shares[a];
    records->shares[a] = records->shares[b];
    records->shares[b] = share;
    uint64_t *x = records->codes + (size_t)a * records->words;
    uint64_t *y = records->codes + (size_t)b * records->words;
    for (size_t w = 0; w < records->words; w++) {
        uint64_t word = x[w];
        x[w] = y[w];
        y[w] = word;
    }
}

void tacit__sieve_divide(tacit__sieve *sieve, int64_t from, int32_t attribute, int level)
{
    tacit__records *records = sieve->records;
    const uint32_t *up = records->local->up[attribute][level];
    give_places(sieve, from);
    for (int64_t place = 0; place <= sieve->part_count; place++)
        while (sieve->next[place] < sieve->ends[place]) {
            int64_t r = sieve->next[place];
            uint32_t wanted = sieve->part_of[up[tacit__record_code(records, r, attribute)]];
            if (wanted != place)
                tacit__records_exchange(records, r, sieve->next[wanted]);
            sieve->next[wanted]++;
        }
    for (int64_t p = 0; p < sieve->part_count; p++)
        sieve->part_of[sieve->parts[p].value] = 0;
}
