/*
 * standards.c - data/hierarchies, the shipped hierarchies one after the other, as read-only data.
 */
#ifndef TACIT_STANDARDS_FILE
#error "TACIT_STANDARDS_FILE names the files of data/hierarchies in one"
#endif

__asm__(".pushsection .rodata, \"a\"\n"
        ".hidden tacit__standards_list\n"
        ".globl tacit__standards_list\n"
        ".type tacit__standards_list, %object\n"
        "tacit__standards_list:\n"
        ".incbin \"" TACIT_STANDARDS_FILE "\"\n"
        ".byte 0\n"
        ".size tacit__standards_list, . - tacit__standards_list\n"
        ".popsection\n");
