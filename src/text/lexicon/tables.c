/*
 * tables.c - the file that scripts/lexicons/pack.c made, as read-only data. The assembler
 * copies it: a C array of four million bytes would take the compiler longer than all else.
 */
#include "text/lexicon/tables.h"

#ifndef TACIT_TABLES_FILE
#error "TACIT_TABLES_FILE names the file made by scripts/lexicons/pack.c"
#endif

__asm__(".pushsection .rodata, \"a\"\n"
        ".balign 64\n"
        ".globl tacit__tables\n"
        ".hidden tacit__tables\n"
        ".type tacit__tables, %object\n"
        "tacit__tables:\n"
        ".incbin \"" TACIT_TABLES_FILE "\"\n"
        ".size tacit__tables, . - tacit__tables\n"
        ".popsection\n");
