/*
 * assets.c - the page: the files of web/, as read-only data of the command.
 */
#include <string.h>

#include "workbench/parts.h"

#ifndef WORKBENCH_WEB
#error "WORKBENCH_WEB names the folder with the page"
#endif

#define ASSET(symbol, file)                                                       \
    __asm__(".pushsection .rodata, \"a\"\n"                                       \
            ".globl " #symbol "\n"                                                \
            ".hidden " #symbol "\n" #symbol ":\n"                                 \
            ".incbin \"" WORKBENCH_WEB "/" file "\"\n"                            \
            ".globl " #symbol "_end\n"                                            \
            ".hidden " #symbol "_end\n" #symbol "_end:\n.byte 0\n.popsection\n"); \
    extern const char symbol[], symbol##_end[]

ASSET(workbench_index, "index.html");
ASSET(workbench_icon, "icon.svg");
ASSET(workbench_style, "style.css");
ASSET(workbench_app, "app.js");
ASSET(workbench_api, "api.js");
ASSET(workbench_dom, "dom.js");
ASSET(workbench_policy_js, "policy.js");
ASSET(workbench_jobs_js, "jobs.js");
ASSET(workbench_grid, "grid.js");
ASSET(workbench_data_js, "data.js");
ASSET(workbench_columns, "columns.js");
ASSET(workbench_explore, "explore.js");
ASSET(workbench_release, "release.js");
ASSET(workbench_forms, "forms.js");
ASSET(workbench_history, "history.js");

static const struct {
    const char *path, *type, *bytes, *end;
} ASSETS[] = {
    {"/", "text/html; charset=utf-8", workbench_index, workbench_index_end},
    {"/icon.svg", "image/svg+xml", workbench_icon, workbench_icon_end},
    {"/style.css", "text/css; charset=utf-8", workbench_style, workbench_style_end},
    {"/app.js", "text/javascript; charset=utf-8", workbench_app, workbench_app_end},
    {"/api.js", "text/javascript; charset=utf-8", workbench_api, workbench_api_end},
    {"/dom.js", "text/javascript; charset=utf-8", workbench_dom, workbench_dom_end},
    {"/policy.js", "text/javascript; charset=utf-8", workbench_policy_js, workbench_policy_js_end},
    {"/jobs.js", "text/javascript; charset=utf-8", workbench_jobs_js, workbench_jobs_js_end},
    {"/grid.js", "text/javascript; charset=utf-8", workbench_grid, workbench_grid_end},
    {"/data.js", "text/javascript; charset=utf-8", workbench_data_js, workbench_data_js_end},
    {"/columns.js", "text/javascript; charset=utf-8", workbench_columns, workbench_columns_end},
    {"/explore.js", "text/javascript; charset=utf-8", workbench_explore, workbench_explore_end},
    {"/release.js", "text/javascript; charset=utf-8", workbench_release, workbench_release_end},
    {"/forms.js", "text/javascript; charset=utf-8", workbench_forms, workbench_forms_end},
    {"/history.js", "text/javascript; charset=utf-8", workbench_history, workbench_history_end},
};

workbench_answer workbench_asset(workbench_request *request, const char *path)
{
    for (size_t i = 0; i < sizeof ASSETS / sizeof *ASSETS; i++)
        if (strcmp(path, ASSETS[i].path) == 0)
            return workbench_queue(
                request, 200, ASSETS[i].type, NULL,
                MHD_create_response_from_buffer((size_t)(ASSETS[i].end - ASSETS[i].bytes),
                                                (void *)ASSETS[i].bytes, MHD_RESPMEM_PERSISTENT));
    return workbench_refuse(request, 404, "there is nothing here");
}
