/*
 * people.h - records of people for tests of counts with noise. Include it after tables.h.
 */
#ifndef TACIT_TESTS_SUPPORT_PEOPLE_H
#define TACIT_TESTS_SUPPORT_PEOPLE_H

#include <tacit/experimental/alter.h>

/* Two dimensions, with codes that no record has. */
#define PEOPLE_PLACES   "north;all\nsouth;all\nwest;all\n"
#define PEOPLE_BRANCHES "farm;land;any\nmine;land;any\nshop;town;any\nbank;town;any\n"
#define PEOPLE_GROUND   12

static inline tacit_cells_spec *people_spec(int32_t most)
{
    static table_spec *made;
    char text[400];
    snprintf(text, sizeof text, "place=%s branch=%s", file_of("places.csv", PEOPLE_PLACES),
             file_of("branches.csv", PEOPLE_BRANCHES));
    made = spec_of(text);
    made->spec.holding = "id";
    made->spec.most = most;
    return &made->spec;
}

/* Records of so many people in random order, in five of the ground cells; to be freed. Nobody has
 * the number that is left out. */
static inline char *people_records(int people, int rows, uint64_t seed, int without)
{
    static const char *const PLACES[] = {"north", "south"};
    static const char *const BRANCHES[] = {"farm", "mine", "shop"};
    char *text = calloc((size_t)rows + 2, 32);
    int at = sprintf(text, "id,place,branch\n");
    random_start(seed);
    for (int i = 0; i < rows; i++) {
        int id = random_below(people), place = random_below(2), branch = random_below(3);
        if (id != without)
            at += sprintf(text + at, "%d,%s,%s\n", id, PLACES[place], BRANCHES[branch]);
    }
    return text;
}

static inline bool people_ground(const tacit_cells *cells, int32_t cell)
{
    int32_t codes[TACIT_MAX_DIMENSIONS];
    tacit_cells_codes(codes, cells, cell);
    for (int32_t d = 0; d < cells->dimension_count; d++)
        if (cells->dimensions[d].definition[codes[d]] >= 0)
            return false;
    return true;
}

#endif
