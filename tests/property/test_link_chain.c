/*
 * test_link_chain.c - chains of registers against nested loops: random tables of people and of what
 * others know of them, joined by hand row by row and compared with what linking counts, with
 * masked and suppressed values in the release and keys that are missing, shared or nobody's.
 *
 * TACIT_LONG in the environment makes a hundred times as many cases.
 */
#include "linked.h"

#include <stdio.h>

#include "random_cases.h"

enum { CASES = 3000, PEOPLE = 12, FURTHER = 14, RECORDS = 10, CELL = 8 };

static uint64_t seed;

static uint32_t draw(uint64_t *random, uint32_t below)
{
    *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((*random >> 33) % below);
}

/* Columns: id,zip / id,job / job,car: the second joins by id, the third by what the second says. */
typedef struct world {
    char id[PEOPLE][CELL], zip[PEOPLE][CELL];
    char key[FURTHER][CELL], job[FURTHER][CELL];
    char trade[FURTHER][CELL], car[FURTHER][CELL];
    char cell[RECORDS][3][CELL]; /* zip, job, car as released */
    int people, further, cars, records;
    char text[4][2048];
} world;

/* A word of a few, or nothing. */
static void draw_word(char *out, char first, uint32_t words, uint32_t missing, uint64_t *random)
{
    if (draw(random, missing) == 0)
        *out = '\0';
    else
        sprintf(out, "%c%u", first, draw(random, words));
}

static void draw_released(world *w, int record, uint64_t *random)
{
    static const char FIRST[] = {0, 'j', 'c'};
    char *zip = w->cell[record][0];
    sprintf(zip, "%u%u", draw(random, 2), draw(random, 3));
    uint32_t level = draw(random, 3);
    if (level == 1)
        zip[1] = '*';
    else if (level == 2)
        strcpy(zip, "*");
    for (int i = 1; i < 3; i++) {
        draw_word(w->cell[record][i], FIRST[i], 3, 8, random);
        if (draw(random, 3) == 0)
            strcpy(w->cell[record][i], "*");
    }
}

static void draw_world(world *w, uint64_t *random)
{
    w->people = 1 + (int)draw(random, PEOPLE);
    w->further = (int)draw(random, FURTHER + 1);
    w->cars = (int)draw(random, FURTHER + 1);
    w->records = 1 + (int)draw(random, RECORDS);
    for (int i = 0; i < w->people; i++) {
        draw_word(w->id[i], 'p', 9, 8, random);
        sprintf(w->zip[i], "%u%u", draw(random, 2), draw(random, 3));
    }
    for (int i = 0; i < w->further; i++) {
        draw_word(w->key[i], 'p', 9, 8, random);
        draw_word(w->job[i], 'j', 3, 6, random);
    }
    for (int i = 0; i < w->cars; i++) {
        draw_word(w->trade[i], 'j', 4, 6, random);
        draw_word(w->car[i], 'c', 3, 6, random);
    }
    for (int i = 0; i < w->records; i++)
        draw_released(w, i, random);
}

static void write_world(world *w)
{
    char *at[4] = {w->text[0], w->text[1], w->text[2], w->text[3]};
    at[0] += sprintf(at[0], "zip,job,car,x\n");
    at[1] += sprintf(at[1], "id,zip\n");
    at[2] += sprintf(at[2], "id,job\n");
    at[3] += sprintf(at[3], "car,job\n");
    for (int i = 0; i < w->records; i++)
        at[0] += sprintf(at[0], "%s,%s,%s,1\n", w->cell[i][0], w->cell[i][1], w->cell[i][2]);
    for (int i = 0; i < w->people; i++)
        at[1] += sprintf(at[1], "%s,%s\n", w->id[i], w->zip[i]);
    for (int i = 0; i < w->further; i++)
        at[2] += sprintf(at[2], "%s,%s\n", w->key[i], w->job[i]);
    for (int i = 0; i < w->cars; i++)
        at[3] += sprintf(at[3], "%s,%s\n", w->car[i], w->trade[i]);
}

/* NULL is not known, "" is missing, which is a value. */
static bool agrees(const char *released, const char *known)
{
    return !known || strcmp(released, "*") == 0 || strcmp(released, known) == 0 ||
           (strlen(released) == 2 && released[1] == '*' && released[0] == known[0]);
}

static bool same_key(const char *a, const char *b)
{
    return *a && strcmp(a, b) == 0;
}

/* Whether a record can be somebody of whom a job is known (NULL: not), by all cars of it. */
static bool by_cars(const world *w, int record, const char *job)
{
    bool found = false, can_be = false;
    for (int i = 0; i < w->cars; i++)
        if (job && same_key(job, w->trade[i])) {
            found = true;
            can_be |= agrees(w->cell[record][2], w->car[i]);
        }
    return agrees(w->cell[record][1], job) && (!found || can_be);
}

static bool maps(const world *w, int record, int person)
{
    bool found = false, can_be = false;
    for (int i = 0; i < w->further; i++)
        if (same_key(w->id[person], w->key[i])) {
            found = true;
            can_be |= by_cars(w, record, w->job[i]);
        }
    return agrees(w->cell[record][0], w->zip[person]) &&
           (found ? can_be : by_cars(w, record, NULL));
}

static void check_world(const world *w, linked *l)
{
    int64_t bins[TACIT_LINK_BINS] = {0}, one = 0;
    for (int record = 0; record < w->records; record++) {
        int64_t people = 0, last = -1;
        for (int person = 0; person < w->people; person++)
            if (maps(w, record, person)) {
                people++;
                last = person;
            }
        assert_int_equal(linked_people(l, record), people);
        one += people == 1;
        if (people == 1)
            assert_int_equal(l->link->only[l->link->class_of[record]], last);
    }
    for (int person = 0; person < w->people; person++) {
        int64_t records = 0;
        int bin = 0;
        for (int record = 0; record < w->records; record++)
            records += maps(w, record, person);
        while (bin + 1 < TACIT_LINK_BINS && tacit_link_bin_start(bin + 1) <= records)
            bin++;
        bins[bin]++;
    }
    assert_memory_equal(l->link->people_by_records, bins, sizeof bins);
    assert_int_equal(l->link->records_one, one);
}

static void test_chains(void **state)
{
    (void)state;
    static const uint32_t NOBODY[RECORDS] = {0};
    for (seed = 1; seed <= many_cases(CASES); seed++) {
        uint64_t random = seed * UINT64_C(0x9E3779B97F4A7C15);
        world w = {0};
        linked l;
        draw_world(&w, &random);
        write_world(&w);
        linked_open(&l, w.text[0], w.text[1]);
        linked_join(&l, w.text[2]);
        linked_join(&l, w.text[3]);
        linked_by(&l, "car", &LINKED_PLAIN);
        linked_by(&l, "zip", &LINKED_MASK);
        linked_by(&l, "job", &LINKED_PLAIN);
        linked_run(&l, seed % 2 ? NOBODY : NULL, 2);
        assert_int_equal(l.link->people, w.people);
        check_world(&w, &l);
        linked_close(&l);
    }
    seed = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {random_test(test_chains, &seed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
