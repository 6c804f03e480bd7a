/*
 * list.c - data/text/templates.lst, the shipped templates, as read-only data.
 */
#ifndef TACIT_TEMPLATES_FILE
#error "TACIT_TEMPLATES_FILE names data/text/templates.lst"
#endif

__asm__(".pushsection .rodata, \"a\"\n"
        ".hidden tacit__template_list\n"
        ".globl tacit__template_list\n"
        ".type tacit__template_list, %object\n"
        "tacit__template_list:\n"
        ".incbin \"" TACIT_TEMPLATES_FILE "\"\n"
        ".byte 0\n"
        ".size tacit__template_list, . - tacit__template_list\n"
        ".popsection\n");
