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
  if (length(variables) == 0) {
    stop_tacit("invalid", sprintf("no variables: name them, or give %s to createSdcObj()", role))
  }
  variables
}

# A step that is a technique; settings that are NULL are left out.
technique <- function(obj, says, name, columns, ...) {
  settings <- Filter(Negate(is.null), list(columns = as.list(columns), ...))
  says <- sprintf(says, paste(columns, collapse = ", "))
  stepped(obj, list(says = says, technique = setNames(list(settings), name)))
}

# What a method of sdcMicro is called here.
way_of <- function(verb, method, ways) {
  if (method %in% names(ways)) return(ways[[method]])
  stop_tacit("invalid", sprintf("%s: there is no method \"%s\" here; there are %s", verb, method,
                                paste(names(ways), collapse = ", ")))
}

strata <- function(columns) if (length(columns)) as.list(columns)

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
    if (length(importance) != length(keys)) {
      stop_tacit("invalid", "importance: one number for each key variable, 1 for the most important")
    }
    weights <- setNames(as.list(max(importance) + 1 - importance), keys)
  }
  stepped(obj, list(says = sprintf("k-anonymity, k = %g, by suppressing cells", k), k = k, weights = weights))
}

localSuppression <- kAnon

#' Numbers of at least aggr similar rows become their mean.
microaggregation <- function(obj, variables = NULL, aggr = 3, strata_variables = obj$roles$strataVar,
                             method = "mdav", measure = "mean") {
  way <- way_of("microaggregation", method, c(mdav = "mdav", onedims = "univariate", variable = "variable"))
  technique(obj, sprintf("microaggregation of %%s, %g rows", aggr), "microaggregate",
            variables_of(obj, variables, "numVars"), k = aggr, way = way, aggregate = measure,
            within = strata(strata_variables))
}

#' Random numbers are added; noise is in percent of a column's standard deviation.
addNoise <- function(obj, variables = NULL, noise = 10, method = "additive") {
  way <- way_of("addNoise", method, c(additive = "independent", correlated = "correlated", correlated2 = "kept"))
  technique(obj, sprintf("noise of %g %%%% on %%s", noise), "noise", variables_of(obj, variables, "numVars"),
            size = noise / 100, way = way)
}

#' Categories change at random, so that shares are kept.
pram <- function(obj, variables = NULL, strata_variables = obj$roles$strataVar, pd = 0.8) {
  technique(obj, sprintf("post-randomization of %%s, %g kept", pd), "pram", variables_of(obj, variables, "pramVars"),
            keep = pd, way = "invariant", within = strata(strata_variables))
}

#' Values trade places with others within P percent of the ranks.
rankSwap <- function(obj, variables = NULL, P = 5) {
  technique(obj, sprintf("rank swapping of %%s within %g %%%%", P), "rank-swap",
            variables_of(obj, variables, "numVars"), percent = P)
}

#' Numbers beyond a threshold become the threshold.
topBotCoding <- function(obj, value, column, kind = c("top", "bottom")) {
  kind <- match.arg(kind)
  technique(obj, sprintf("%s coding of %%s at %g", kind, value), paste0(kind, "-code"), column, at = value)
}

#' A number becomes a range, for all rows: cut() on the data.
globalRecode <- function(obj, column, breaks, labels = NULL) {
  data <- obj$data
  data[[column]] <- cut(as.numeric(data[[column]]), breaks = breaks, labels = labels, include.lowest = TRUE)
  stepped(obj, list(says = sprintf("%s recoded to %d values", column, nlevels(data[[column]]))), data)
}

#' The policy that a pipeline stands for.
policy_of <- function(obj) {
  roles <- obj$roles
  k <- max(0, unlist(lapply(obj$steps, `[[`, "k")))
  techniques <- Filter(Negate(is.null), lapply(obj$steps, `[[`, "technique"))
  columns <- c(role_of(roles$keyVars, "quasi"), role_of(roles$sensibleVar, "sensitive"),
               role_of(c(roles$hhId, roles$excludeVars), "identifier"),
               role_of(c(roles$numVars, roles$pramVars, roles$weightVar, roles$strataVar), "insensitive"))
  columns <- columns[!duplicated(names(columns))]
  for (step in obj$steps) for (name in names(step$weights)) columns[[name]]$weight <- step$weights[[name]]
  given <- list(k = if (k > 0) k, method = if (k > 0) "ambiguate" else "none",
                `sampling-weight` = roles$weightVar, techniques = if (length(techniques)) techniques,
                columns = columns)
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
  keys <- do.call(paste, c(unname(as.list(x$data[x$roles$keyVars])), sep = "\r"))
  classes <- tabulate(match(keys, unique(keys)))
  cat(sprintf("%d rows; key variables: %s\n", nrow(x$data), paste(x$roles$keyVars, collapse = ", ")))
  for (k in c(2, 3, 5)) cat(sprintf("  rows that violate %d-anonymity: %d\n", k, sum(classes[classes < k])))
  if (length(x$steps)) cat(sprintf("  step %d: %s", seq_along(x$steps), vapply(x$steps, `[[`, "", "says")), sep = "\n")
  cat(if (length(x$steps)) "extractManipData() makes the release, and judges it\n" else "no steps yet\n")
  invisible(x)
}
