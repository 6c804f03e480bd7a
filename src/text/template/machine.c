/*
 * machine.c - the templates of a machine: their places numbered through, and the bytes
 * that none of them tells apart made one class.
 */
#include "text/template/machine.h"

#include <string.h>

#include "base/alloc.h"
#include "base/error.h"

/* Numbers the classes by how common their bytes are: what words need of a state then lies in
 * one line of the processor's cache, and what numbers need in another. */
static void order_classes(tacit__machine *machine)
{
    static const char common[] = "etaoinshrdlucmfwypvbgkjxqz \n,.-/0123456789:()#@_";
    int renamed[256];
    int count = 0;
    memset(renamed, -1, sizeof renamed);
    for (size_t i = 0; i < sizeof common - 1 + 256; i++) {
        int byte = i < sizeof common - 1 ? common[i] : (int)(i - (sizeof common - 1));
        if (renamed[machine->classes[byte]] < 0)
            renamed[machine->classes[byte]] = count++;
    }
    for (int byte = 0; byte < 256; byte++)
        machine->classes[byte] = (uint8_t)renamed[machine->classes[byte]];
}

/* Bytes that are in the same sets get one class. */
static void classify(tacit__machine *machine, const tacit__trees *trees)
{
    machine->class_count = 1;
    for (size_t i = 0; i < trees->set_count; i++) {
        int renamed[2][256];
        memset(renamed, -1, sizeof renamed);
        size_t count = 0;
        for (int byte = 0; byte < 256; byte++) {
            int in = tacit__bytes_has(&trees->sets[i], (unsigned char)byte);
            int *to = &renamed[in][machine->classes[byte]];
            if (*to < 0)
                *to = (int)count++;
            machine->classes[byte] = (uint8_t)*to;
        }
        machine->class_count = count;
    }
    order_classes(machine);
}

/* Lists the automata that are chosen; returns how many places they have. */
static size_t choose(tacit__machine *machine, size_t all, const tacit__automaton *automata,
                     const bool *chosen)
{
    size_t total = 0;
    for (size_t i = 0; i < all; i++) {
        if (!chosen[i])
            continue;
        machine->numbers[machine->count] = (uint16_t)i;
        machine->automata[machine->count++] = &automata[i];
        total += automata[i].count;
    }
    return total;
}

static void sort_bytes(tacit__machine *machine)
{
    for (int i = 0; i < 256; i++) {
        unsigned char byte = (unsigned char)i;
        machine->sorts[byte] = tacit__sort_of(byte);
        for (size_t j = 0; j < machine->count; j++)
            if (tacit__bytes_has(&machine->automata[j]->start, byte))
                machine->sorts[byte] |= TACIT__SORT_STARTS;
    }
}

/* Numbers the places through, and fills the filter. */
static bool number_places(tacit__machine *machine, size_t total)
{
    machine->owners = tacit__alloc_array(total, sizeof *machine->owners);
    machine->after = tacit__alloc_array(total, sizeof *machine->after);
    if (!machine->owners || !machine->after)
        return false;
    uint32_t place = 0;
    tacit__filter_init(&machine->filter);
    for (size_t i = 0; i < machine->count; i++) {
        machine->bases[i] = place;
        tacit__filter_add(&machine->filter, machine->after + place, machine->automata[i]);
        for (size_t j = 0; j < machine->automata[i]->count; j++)
            machine->owners[place++] = (uint16_t)i;
    }
    machine->bases[machine->count] = place;
    return true;
}

tacit_status tacit__machine_init(tacit__machine *machine, const tacit__trees *trees,
                                 const tacit__automaton *automata, const bool *chosen,
                                 tacit_error *err)
{
    if (trees->count >= UINT16_MAX)
        return tacit__error(err, TACIT_LIMIT, "there are %zu templates; use fewer than 65535",
                            trees->count);
    tacit__machine new = {
        .automata = tacit__alloc_array(trees->count, sizeof *new.automata),
        .numbers = tacit__alloc_array(trees->count, sizeof *new.numbers),
        .bases = tacit__alloc_array(trees->count + 1, sizeof *new.bases),
    };
    tacit_status status = TACIT_OK;
    if (!new.automata || !new.numbers || !new.bases) {
        status = tacit__nomem(err);
    } else {
        size_t total = choose(&new, trees->count, automata, chosen);
        if (total >= TACIT__MACHINE_PLACES)
            status =
                tacit__error(err, TACIT_LIMIT,
                             "the templates are too large together; use fewer or smaller ones");
        else if (!number_places(&new, total))
            status = tacit__nomem(err);
    }
    if (status != TACIT_OK) {
        tacit__machine_clear(&new);
        return status;
    }
    classify(&new, trees);
    sort_bytes(&new);
    *machine = new;
    return TACIT_OK;
}

void tacit__machine_clear(tacit__machine *machine)
{
    tacit__free(machine->automata);
    tacit__free(machine->numbers);
    tacit__free(machine->bases);
    tacit__free(machine->owners);
    tacit__free(machine->after);
    *machine = (tacit__machine){0};
}
