/*
 * fuzz_pram.c - any bytes as a matrix of transition probabilities. Whatever is accepted has rows
 * that sum to 1 and categories that are found again; whatever is refused must say why.
 */
#include <math.h>

#include "../support/fuzz_require.h"

#include "techniques/categories/transition.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tacit__transition matrix = {0};
    tacit_error err = {0};
    tacit_strview bytes = {(const char *)data, size};
    tacit_status status = tacit__transition_read_memory(&matrix, bytes, "matrix.csv", &err);
    if (status != TACIT_OK) {
        require(!matrix.shares, "an output after failure");
        require_reason(status, &err);
        return 0;
    }
    for (uint32_t i = 0; i < matrix.count; i++) {
        double sum = 0;
        for (uint32_t j = 0; j < matrix.count; j++) {
            double share = matrix.shares[(size_t)i * matrix.count + j];
            require(share >= 0 && share <= 1.000001, "no probability");
            sum += share;
        }
        require(fabs(sum - 1) < 1e-9, "a row that does not sum to 1");
        require(tacit__transition_find(&matrix, matrix.labels[i]) == i, "another category");
    }
    tacit__transition_clear(&matrix);
    return 0;
}
