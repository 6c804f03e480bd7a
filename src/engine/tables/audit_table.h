/*
 * audit_table.h - `tacit audit` where the release is a statistical table.
 */
#ifndef TACIT_ENGINE_TABLES_AUDIT_TABLE_H
#define TACIT_ENGINE_TABLES_AUDIT_TABLE_H

#include "engine/job/settings.h"

/* Whether the command line speaks of a table: a .jj file, or dimensions. */
bool engine_is_audit_of_table(const engine_settings *settings);

#endif
