/*
 * pool_names.c OUT - makes up the names that src/text/lexicon/pool.c puts into the library. The
 * stream of each is its own, so that they are the same on every machine.
 *
 * Run by CMake when the lists are newer than the names; about a second.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/lexicon/letters.h"

static tacit__alias make_up(uint32_t place)
{
    tacit__alias name = {0};
    tacit_run run;
    tacit__random random;
    tacit__made_up made;
    bool is_short = place >= TACIT__POOL_SURNAMES + TACIT__POOL_FIRST;
    tacit__letters_kind kind =
        place < TACIT__POOL_SURNAMES ? TACIT__LETTERS_SURNAME : TACIT__LETTERS_FIRST;
    tacit_run_init(&run);
    tacit__random_init(&random, &run, "pool", place);
    do
        if (!tacit__letters_make_up(&made, kind, &random)) {
            fputs("pool_names: no name is to be had\n", stderr);
            exit(1);
        }
    while (is_short && made.len > TACIT__POOL_LETTERS);
    name.len = (uint8_t)made.len;
    memcpy(name.letters, made.name, made.len);
    name.letters[0] = (char)(name.letters[0] | 0x20);
    return name;
}

int main(int count, char **arguments)
{
    FILE *out = count == 2 ? fopen(arguments[1], "wb") : NULL;
    bool written = out != NULL;
    for (uint32_t place = 0; written && place < TACIT__POOL; place++) {
        tacit__alias name = make_up(place);
        written = fwrite(&name, sizeof name, 1, out) == 1;
    }
    if (out && fclose(out) == 0 && written)
        return 0;
    fputs("usage: pool_names OUT, which can be written\n", stderr);
    return 1;
}
