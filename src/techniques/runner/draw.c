/*
 * draw.c - random numbers of a step, and loops over stretches of rows.
 *
 * A step has a seed of its own (the run's, or its `seed`), and each of its streams a purpose and an
 * index: the numbers of a stretch do not depend on which thread draws them.
 */
#include "base/parallel.h"
#include "techniques/runner/technique.h"

/* Steps are told apart by two bytes of the purpose that are not zero, uses within one by a third.
 */
void tacit__call_random(tacit__random *random, const tacit__runner_call *call, uint8_t purpose,
                        uint32_t index)
{
    const char words[] = {(char)(0x80 | call->step % 100), (char)(1 + call->step / 100),
                          (char)(purpose + 1), 'T', '\0'};
    tacit__random_init(random, call->run, words, index);
}

double tacit__random_unit(tacit__random *random)
{
    uint64_t high = tacit__random_word(random) >> 5, low = tacit__random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double tacit__random_positive(tacit__random *random)
{
    return 1 - tacit__random_unit(random);
}

uint64_t tacit__random_below64(tacit__random *random, uint64_t bound)
{
    uint64_t most = UINT64_MAX - UINT64_MAX % bound, drawn;
    do {
        drawn = (uint64_t)tacit__random_word(random) << 32;
        drawn |= tacit__random_word(random);
    } while (drawn >= most);
    return drawn % bound;
}

typedef struct stretches {
    tacit__stretch_fn each;
    void *context;
    int64_t rows;
} stretches;

static tacit_status one(void *context, int64_t task, int worker, tacit_error *err)
{
    const stretches *s = context;
    int64_t from = task * TACIT__STRETCH, to = from + TACIT__STRETCH;
    return s->each(s->context, from, to < s->rows ? to : s->rows, task, worker, err);
}

tacit_status tacit__stretches(const tacit__sheet *sheet, const char *phase, tacit__stretch_fn each,
                              void *context, tacit_error *err)
{
    stretches s = {each, context, sheet->rows};
    return tacit__parallel(sheet->run, phase, (sheet->rows + TACIT__STRETCH - 1) / TACIT__STRETCH,
                           one, &s, err);
}
