/*
 * workbench.h - a page on this machine that shows data, its risk and its releases.
 *
 * workbench_start() serves it on the loopback address until workbench_stop(). Whoever has the
 * address that workbench_url() gives, with its token, may do what the command's user may do below
 * the folders that it was started with; nobody else may do anything.
 */
#ifndef TACIT_WORKBENCH_H
#define TACIT_WORKBENCH_H

#include <tacit/base.h>

typedef struct workbench workbench;

/* place: a project's folder, a file with data, or NULL for a project in this folder. port: 0 for
 * any that is free. */
tacit_status workbench_start(workbench **out, const char *place, int port, tacit_error *err);
const char *workbench_url(const workbench *bench);
const char *workbench_folder(const workbench *bench); /* of the project */

/* Ends its jobs; what was not released is gone. */
void workbench_stop(workbench *bench);

#endif
