/*
 * gaps.h - checking and completing a hierarchy file that is in memory.
 */
#ifndef TACIT_SRC_HIERARCHY_GAPS_H
#define TACIT_SRC_HIERARCHY_GAPS_H

#include <tacit/experimental/hierarchy.h>

/* As tacit_hierarchy_check and tacit_hierarchy_complete; name is for messages. */
tacit_status tacit__gaps_of_bytes(tacit_hierarchy_gaps **out, tacit_strview bytes, const char *name,
                                  const tacit_table *table, int32_t column, tacit_error *err);
tacit_status tacit__complete_bytes(char **csv, tacit_strview bytes, const char *name,
                                   const tacit_table *table, int32_t column, tacit_error *err);

#endif
