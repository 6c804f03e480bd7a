/*
 * tacit.h - releases data without releasing people. Includes every room.
 *
 * A release of records in five steps, each a call:
 *
 *   tacit_table_read         the data, coded
 *   tacit_hierarchy_new      what each value may become
 *   tacit_method_find(..)->solve   how far each attribute must go
 *   tacit_solution_apply, tacit_table_write   the release
 *   tacit_audit_release      the judge, with code of its own (audit.h)
 */
#ifndef TACIT_H
#define TACIT_H

#include <tacit/alter.h>
#include <tacit/ambiguate.h>
#include <tacit/argus.h>
#include <tacit/audit.h>
#include <tacit/audit_altered.h>
#include <tacit/audit_cells.h>
#include <tacit/audit_finer.h>
#include <tacit/audit_link.h>
#include <tacit/audit_masked.h>
#include <tacit/audit_method.h>
#include <tacit/audit_previous.h>
#include <tacit/audit_relink.h>
#include <tacit/audit_sensitive.h>
#include <tacit/audit_summary.h>
#include <tacit/audit_total.h>
#include <tacit/base.h>
#include <tacit/cells.h>
#include <tacit/dependencies.h>
#include <tacit/graph.h>
#include <tacit/hierarchy.h>
#include <tacit/intervals.h>
#include <tacit/job.h>
#include <tacit/ledger.h>
#include <tacit/lineage.h>
#include <tacit/loss.h>
#include <tacit/model.h>
#include <tacit/policy.h>
#include <tacit/previous.h>
#include <tacit/profile.h>
#include <tacit/records.h>
#include <tacit/report.h>
#include <tacit/suppress.h>
#include <tacit/table.h>
#include <tacit/techniques.h>
#include <tacit/text.h>
#include <tacit/text_learn.h>
#include <tacit/text_rare.h>
#include <tacit/total.h>
#include <tacit/trails.h>
#include <tacit/uniques.h>

#endif
