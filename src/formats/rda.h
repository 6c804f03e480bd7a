/*
 * rda.h - descriptions of data as tau-Argus and mu-Argus have them, .rda: which variable stands
 * where.
 */
#ifndef TACIT_SRC_FORMATS_RDA_H
#define TACIT_SRC_FORMATS_RDA_H

#include "formats/formats.h"

typedef struct tacit__rda_variable {
    tacit_strview name;
    int64_t start, width; /* in characters, from 0 on; of separated data 0 */
} tacit__rda_variable;

/* Views are into the text that it was read from. */
typedef struct tacit__rda {
    char separator; /* 0: variables stand at fixed places */
    bool names;     /* the first line of the data names the variables */
    tacit__rda_variable *variables;
    size_t count, capacity;
} tacit__rda;

/* Errors name the file and its line. What it says besides of variables is passed over. */
tacit_status tacit__rda_read(tacit__rda *rda, tacit_strview text, const char *name,
                             tacit_error *err);
void tacit__rda_clear(tacit__rda *rda);

/* Reads data as the description says; name is that of its file. */
tacit_status tacit__described_read(tacit__format_text *text, tacit_schema *schema,
                                   const tacit__format_input *input, tacit_strview description,
                                   const char *name, tacit_error *err);

#endif
