/*
 * tacit.h - releases data without releasing people: the interface that stays. A job makes, judges
 * and commits a release (job.h); its report can be read and rendered (report.h); tables are read
 * from files (table.h). tacit/experimental.h has everything else.
 */
#ifndef TACIT_H
#define TACIT_H

#include <tacit/base.h>
#include <tacit/job.h>
#include <tacit/report.h>
#include <tacit/table.h>

#endif
