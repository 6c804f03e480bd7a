/*
 * fuzz_require.h - what a fuzzer demands of every input.
 */
#ifndef TACIT_TESTS_SUPPORT_FUZZ_REQUIRE_H
#define TACIT_TESTS_SUPPORT_FUZZ_REQUIRE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tacit/base.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

/* A refusal says why, in one line. */
static inline void require_reason(tacit_status status, const tacit_error *err)
{
    require(status == err->status, "another status");
    require(status == TACIT_OK || err->message[0], "refused without a reason");
    require(!strchr(err->message, '\n'), "a reason of several lines");
}

#endif
