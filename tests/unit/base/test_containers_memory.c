/*
 * test_containers_memory.c - what every room holds things in, against the plainest way to do
 * the same, and with every allocation failed in turn: classes of characters, maps, numberings,
 * heaps and arrays that grow.
 */
#include <ctype.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "base/ascii.h"
#include "base/error.h"
#include "base/heap.h"
#include "base/map.h"
#include "base/random.h"
#include "base/vector.h"
#include "starve.h"

static void characters_are_what_the_c_locale_says(void **state)
{
    (void)state;
    setlocale(LC_ALL, "C");
    for (int c = 0; c < 256; c++) {
        assert_int_equal(tacit__is_digit(c), isdigit(c) != 0);
        assert_int_equal(tacit__is_upper(c), isupper(c) != 0);
        assert_int_equal(tacit__is_lower(c), islower(c) != 0);
        assert_int_equal(tacit__is_letter(c), isalpha(c) != 0);
        assert_int_equal(tacit__is_alphanumeric(c), isalnum(c) != 0);
        assert_int_equal(tacit__is_blank(c), isblank(c) != 0);
        assert_int_equal(tacit__is_space(c), isspace(c) != 0);
        assert_int_equal((unsigned char)tacit__to_lower((char)c), tolower(c));
        assert_int_equal(tacit__is_alphanumeric((signed char)c), isalnum(c) != 0);
        assert_int_equal(tacit__is_space((signed char)c), isspace(c) != 0);
    }
}

/* ---- maps ---- */

enum { MET = 3000 };

/* So few hashes that many numbers share one. */
static uint64_t crowded(uint32_t number)
{
    return tacit__mix(number % 97);
}

/* All numbers below count that are under a hash are met, and none twice. */
static void compare_under(const tacit__map *map, uint32_t modulus, uint32_t count)
{
    bool *seen = test_calloc(count + 1, sizeof *seen);
    size_t probe = 0;
    uint32_t number;
    while ((number = tacit__map_next(map, crowded(modulus), &probe)) != TACIT__NONE) {
        assert_true(number < count && !seen[number]);
        seen[number] = true;
    }
    for (uint32_t i = modulus; i < count; i += 97)
        assert_true(seen[i]);
    test_free(seen);
}

static void maps_hold_all_numbers_under_a_hash(void **state)
{
    (void)state;
    tacit__map map = {0};
    compare_under(&map, 0, 0);
    for (uint32_t i = 0; i < MET; i++) {
        assert_true(tacit__map_add(&map, crowded(i)));
        assert_true(2 * map.count <= map.capacity);
    }
    for (uint32_t modulus = 0; modulus < 97; modulus++)
        compare_under(&map, modulus, MET);
    size_t capacity = map.capacity, probe = 0;
    tacit__map_empty(&map);
    assert_int_equal(tacit__map_next(&map, crowded(1), &probe), TACIT__NONE);
    assert_int_equal(map.capacity, capacity);
    assert_true(tacit__map_add(&map, crowded(0)));
    compare_under(&map, 0, 1);
    tacit__map_clear(&map);
    assert_false(tacit__map_reserve(&map, SIZE_MAX / 2));
}

static uint32_t naive_find(const uint64_t *keys, uint32_t count, uint64_t key)
{
    for (uint32_t i = 0; i < count; i++)
        if (keys[i] == key)
            return i;
    return TACIT__NONE;
}

static void keys_are_numbered_as_they_are_met(void **state)
{
    (void)state;
    tacit__numbering numbering = {0};
    tacit_run run = starve_run(1);
    tacit__random random;
    tacit__random_init(&random, &run, "key", 0);
    uint64_t keys[MET];
    uint32_t count = 0;
    for (int i = 0; i < MET; i++) {
        uint64_t key = (uint64_t)tacit__random_below(&random, 900) << (i % 2 ? 0 : 54);
        uint32_t number = naive_find(keys, count, key);
        assert_int_equal(tacit__numbering_find(&numbering, key), number);
        assert_int_equal(tacit__numbering_add(&numbering, key),
                         number == TACIT__NONE ? count : number);
        if (number == TACIT__NONE)
            keys[count++] = key;
        assert_int_equal(numbering.count, count);
    }
    assert_memory_equal(numbering.keys, keys, count * sizeof *keys);
    tacit__numbering_empty(&numbering);
    assert_int_equal(tacit__numbering_find(&numbering, keys[0]), TACIT__NONE);
    assert_int_equal(tacit__numbering_add(&numbering, keys[1]), 0);
    tacit__numbering_clear(&numbering);
}

static void pairs_are_numbered_as_they_are_met(void **state)
{
    (void)state;
    uint32_t group[] = {0, 1, 0, 1, UINT32_MAX, 0}, second[] = {5, 5, 5, 6, 0, 6}, count = 0;
    const uint32_t expected[] = {0, 1, 0, 2, 3, 4};
    assert_true(tacit__numbering_pairs(group, &count, second, 6));
    assert_int_equal(count, 5);
    assert_memory_equal(group, expected, sizeof expected);
}

static tacit_status number_starved(void *context, tacit_error *err)
{
    (void)context;
    tacit__numbering numbering = {0};
    tacit_status status = tacit__numbering_reserve(&numbering, 20) ? TACIT_OK : tacit__nomem(err);
    for (uint64_t i = 0; status == TACIT_OK && i < 100; i++) {
        uint32_t number = tacit__numbering_add(&numbering, i);
        if (number == TACIT__NONE) { /* what is there stays, and nothing else is */
            assert_int_equal(numbering.count, i);
            assert_int_equal(tacit__numbering_find(&numbering, i), TACIT__NONE);
            status = tacit__nomem(err);
        }
    }
    for (uint32_t i = 0; i < numbering.count; i++)
        assert_int_equal(tacit__numbering_find(&numbering, i), i);
    uint32_t group[40], second[40] = {0}, count = 0;
    for (uint32_t i = 0; i < 40; i++)
        group[i] = i;
    if (status == TACIT_OK && !tacit__numbering_pairs(group, &count, second, 40))
        status = tacit__nomem(err);
    tacit__numbering_clear(&numbering);
    return status;
}

static void numbering_without_memory(void **state)
{
    (void)state;
    starve(number_starved, NULL);
}

/* ---- heaps ---- */

typedef struct guest {
    uint32_t rank, number;
    char name[5]; /* of an odd size */
} guest;

static bool ranks_before(const void *a, const void *b)
{
    const guest *x = a, *y = b;
    return x->rank != y->rank ? x->rank < y->rank : x->number < y->number;
}

/* The place of the first of some guests. */
static size_t naive_first(const guest *guests, size_t count)
{
    size_t first = 0;
    for (size_t i = 1; i < count; i++)
        first = ranks_before(&guests[i], &guests[first]) ? i : first;
    return first;
}

static guest new_guest(tacit__random *random, uint32_t number)
{
    guest one;
    memset(&one, 0, sizeof one); /* what is between the fields, too */
    one.rank = tacit__random_below(random, 50);
    one.number = number;
    memcpy(one.name, "abcd", sizeof one.name);
    return one;
}

static void heaps_give_the_first(void **state)
{
    (void)state;
    tacit_run run = starve_run(1);
    tacit__random random;
    guest heap[200], plain[200];
    size_t count = 0, naive = 0;
    tacit__random_init(&random, &run, "heap", 0);
    for (uint32_t i = 0; i < 5000; i++) {
        if (count == 0 || (count < 200 && tacit__random_below(&random, 20) < 11)) {
            plain[naive] = new_guest(&random, i);
            tacit__heap_push(heap, &count, &plain[naive++], sizeof *heap, ranks_before);
        } else {
            guest out;
            size_t first = naive_first(plain, naive);
            tacit__heap_pop(&out, heap, &count, sizeof out, ranks_before);
            assert_memory_equal(&out, &plain[first], sizeof out);
            plain[first] = plain[--naive];
        }
        assert_int_equal(count, naive);
    }
}

/* ---- arrays that grow ---- */

static tacit_status push_starved(void *context, tacit_error *err)
{
    struct {
        guest *items;
        size_t capacity;
        int32_t count;
    } a = {0};
    (void)context;
    tacit_status status = TACIT__RESERVE(a.items, a.capacity, 3) ? TACIT_OK : tacit__nomem(err);
    while (status == TACIT_OK && a.count < 100)
        if (!TACIT__PUSH(a.items, a.capacity, a.count, (guest){.rank = 7, .number = 0}))
            status = tacit__nomem(err);
        else
            a.items[a.count - 1].number = (uint32_t)a.count;
    for (int32_t i = 0; i < a.count; i++)
        assert_true(a.items[i].rank == 7 && a.items[i].number == (uint32_t)i + 1);
    assert_true((size_t)a.count <= a.capacity);
    tacit__free(a.items);
    return status;
}

static void arrays_grow(void **state)
{
    (void)state;
    starve(push_starved, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(characters_are_what_the_c_locale_says),
        cmocka_unit_test(maps_hold_all_numbers_under_a_hash),
        cmocka_unit_test(keys_are_numbered_as_they_are_met),
        cmocka_unit_test(pairs_are_numbered_as_they_are_met),
        cmocka_unit_test(numbering_without_memory),
        cmocka_unit_test(heaps_give_the_first),
        cmocka_unit_test(arrays_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
