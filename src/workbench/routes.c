/*
 * routes.c - what the page can ask for. Whatever has a body is a POST, so that no name of a file
 * and no value of the data stands in an address.
 */
#include "workbench/parts.h"

const workbench_route workbench_routes[] = {
    {"GET", "/api/project", workbench_get_project},  {"POST", "/api/step", workbench_add_step},
    {"POST", "/api/go", workbench_go_to_step},       {"POST", "/api/files", workbench_list_files},
    {"POST", "/api/columns", workbench_get_columns}, {"POST", "/api/rows", workbench_get_rows},
    {"GET", "/api/kinds", workbench_get_kinds},      {"GET", "/api/jobs", workbench_list_jobs},
    {"POST", "/api/jobs", workbench_add_job},        {"GET", "/api/jobs/", workbench_get_job},
    {"POST", "/api/jobs/", workbench_change_job},    {NULL, NULL, NULL},
};
