/*
 * fuzz_standard.c - any bytes as a value of every standard hierarchy. What is known has a label on
 * every level, ends in "*", and each label above leads to the same ones above it.
 */
#include "../support/fuzz_require.h"
#include "hierarchy/standard.h"

static void check_above(const tacit__standard *standard, const tacit_strview *labels, int level,
                        tacit__arena *arena)
{
    tacit_strview again[TACIT_MAX_LEVELS];
    int height = tacit__standard_height(standard);
    for (int i = level + 1; i < height; i++) {
        require(labels[i].len > 0, "an empty label");
        require(tacit__standard_path(again, standard, labels[i], arena) >= 0, "an unknown label");
        for (int j = i; j <= height; j++)
            require(tacit_strview_equal(labels[j], again[j]), "another path");
    }
    require(tacit_strview_equal(labels[height], tacit_hierarchy_suppressed()), "no top");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit_strview name, title, value = {(const char *)data, size};
    for (size_t i = 0; tacit_hierarchy_standard(i, &name, &title); i++) {
        tacit__standard standard;
        tacit__arena arena = {0};
        tacit_strview labels[TACIT_MAX_LEVELS];
        require(tacit__standard_open(&standard, name, NULL) == TACIT_OK, "not to be opened");
        int level = tacit__standard_path(labels, &standard, value, &arena);
        if (level >= 0)
            check_above(&standard, labels, level, &arena);
        tacit__arena_clear(&arena);
        tacit__standard_close(&standard);
    }
    return 0;
}
