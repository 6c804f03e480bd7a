/*
 * list.h - the shipped templates: a file as docs/methods/templates.md describes it,
 * terminated.
 */
#ifndef TACIT_TEXT_TEMPLATE_LIST_H
#define TACIT_TEXT_TEMPLATE_LIST_H

extern const char tacit__template_list[] __attribute__((visibility("hidden")));

#endif
