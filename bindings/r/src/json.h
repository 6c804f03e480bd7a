/*
 * json.h - reports, which are JSON, as lists of R; texts as lines of JSON.
 */
#ifndef TACIT_R_JSON_H
#define TACIT_R_JSON_H

#define R_NO_REMAP
#include <Rinternals.h>

/* An object is a named list, an array of only texts, only numbers or only true and false a vector,
 * any other array a list, null NULL. */
SEXP json_read(const char *text);

/* Texts as raw bytes, a line {"text":...} each; with people as many, {"whom":...,"text":...}. */
SEXP json_lines(SEXP texts, SEXP people);

#endif
