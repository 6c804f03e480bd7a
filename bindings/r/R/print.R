# print.R - results as the command prints them, and summaries as tables of numbers.

print.tacit_result <- function(x, ...) {
  if (!is.null(x$text)) cat(x$text)
  for (name in c("data", "cells", "columns", "policies", "sets")) {
    if (is.null(x[[name]])) next
    cat(sprintf("  $%-9s  %s\n", name, size_of(x[[name]])))
  }
  invisible(x)
}

size_of <- function(x) {
  if (is.data.frame(x)) sprintf("%d rows, %d columns", nrow(x), ncol(x)) else sprintf("%d texts", length(x))
}

print.tacit_policy <- function(x, ...) {
  if (!is.null(x$path)) cat("# ", x$path, "\n", sep = "")
  cat(as.character(x), "\n", sep = "")
  for (name in names(x$files)) {
    cat(sprintf("# %s: a hierarchy with %d rows\n", name, length(strsplit(x$files[[name]], "\n")[[1]])))
  }
  invisible(x)
}

summary_of <- function(...) structure(class = "summary.tacit_result", list(...))

print.summary.tacit_result <- function(x, ...) {
  for (name in names(x)) {
    value <- x[[name]]
    if (is.null(value) || length(value) == 0) next
    if (is.data.frame(value)) {
      cat(name, ":\n", sep = "")
      print(value, row.names = FALSE)
    } else if (is.numeric(value)) {
      cat(sprintf("%-22s %s\n", name, paste(format(value, digits = 4, trim = TRUE), collapse = " ")))
    } else {
      cat(sprintf("%-22s %s\n", name, paste(value, collapse = "; ")))
    }
  }
  invisible(x)
}

summary.tacit_release <- function(object, ...) {
  r <- object$report
  attributes <- if (length(r$levels)) {
    data.frame(column = names(r$levels), level = unlist(r$levels), of = unlist(r$heights), row.names = NULL)
  }
  summary_of(rows = r$rows, k = r$k, method = r$method, suppressed_rows = r$suppressed_rows,
             classes = r$classes, smallest_class = r$smallest_class, average_class = r$average_class,
             precision = r$precision, granularity = r$granularity, holds = r$judge$holds,
             attributes = attributes)
}

summary.tacit_audit <- function(object, ...) {
  r <- object$report
  summary_of(discloses = object$discloses, holds = r$judge$holds, rows = r$rows, k = r$k,
             smallest_class = r$smallest_class, disclosed = r$disclosed, underprotected = r$underprotected,
             findings = object$findings,
             attacks = unlist(lapply(r$attacks, function(a) if (is.list(a)) a$sentence)))
}

summary.tacit_risk <- function(object, ...) {
  r <- object$report
  summary_of(records = r$records, k = r$k, at_risk = r$at_risk, minimal_sample_uniques = r$prime_implicants,
             highest_risk = r$risk$highest, expected = r$risk$expected,
             columns = if (is.data.frame(object$columns)) object$columns[c("name", "share_of_score", "records")])
}

summary.tacit_profile <- function(object, ...) {
  r <- object$report
  summary_of(rows = r$rows, quasi = r$quasi_count, unique_rows = r$unique_rows,
             columns = object$columns[c("name", "type", "role", "distinct", "missing")])
}

summary.tacit_comparison <- function(object, ...) {
  wanted <- intersect(c("policy", "method", "k", "lost", "relinked", "frontier"), names(object$policies))
  summary_of(policies = object$policies[wanted])
}

summary.tacit_table <- function(object, ...) {
  r <- object$report
  summary_of(method = r$method, cells = r$cells, primary = r$primary, secondary = r$secondary,
             secondary_value = r$secondary_value, cost = r$cost, proven = r$proven,
             disclosed = r$audit$disclosed, underprotected = r$audit$underprotected)
}
