# sdctable.R - verbs with the names that users of sdcTable know: a problem is data, dimensions and
# rules; protectTable() makes the release, and attack() is what the judge found of it.

#' A table to protect, from records or from cells.
makeProblem <- function(data, dimList, freqVarInd = NULL, numVarInd = NULL, weightInd = NULL) {
  if (!is.data.frame(data)) stop_tacit("invalid", "data: expected a data frame")
  named <- function(x) if (is.numeric(x)) names(data)[x] else x
  for (name in c(names(dimList), named(freqVarInd), named(numVarInd), named(weightInd))) {
    if (!name %in% names(data)) stop_tacit("invalid", sprintf("there is no column \"%s\" in the data", name))
  }
  structure(class = "tacit_problem",
            list(data = data, dims = dimList, freq = named(freqVarInd), value = named(numVarInd)[1],
                 weight = named(weightInd)[1], rules = character()))
}

#' A rule by which cells are confidential.
primarySuppression <- function(object, type = c("freq", "nk", "p", "pq"), maxN = 3, n = 2, k = 85, p = 10,
                               pq = c(25, 50)) {
  type <- match.arg(type)
  rule <- switch(type, freq = sprintf("freq:%g", maxN), nk = sprintf("nk:%g,%g", n, k), p = sprintf("p:%g", p),
                 pq = sprintf("pq:%g,%g", pq[1], pq[2]))
  object$rules <- unique(c(object$rules, rule))
  object
}

#' Further cells are suppressed until no primary cell can be computed.
protectTable <- function(object, method = "auto", ...) {
  methods <- c(OPT = "optimal", HITAS = "hitas", HYPERCUBE = "hypercube", SIMPLEHEURISTIC = "auto", GAUSS = "auto")
  if (method %in% names(methods)) method <- methods[[method]]
  if (length(object$rules) == 0) {
    stop_tacit("invalid", "no cell is primary yet: primarySuppression() says by which rule")
  }
  tacit_protect(object$data, object$dims, value = object$value, rule = object$rules, method = method,
                rows = if (length(object$freq)) "cells" else "records", freq = object$freq, weight = object$weight, ...)
}

#' How low and how high anybody can infer each suppressed cell to be.
attack <- function(object, ...) {
  audit <- tacit_audit(object, ...)
  cells <- audit$cells
  if (is.null(cells) || length(cells) == 0) return(data.frame())
  data.frame(cell = cells$cell, status = cells$status, value = cells$value, low = cells$low, up = cells$high,
             protected = !(cells$disclosed | cells$underprotected))
}

#' What is released ("release"), or all that the data holder knows ("finalData").
getInfo <- function(object, type = c("finalData", "release", "nrPrimSupps", "nrSecondSupps")) {
  switch(match.arg(type), finalData = object$cells, release = object$data, nrPrimSupps = object$report$primary,
         nrSecondSupps = object$report$secondary)
}

print.tacit_problem <- function(x, ...) {
  cat(sprintf("%d rows, dimensions %s; %s\n", nrow(x$data), paste(names(x$dims), collapse = ", "),
              if (length(x$value) && !is.na(x$value)) paste("values of", x$value) else "counts"))
  cat(if (length(x$rules)) paste("rules:", paste(x$rules, collapse = ", ")) else "no rules yet", "\n", sep = "")
  invisible(x)
}
