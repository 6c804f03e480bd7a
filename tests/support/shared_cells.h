/*
 * shared_cells.h - tables of the shared data, for the tests that compare with what other programs
 * reached on them. Include it after tables.h.
 */
#ifndef TACIT_TESTS_SUPPORT_SHARED_CELLS_H
#define TACIT_TESTS_SUPPORT_SHARED_CELLS_H

#define SHARED_CELLS TACIT_SOURCE_DIR "/../shared/data/cells/"

/* Skips the test, saying so, where the data is not at hand. */
static inline void need_shared_cells(void)
{
    if (access(SHARED_CELLS "README.md", R_OK)) {
        print_message("skipped: no shared data\n");
        skip();
    }
}

static inline tacit_cells *shared_cells(const char *name, int dimensions)
{
    char path[512], text[2048] = "";
    tacit_csv_options options;
    tacit_run run;
    tacit_table *table = NULL;
    tacit_cells *cells = NULL;
    tacit_error err = {0};
    for (int d = 1; d <= dimensions; d++) {
        size_t len = strlen(text);
        snprintf(text + len, sizeof text - len, "d%d=" SHARED_CELLS "%s.dim%d.hrc ", d, name, d);
    }
    snprintf(path, sizeof path, SHARED_CELLS "%s.cells.csv", name);
    tacit_csv_options_init(&options);
    tacit_run_init(&run);
    if (tacit_table_read(&table, path, &options, &run, &err) != TACIT_OK ||
        tacit_cells_from_table(&cells, table, &spec_of(text)->spec, NULL, &err) != TACIT_OK)
        fail_msg("%s", err.message);
    tacit_table_free(table);
    return cells;
}

#endif
