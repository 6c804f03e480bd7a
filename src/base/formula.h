/*
 * formula.h - cells that a spreadsheet may run as a formula, and the apostrophe that keeps it from
 * it.
 */
#ifndef TACIT_SRC_BASE_FORMULA_H
#define TACIT_SRC_BASE_FORMULA_H

#include <tacit/base.h>

#define TACIT__GUARD '\''

/* Whether a text begins with = + - @, one of their full-width forms, a tab or a line end, and is
 * no number. */
bool tacit__is_formula(tacit_strview text);

/* What a guarded text says without its apostrophe; any other text as it is. */
tacit_strview tacit__unguarded(tacit_strview text);

#endif
