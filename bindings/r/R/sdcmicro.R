# sdcmicro.R - verbs with the names that users of sdcMicro know. A pipeline collects what is to be
# done, as a policy; nothing is released until extractManipData() or tacit_anonymize() makes one
# release of it, which is judged. So a step can be taken back, and no half-done data is around.

#' A pipeline over data, with the columns' roles.
createSdcObj <- function(dat, keyVars, numVars = NULL, pramVars = NULL, weightVar = NULL, hhId = NULL,
                         strataVar = NULL, sensibleVar = NULL, excludeVars = NULL, seed = NULL) {
  if (!is.data.frame(dat)) stop_tacit("invalid", "dat: expected a data frame")
  named <- function(x) if (is.numeric(x)) names(dat)[x] else x
  roles <- lapply(list(keyVars = keyVars, numVars = numVars, pramVars = pramVars, weightVar = weightVar, hhId = hhId,
                       strataVar = strataVar, sensibleVar = sensibleVar, excludeVars = excludeVars), named)
  for (name in unlist(roles)) {
    if (!name %in% names(dat)) stop_tacit("invalid", sprintf("there is no column \"%s\" in the data", name))
  }
  structure(class = "tacit_pipeline", list(data = dat, roles = roles, seed = seed, steps = list(), undo = list()))
}

# A step: what undolast() takes back. Recoding changes the data that the release is made of.
stepped <- function(obj, step, data = obj$data) {
  if (!inherits(obj, "tacit_pipeline")) stop_tacit("invalid", "obj: expected what createSdcObj() gives")
  obj$undo <- c(obj$undo, list(list(steps = obj$steps, data = obj$data)))
  obj$steps <- c(obj$steps, list(step))
  obj$data <- data
  obj
}

variables_of <- function(obj, variables, role) {
  if (is.null(variables)) variables <- obj$roles[[role]]
  if (length(variables) == 0) stop_tacit("invalid", sprintf("no variables: name them, or give %s to createSdcObj()", role))
  variables
}

technique <- function(says, name, ...) list(says = says, technique = setNames(list(list(...)), name))

#' Takes the last step back.
undolast <- function(object) {
  last <- length(object$undo)
  if (last == 0) stop_tacit("invalid", "there is no step to take back")
  object$steps <- object$undo[[last]]$steps
  object$data <- object$undo[[last]]$data
  object$undo <- object$undo[-last]
  object
}

#' Single cells of the key variables are suppressed until k rows fit each row, and each fits k rows.
kAnon <- function(obj, k = 2, importance = NULL) {
  keys <- obj$roles$keyVars
  weights <- NULL
  if (!is.null(importance)) {
    if (length(importance) != length(keys)) stop_tacit("invalid", "importance: one number for each key variable, 1 for the most important")
    weights <- setNames(as.list(max(importance) + 1 - importance), keys)
  }
  stepped(obj, list(says = sprintf("k-anonymity, k = %g, by suppressing cells", k), k = k, weights = weights))
}

localSuppression <- kAnon

#' Numbers of at least aggr similar rows become their mean.
microaggregation <- function(obj, variables = NULL, aggr = 3, strata_variables = obj$roles$strataVar, method = "mdav",
                             measure = "mean") {
  ways <- c(mdav = "mdav", onedims = "univariate", variable = "variable")
  if (!method %in% names(ways)) {
    stop_tacit("invalid", sprintf("microaggregation: there is no method \"%s\" here; there are %s", method, paste(names(ways), collapse = ", ")))
  }
  variables <- variables_of(obj, variables, "numVars")
  stepped(obj, technique(sprintf("microaggregation of %s, %g rows", paste(variables, collapse = ", "), aggr), "microaggregate",
                         columns = as.list(variables), k = aggr, way = ways[[method]], aggregate = measure,
                         within = if (length(strata_variables)) as.list(strata_variables)))
}

#' Random numbers are added; noise is in percent of a column's standard deviation.
addNoise <- function(obj, variables = NULL, noise = 10, method = "additive") {
  ways <- c(additive = "independent", correlated = "correlated", correlated2 = "kept", restr = "kept")
  if (!method %in% names(ways)) {
    stop_tacit("invalid", sprintf("addNoise: there is no method \"%s\" here; there are %s", method, paste(names(ways), collapse = ", ")))
  }
  variables <- variables_of(obj, variables, "numVars")
  stepped(obj, technique(sprintf("noise of %g %% on %s", noise, paste(variables, collapse = ", ")), "noise",
                         columns = as.list(variables), size = noise / 100, way = ways[[method]]))
}

#' Categories change at random, so that shares are kept.
pram <- function(obj, variables = NULL, strata_variables = obj$roles$strataVar, pd = 0.8) {
  variables <- variables_of(obj, variables, "pramVars")
  stepped(obj, technique(sprintf("post-randomization of %s, %g kept", paste(variables, collapse = ", "), pd), "pram",
                         columns = as.list(variables), keep = pd, way = "invariant",
                         within = if (length(strata_variables)) as.list(strata_variables)))
}

#' Values trade places with others within P percent of the ranks.
rankSwap <- function(obj, variables = NULL, P = 5) {
  variables <- variables_of(obj, variables, "numVars")
  stepped(obj, technique(sprintf("rank swapping of %s within %g %%", paste(variables, collapse = ", "), P), "rank-swap",
                         columns = as.list(variables), percent = P))
}

#' Numbers beyond a threshold become the threshold.
topBotCoding <- function(obj, value, column, kind = c("top", "bottom")) {
  kind <- match.arg(kind)
  stepped(obj, technique(sprintf("%s coding of %s at %g", kind, paste(column, collapse = ", "), value), paste0(kind, "-code"),
                         columns = as.list(column), at = value))
}

#' A number becomes a range, for all rows: cut() on the data.
globalRecode <- function(obj, column, breaks, labels = NULL) {
  data <- obj$data
  data[[column]] <- cut(as.numeric(data[[column]]), breaks = breaks, labels = labels, include.lowest = TRUE)
  stepped(obj, list(says = sprintf("%s recoded to %d values", column, nlevels(data[[column]]))), data)
}

#' The policy that a pipeline stands for.
policy_of <- function(obj) {
  ks <- lapply(obj$steps, `[[`, "k")
  k <- if (length(unlist(ks))) max(unlist(ks))
  weights <- Filter(Negate(is.null), lapply(obj$steps, `[[`, "weights"))
  keys <- lapply(setNames(obj$roles$keyVars, obj$roles$keyVars), function(name) {
    list(role = "quasi", weight = if (length(weights)) weights[[length(weights)]][[name]])
  })
  techniques <- Filter(Negate(is.null), lapply(obj$steps, `[[`, "technique"))
  techniques <- lapply(techniques, function(t) setNames(list(Filter(Negate(is.null), t[[1]])), names(t)))
  columns <- c(lapply(keys, function(x) Filter(Negate(is.null), x)),
               role_of(obj$roles$sensibleVar, "sensitive"), role_of(unlist(obj$roles[c("hhId", "excludeVars")]), "identifier"),
               role_of(unlist(obj$roles[c("numVars", "pramVars", "weightVar", "strataVar")]), "insensitive"))
  given <- list(k = k, method = if (is.null(k)) "none" else "ambiguate",
                `sampling-weight` = obj$roles$weightVar, techniques = if (length(techniques)) unname(techniques),
                columns = columns[!duplicated(names(columns))])
  do.call(tacit_policy, Filter(Negate(is.null), given))
}

role_of <- function(names, role) lapply(setNames(names, names), function(name) list(role = role))

anonymize_pipeline <- function(obj, ..., seed = NULL) {
  if (is.null(seed)) seed <- obj$seed
  tacit_anonymize(obj$data, policy_of(obj), ..., seed = seed)
}

#' The release of a pipeline as a data frame, with NA where a cell is suppressed.
extractManipData <- function(obj, ..., suppressed = NA) {
  as.data.frame(tacit_anonymize(obj, ...), suppressed = suppressed)
}

print.tacit_pipeline <- function(x, ...) {
  classes <- tabulate(match(key <- do.call(paste, c(unname(as.list(x$data[x$roles$keyVars])), sep = "\r")), unique(key)))
  cat(sprintf("%d rows; key variables: %s\n", nrow(x$data), paste(x$roles$keyVars, collapse = ", ")))
  for (k in c(2, 3, 5)) cat(sprintf("  rows that violate %d-anonymity: %d\n", k, sum(classes[classes < k])))
  if (length(x$steps)) cat(sprintf("  step %d: %s", seq_along(x$steps), vapply(x$steps, `[[`, "", "says")), sep = "\n")
  cat(if (length(x$steps)) "extractManipData() makes the release, and judges it\n" else "no steps yet\n")
  invisible(x)
}
