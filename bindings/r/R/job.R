# job.R - a job of the library from R: settings, inputs, the run, its messages and its result; and
# the conditions that say why there is none.

#' The settings of a kind of job.
tacit_settings <- function(kind) {
  types <- c("switch", "text", "file", "folder", "number", "seconds", "real", "character")
  found <- .Call(C_settings_of, kind)
  if (is.null(found)) stop_tacit("invalid", sprintf("there is no kind of job \"%s\"", kind))
  data.frame(name = found$name, type = types[found$type + 1], help = found$help)
}

tacit_version <- function() .Call(C_version)

# ---- conditions ----

stop_tacit <- function(status, message, ..., call = NULL) {
  class <- switch(status, infeasible = "tacit_refused", paste0("tacit_", status))
  stop(structure(class = c(class, "tacit_error", "error", "condition"),
                 list(message = message, call = call, status = status, ...)))
}

# What the command calls --max-row is max_row here, and data has no name.
in_r <- function(text) {
  text <- gsub("/dev/fd/[0-9]+", "data", text)
  flags <- gregexpr("(?<![\\w-])--[a-z]+(-[a-z]+)*", text, perl = TRUE)
  regmatches(text, flags) <- lapply(regmatches(text, flags), function(flag) gsub("-", "_", sub("^--", "", flag)))
  text
}

# What the library says went wrong. The first finding is in the message, further ones were warnings.
stop_failure <- function(failure, messages = character()) {
  if (failure$status == "cancelled") { # by the time, since an interrupt does not come here
    failure$status <- "limit"
    failure$message <- "the time was over before there was a result; allow more of it"
  }
  message <- in_r(failure$message)
  judged <- "^the judge finds: "
  findings <- c(sub(".*nothing is written: ", "", message), sub(judged, "", grep(judged, messages, value = TRUE)))
  stop_tacit(failure$status, message, findings = unname(findings), messages = unname(messages), file = failure$file,
             line = failure$line, column = failure$column)
}

check <- function(failure) if (!is.null(failure)) stop_failure(failure)

# As if R itself had been interrupted: tryCatch(interrupt = ) sees it, else the call ends.
interrupted <- function() {
  signalCondition(structure(class = c("interrupt", "condition"), list(message = "", call = NULL)))
  invokeRestart("abort")
}

say <- function(messages) {
  for (i in seq_along(messages)) {
    if (names(messages)[i] == "warning") {
      warning(structure(class = c("tacit_warning", "warning", "condition"),
                        list(message = messages[[i]], call = NULL)))
    } else {
      message(messages[[i]])
    }
  }
}

# ---- progress ----

# A function of phase, part and total; an error in it is kept and ends the job.
shower <- function(progress, kept) {
  if (is.null(progress) || isFALSE(progress)) return(NULL)
  show <- if (is.function(progress)) progress else progress_line(kept)
  function(phase, part, total) {
    tryCatch({
      show(phase, part, total)
      TRUE
    }, error = function(e) {
      kept$error <- e
      FALSE
    })
  }
}

progress_line <- function(kept) {
  kept$width <- 0
  function(phase, part, total) {
    line <- if (total > 0) sprintf("%s %d %%", phase, floor(100 * part / total)) else phase
    cat("\r", formatC(line, width = -kept$width), sep = "", file = stderr())
    kept$width <- max(kept$width, nchar(line))
  }
}

wipe <- function(kept) {
  if (!is.null(kept$width) && kept$width > 0) cat("\r", strrep(" ", kept$width), "\r", sep = "", file = stderr())
}

# ---- settings ----

LISTS <- c("quasi", "identifier", "sensitive", "insensitive", "table", "explore-k", "explore-loss",
           "known-columns", "policies")

number <- function(x) if (is.numeric(x)) number_text(x) else as.character(x)

# A name as settings take it: in quotes where it has what separates names.
quoted <- function(name) {
  special <- grepl("[,;=:\"]|^\\s|\\s$", name)
  ifelse(special, paste0("\"", gsub("\"", "\"\"", name, fixed = TRUE), "\""), name)
}

# The values of one setting: each a text, or a data frame.
values_of <- function(name, value, folder) {
  if (is.null(value) || isFALSE(value)) return(list())
  if (is.data.frame(value)) return(list(value))
  if (is_hierarchy(value)) value <- list(value)
  if (is.logical(value) && isTRUE(value)) return(list(""))
  if (name %in% LISTS) return(list(paste(if (is.character(value)) quoted(value) else number(value), collapse = ",")))
  texts <- lapply(value, function(v) {
    if (is.data.frame(v)) v else if (is_hierarchy(v)) flag_of(v, folder) else paste(number(v), collapse = ",")
  })
  if (!is.null(names(value))) {
    named <- names(value) != ""
    texts[named] <- Map(function(n, v) if (v == "") n else paste0(n, "=", v), quoted(names(value)[named]), texts[named])
  }
  texts
}

#' Runs a job of any kind: what the other functions are made of.
tacit_job <- function(kind, data = NULL, policy = NULL, ..., output = NULL, threads = NULL,
                      progress = interactive()) {
  worked(kind, data, policy, list(...), output = output, threads = threads, progress = progress)
}

# list(report, text, discloses, columns, messages). In folder are files that the user has not named,
# so that reports do not, either; says chooses among "note" and "warning" what the user is told.
worked <- function(kind, data, policy = NULL, settings = list(), output = NULL, threads = NULL, progress = FALSE,
                   folder = NULL, says = c("note", "warning")) {
  if (length(settings) && (is.null(names(settings)) || any(names(settings) == ""))) {
    stop_tacit("invalid", "settings are given by name, such as k = 5")
  }
  names(settings) <- gsub("[_.]", "-", names(settings))
  if (is.null(folder)) {
    folder <- private_folder()
    on.exit(unlink(folder, recursive = TRUE), add = TRUE)
  }
  job <- .Call(C_job_new, kind)
  if (is.list(job)) stop_failure(job)
  on.exit(.Call(C_job_free, job), add = TRUE)
  give_data(job, data)
  give_policy(job, as_policy(policy), folder)
  for (name in names(settings)) {
    for (value in values_of(name, settings[[name]], folder)) give(job, name, value)
  }
  # Some figures are counted only where a report is written.
  report <- settings$report
  reports <- "report" %in% tacit_settings(kind)$name
  if (is.null(report)) report <- file.path(folder, "report.json")
  if (reports && is.null(settings$report)) give(job, "report", report)
  wanted <- is.null(output) && is.data.frame(data) && kind %in% c("anonymize", "protect")
  if (!wanted && is.null(output) && kind %in% c("anonymize", "protect", "scrub")) {
    stop_tacit("invalid", "output: where the result goes, such as \"release.csv\"")
  }
  if (wanted) check(.Call(C_job_output, job, "output"))
  if (!is.null(output)) give(job, "output", path.expand(output))
  ended <- run(job, threads, progress)
  # A search that reached its bound has said what it has found.
  limited <- identical(ended$failure$status, "limit") && file.exists(report)
  if (!is.null(ended$failure) && !limited) stop_failure(ended$failure, in_r(ended$messages))
  if (limited) ended$messages <- c(ended$messages, warning = ended$failure$message)
  messages <- in_r(ended$messages[names(ended$messages) %in% says])
  say(messages)
  result <- .Call(C_job_result, job)
  if (limited) result$json <- whole_text(report)
  columns <- if (wanted) .Call(C_job_columns, job, wide_names(data))
  list(report = if (!is.null(result$json)) tidy(.Call(C_parse_json, result$json)),
       text = if (!is.null(result$text)) in_r(gsub(paste0(folder, "/"), "", result$text, fixed = TRUE)),
       discloses = result$discloses, columns = columns, messages = unname(messages))
}

run <- function(job, threads, progress) {
  kept <- new.env()
  threads <- if (is.null(threads)) 0L else as.integer(threads)
  ended <- .Call(C_job_run, job, threads, shower(progress, kept))
  wipe(kept)
  if (!is.null(kept$error)) stop(kept$error)
  if (ended$stopped) interrupted()
  ended
}

give <- function(job, name, value) {
  if (is.data.frame(value)) return(check(.Call(C_job_frame, job, name, columns_of(value, name))))
  check(.Call(C_job_set, job, name, enc2utf8(value)))
}

give_data <- function(job, data) {
  if (is.null(data)) return()
  if (is.data.frame(data)) return(check(.Call(C_job_frame, job, NULL, columns_of(data))))
  if (is.raw(data)) return(check(.Call(C_job_input_bytes, job, data)))
  if (is.list(data)) return(for (part in data) give_data(job, part))
  if (!is.character(data)) stop_tacit("invalid", "data: expected a data frame or the name of a file")
  for (path in data) check(.Call(C_job_input_file, job, path.expand(path)))
}

private_folder <- function() {
  folder <- tempfile("tacit")
  dir.create(folder, mode = "0700")
  folder
}

# ---- reports ----

# Arrays of objects that have the same flat values are tables.
tidy <- function(x) {
  if (!is.list(x)) return(x)
  x <- lapply(x, tidy)
  if (!is.null(names(x)) || length(x) == 0 || !all(vapply(x, is_flat, NA))) return(x)
  columns <- unique(unlist(lapply(x, names)))
  values <- lapply(columns, function(name) {
    cells <- lapply(x, function(row) if (is.null(row[[name]])) NA else row[[name]])
    if (all(lengths(cells) == 1)) return(unlist(cells))
    vapply(cells, paste, "", collapse = "+")
  })
  as.data.frame(setNames(values, columns), check.names = FALSE, stringsAsFactors = FALSE)
}

is_flat <- function(row) {
  if (!is.list(row) || is.null(names(row))) return(FALSE)
  all(vapply(row, function(value) is.null(value) || is.character(value) || is.atomic(value) && length(value) == 1, NA))
}
