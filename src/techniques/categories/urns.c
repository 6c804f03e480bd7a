/*
 * urns.c - values to draw from: entries stand class by class with running sums of their weights, so
 * that a draw is a number below the class's sum, looked up by bisection.
 */
#include "techniques/categories/urns.h"

#include "base/alloc.h"
#include "base/error.h"

tacit_status tacit__urns_init(tacit__urns *urns, int64_t rows, uint32_t entries, uint32_t classes,
                              tacit_error *err)
{
    tacit__urns u = {.count = entries, .class_count = classes};
    u.entry_of = tacit__alloc_array((size_t)rows, sizeof *u.entry_of);
    u.entries = tacit__alloc_zeroed(entries, sizeof *u.entries);
    u.before = tacit__alloc_array((size_t)entries + 1, sizeof *u.before);
    u.starts = tacit__alloc_zeroed((size_t)classes + 2, sizeof *u.starts);
    if (!u.entry_of || !u.entries || !u.before || !u.starts) {
        tacit__urns_clear(&u);
        return tacit__nomem(err);
    }
    *urns = u;
    return TACIT_OK;
}

void tacit__urns_clear(tacit__urns *urns)
{
    tacit__free(urns->entry_of);
    tacit__free(urns->entries);
    tacit__free(urns->before);
    tacit__free(urns->starts);
    *urns = (tacit__urns){0};
}

/* Where each entry goes, by counting. */
static void find_places(uint32_t *places, tacit__urns *urns)
{
    uint32_t *next = urns->starts + 1; /* where the class's next entry goes, once summed up */
    for (uint32_t i = 0; i < urns->count; i++)
        next[urns->entries[i].class + 1]++;
    for (uint32_t class = 0; class < urns->class_count; class ++)
        next[class + 1] += next[class];
    for (uint32_t i = 0; i < urns->count; i++)
        places[i] = next[urns->entries[i].class]++;
}

tacit_status tacit__urns_finish(tacit__urns *urns, int64_t rows, tacit_error *err)
{
    uint32_t *places = tacit__alloc_array(urns->count, sizeof *places);
    tacit__urn_entry *entries = tacit__alloc_array(urns->count, sizeof *entries);
    if (!places || !entries) {
        tacit__free(places);
        tacit__free(entries);
        return tacit__nomem(err);
    }
    find_places(places, urns);
    for (uint32_t i = 0; i < urns->count; i++)
        entries[places[i]] = urns->entries[i];
    for (int64_t row = 0; row < rows; row++)
        if (urns->entry_of[row] != TACIT__NO_ENTRY)
            urns->entry_of[row] = places[urns->entry_of[row]];
    urns->before[0] = 0;
    for (uint32_t i = 0; i < urns->count; i++)
        urns->before[i + 1] = urns->before[i] + entries[i].weight;
    tacit__free(places);
    tacit__free(urns->entries);
    urns->entries = entries;
    return TACIT_OK;
}

uint32_t tacit__urns_draw(const tacit__urns *urns, uint32_t entry, bool another,
                          tacit__random *random)
{
    const int64_t *before = urns->before;
    uint32_t class = urns->entries[entry].class;
    uint32_t low = urns->starts[class], high = urns->starts[class + 1];
    int64_t own = another ? urns->entries[entry].weight : 0;
    int64_t weight = before[high] - before[low] - own;
    if (weight <= 0)
        return entry;
    int64_t drawn = before[low] + (int64_t)tacit__random_below64(random, (uint64_t)weight);
    if (another && drawn >= before[entry])
        drawn += own;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (before[middle] <= drawn)
            low = middle;
        else
            high = middle;
    }
    return low;
}
