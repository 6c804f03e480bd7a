# policy.R - policies from R: a file, a text, or what is said by arguments. Hierarchies that are
# tables of R travel as files beside the policy's text, in a folder that only the user can read and
# that is gone after the job.

#' A policy: what the data holder has decided.
tacit_policy <- function(..., columns = list()) {
  keys <- list(...)
  if (length(keys) == 1 && is.null(names(keys))) return(as_policy(keys[[1]]))
  if (length(keys) && (is.null(names(keys)) || any(names(keys) == ""))) {
    stop_tacit("invalid", "a policy is the name of a file, its text, or keys by name, such as k = 5")
  }
  names(keys) <- gsub("[_.]", "-", names(keys))
  policy <- structure(class = "tacit_policy", list(text = NULL, path = NULL, files = list()))
  roles <- intersect(names(keys), c("identifier", "quasi", "sensitive", "insensitive"))
  own <- columns
  columns <- list()
  for (role in roles) columns <- with_role(columns, role, keys[[role]])
  for (name in names(own)) {
    given <- if (is.list(own[[name]])) own[[name]] else list(role = own[[name]])
    columns[[name]] <- c(columns[[name]], given)
  }
  keys[roles] <- NULL
  if (length(columns)) keys$columns <- columns
  placed <- placed_files(keys)
  policy$text <- yaml(placed$keys)
  policy$files <- placed$files
  policy
}

# Columns that have a role: c("sex", "birth"), or list(birth = tacit_dates(), "sex"), where a list is
# further settings of the column.
with_role <- function(columns, role, given) {
  names <- names(given)
  if (is.null(names)) names <- rep("", length(given))
  for (i in seq_along(given)) {
    column <- if (names[i] == "") as.character(given[[i]]) else names[i]
    settings <- if (names[i] == "") NULL else given[[i]]
    if (!is.null(settings) && (is_hierarchy(settings) || !is.list(settings))) settings <- list(hierarchy = settings)
    columns[[column]] <- c(list(role = role), settings)
  }
  columns
}

as_policy <- function(policy) {
  if (is.null(policy) || inherits(policy, "tacit_policy")) return(policy)
  if (is.list(policy)) return(do.call(tacit_policy, policy))
  if (is.character(policy) && length(policy) == 1 && !grepl("\n", policy) && file.exists(policy)) {
    return(structure(class = "tacit_policy", list(text = NULL, path = normalizePath(policy), files = list())))
  }
  text <- paste(policy, collapse = "\n")
  if (!is.character(policy) || !grepl(":\\s", text)) {
    stop_tacit("io", sprintf("policy: there is no file \"%s\"", policy[1]))
  }
  structure(class = "tacit_policy", list(text = text, path = NULL, files = list()))
}

as.character.tacit_policy <- function(x, ...) {
  if (is.null(x$path)) x$text else paste(readLines(x$path, encoding = "UTF-8"), collapse = "\n")
}

give_policy <- function(job, policy, folder) {
  if (is.null(policy)) return()
  if (!is.null(policy$path)) return(give(job, "policy", policy$path))
  if (length(policy$files) == 0) return(check(.Call(C_job_set_text, job, "policy", policy$text)))
  give(job, "policy", written_policy(policy, file.path(folder, "policy.yaml")))
}

written_policy <- function(policy, path) {
  if (!is.null(policy$path)) return(policy$path)
  write_utf8(policy$text, path)
  for (name in names(policy$files)) write_utf8(policy$files[[name]], file.path(dirname(path), name))
  path
}

write_utf8 <- function(text, path) {
  connection <- file(path, "wb")
  on.exit(close(connection))
  writeBin(charToRaw(enc2utf8(paste0(sub("\n$", "", text), "\n"))), connection)
}

#' Writes a policy, and the hierarchies that belong to it, so that only their owner can read them.
tacit_write_policy <- function(policy, path) {
  policy <- as_policy(policy)
  mask <- Sys.umask("077")
  on.exit(Sys.umask(mask))
  if (is.null(policy$path)) written_policy(policy, path) else file.copy(policy$path, path, overwrite = TRUE)
  invisible(path)
}

# ---- hierarchies ----

hierarchy <- function(...) structure(class = "tacit_hierarchy", list(...))

is_hierarchy <- function(x) inherits(x, "tacit_hierarchy")

#' Dates: day, month, year, 5 years, 10 years, or windows of months.
tacit_dates <- function(order = NULL, windows = NULL) {
  rule <- c(if (!is.null(order)) list(order = order), if (!is.null(windows)) list(windows = as.list(windows)))
  parts <- paste(c(order, if (!is.null(windows)) paste(windows, collapse = ",")), collapse = "/")
  hierarchy(yaml = list(date = if (length(rule)) rule else TRUE),
            flag = if (nzchar(parts)) paste0("date:", parts) else "date")
}

#' Characters masked one by one, from the right or the left.
tacit_mask <- function(side = c("right", "left")) {
  side <- match.arg(side)
  hierarchy(yaml = list(mask = side), flag = paste0("mask:", side))
}

#' Ranges of numbers, each wider than the last.
tacit_intervals <- function(widths, origin = 0, decimal = NULL) {
  rule <- list(origin = origin, widths = as.list(widths))
  if (!is.null(decimal)) rule$decimal <- decimal
  flag <- paste0("interval:", number(origin), "/", paste(number(widths), collapse = ","))
  hierarchy(yaml = list(interval = rule), flag = paste(c(flag, decimal), collapse = "/"))
}

#' The levels of a classification that comes with tacit.
tacit_standard <- function(name) hierarchy(yaml = list(standard = name), flag = paste0("standard:", name))

#' A table: a row for each value, then what it becomes, level by level; or a list of groups.
tacit_levels <- function(table, ...) {
  if (is.list(table) && !is.data.frame(table)) {
    table <- data.frame(value = unlist(table, use.names = FALSE), group = rep(names(table), lengths(table)), all = "*")
  }
  if (is.atomic(table)) table <- data.frame(value = as.character(table), ...)
  cells <- lapply(table, function(x) {
    x <- enc2utf8(if (is.numeric(x)) number_text(x) else as.character(x))
    x[is.na(x)] <- ""
    paste0("\"", gsub("\"", "\"\"", x, fixed = TRUE), "\"")
  })
  hierarchy(table = do.call(paste, c(unname(cells), sep = ";")))
}

# As a flag; a table becomes a file in folder.
flag_of <- function(spec, folder) {
  if (is.null(spec$table)) return(spec$flag)
  path <- tempfile("hierarchy", folder, ".csv")
  write_utf8(paste(spec$table, collapse = "\n"), path)
  path
}

# Hierarchies in the keys of a policy as the policy writes them, and the files of tables.
placed_files <- function(keys) {
  files <- list()
  place <- function(x, name) {
    if (is_hierarchy(x)) {
      if (is.null(x$table)) return(x$yaml)
      file <- sprintf("%d-%s.csv", length(files) + 1L, gsub("[^A-Za-z0-9]+", "-", name))
      files[[file]] <<- paste(x$table, collapse = "\n")
      return(list(file = file))
    }
    if (is.data.frame(x)) return(place(tacit_levels(x), name))
    if (!is.list(x)) return(x)
    given <- names(x)
    for (i in seq_along(x)) {
      below <- if (is.null(given) || given[i] %in% c("", "hierarchy")) name else given[i]
      x[[i]] <- place(x[[i]], below)
    }
    x
  }
  keys <- place(keys, "policy")
  list(keys = keys, files = files)
}

# ---- YAML ----

yaml <- function(x, indent = 0) {
  pad <- strrep("  ", indent)
  lines <- character()
  for (i in seq_along(x)) {
    value <- x[[i]]
    if (is.null(value)) next
    key <- paste0(pad, scalar(names(x)[i]), ":")
    mapping <- is.list(value) && !is.null(names(value))
    nested <- mapping && (indent == 0 || indent < 2 && any(vapply(value, is.list, NA)))
    lines <- c(lines, if (nested) c(key, yaml(value, indent + 1)) else paste(key, flow(value)))
  }
  paste(lines, collapse = "\n")
}

# On one line.
flow <- function(x) {
  if (!is.list(x) && length(x) == 1 && is.null(names(x))) return(scalar(x))
  items <- vapply(as.list(x), flow, "")
  if (!is.null(names(x))) return(paste0("{", paste0(vapply(names(x), scalar, ""), ": ", items, collapse = ", "), "}"))
  paste0("[", paste(items, collapse = ", "), "]")
}

scalar <- function(x) {
  if (is.logical(x)) return(if (x) "true" else "false")
  if (is.numeric(x)) return(number_text(x))
  x <- enc2utf8(as.character(x))
  words <- c("true", "false", "yes", "no", "on", "off", "null", "y", "n")
  if (grepl("^[A-Za-z][A-Za-z0-9_-]*$", x) && !tolower(x) %in% words) return(x)
  x <- gsub("\\", "\\\\", x, fixed = TRUE)
  x <- gsub("\"", "\\\"", x, fixed = TRUE)
  x <- gsub("\r", "\\r", x, fixed = TRUE)
  x <- gsub("\n", "\\n", x, fixed = TRUE)
  x <- gsub("\t", "\\t", x, fixed = TRUE)
  paste0("\"", x, "\"")
}
