/*
 * experimental.h - every room of the library. Methods, the judge, attacks and techniques, each to
 * be called by itself. These interfaces may change with any version; tacit.h has those that stay.
 *
 * A release of records in five steps, each a call:
 *
 *   tacit_table_read         the data, coded
 *   tacit_hierarchy_new      what each value may become
 *   tacit_method_find(..)->solve   how far each attribute must go
 *   tacit_solution_apply, tacit_table_write   the release
 *   tacit_audit_release      the judge, with code of its own (audit.h)
 */
#ifndef TACIT_EXPERIMENTAL_H
#define TACIT_EXPERIMENTAL_H

#include <tacit.h>
#include <tacit/experimental/alter.h>
#include <tacit/experimental/ambiguate.h>
#include <tacit/experimental/argus.h>
#include <tacit/experimental/audit.h>
#include <tacit/experimental/audit_altered.h>
#include <tacit/experimental/audit_cells.h>
#include <tacit/experimental/audit_copies.h>
#include <tacit/experimental/audit_engine.h>
#include <tacit/experimental/audit_finer.h>
#include <tacit/experimental/audit_link.h>
#include <tacit/experimental/audit_masked.h>
#include <tacit/experimental/audit_method.h>
#include <tacit/experimental/audit_noise.h>
#include <tacit/experimental/audit_previous.h>
#include <tacit/experimental/audit_probable.h>
#include <tacit/experimental/audit_relink.h>
#include <tacit/experimental/audit_sensitive.h>
#include <tacit/experimental/audit_summary.h>
#include <tacit/experimental/audit_total.h>
#include <tacit/experimental/cells.h>
#include <tacit/experimental/dependencies.h>
#include <tacit/experimental/engines.h>
#include <tacit/experimental/facts.h>
#include <tacit/experimental/formats.h>
#include <tacit/experimental/graph.h>
#include <tacit/experimental/hierarchy.h>
#include <tacit/experimental/intervals.h>
#include <tacit/experimental/itemsets.h>
#include <tacit/experimental/ledger.h>
#include <tacit/experimental/lineage.h>
#include <tacit/experimental/loss.h>
#include <tacit/experimental/model.h>
#include <tacit/experimental/page.h>
#include <tacit/experimental/policy.h>
#include <tacit/experimental/previous.h>
#include <tacit/experimental/profile.h>
#include <tacit/experimental/records.h>
#include <tacit/experimental/suppress.h>
#include <tacit/experimental/techniques.h>
#include <tacit/experimental/text.h>
#include <tacit/experimental/text_learn.h>
#include <tacit/experimental/text_rare.h>
#include <tacit/experimental/total.h>
#include <tacit/experimental/trails.h>
#include <tacit/experimental/uniques.h>

#endif
