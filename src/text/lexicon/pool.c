/*
 * pool.c - the file that scripts/lexicons/pool_names.c made, as read-only data.
 */
#include "text/lexicon/letters.h"

#ifndef TACIT_POOL_FILE
#error "TACIT_POOL_FILE names the file made by scripts/lexicons/pool_names.c"
#endif

__asm__(".pushsection .rodata, \"a\"\n"
        ".balign 64\n"
        ".globl tacit__pool\n"
        ".hidden tacit__pool\n"
        ".type tacit__pool, %object\n"
        "tacit__pool:\n"
        ".incbin \"" TACIT_POOL_FILE "\"\n"
        ".size tacit__pool, . - tacit__pool\n"
        ".popsection\n");
