# records.R - records: releases, audits, risk, profiles, comparisons.

result <- function(class, done, ...) {
  structure(class = c(class, "tacit_result"),
            list(..., report = done$report, text = done$text, messages = done$messages))
}

#' A release of records, judged before it is there.
tacit_anonymize <- function(data, policy = NULL, ..., output = NULL, seed = NULL, threads = NULL,
                            progress = interactive()) {
  if (inherits(data, "tacit_pipeline")) {
    return(anonymize_pipeline(data, ..., output = output, seed = seed, threads = threads, progress = progress))
  }
  policy <- as_policy(policy)
  done <- worked("anonymize", data, policy, list(..., seed = seed), output, threads, progress)
  released <- if (!is.null(done$columns)) frame_of(done$columns, data)
  result("tacit_release", done, data = released, output = output, policy = policy,
         like = if (is.data.frame(data)) prototype(data))
}

#' Writes a release to a file, in the format that its name ends in, as the command would have written it.
tacit_save <- function(release, path) {
  data <- if (is.data.frame(release)) release else release$data
  check(.Call(C_frame_save, columns_of(data), enc2utf8(path.expand(path))))
  invisible(path)
}

# What columns were, without their values.
prototype <- function(data) lapply(as.list(data), function(x) if (is.factor(x)) droplevels(x[0]) else x[0])

as.data.frame.tacit_release <- function(x, ..., suppressed = "*") {
  if (!is.na(suppressed)) return(as.data.frame(x$data))
  out <- Map(unsuppressed, as.list(x$data), x$like[names(x$data)])
  attr(out, "row.names") <- .set_row_names(nrow(x$data))
  as_frame(out, class(x$data))
}

# NA where a cell is suppressed; numbers, labels and dates again where nothing else was done.
unsuppressed <- function(x, was) {
  if (!is.character(x) && !is.factor(x)) return(x)
  x[!is.na(x) & x == "*"] <- NA
  if (is.factor(x)) return(droplevels(x))
  if (inherits(was, "Date") && all(is.na(x) | grepl("^[0-9]{4}-[0-9]{2}-[0-9]{2}$", x))) {
    return(structure(as.numeric(as.Date(x)), class = "Date", label = attr(was, "label", exact = TRUE)))
  }
  if (is.null(was)) x else retexted(x, was)
}

#' What an adversary can find out from a release.
tacit_audit <- function(release, policy = NULL, ..., threads = NULL, progress = interactive()) {
  if (inherits(release, "tacit_table")) return(audit_table(release, ..., threads = threads, progress = progress))
  if (inherits(release, "tacit_release")) {
    if (is.null(policy)) policy <- release$policy
    release <- if (is.null(release$data)) release$output else release$data
  }
  done <- worked("audit", release, policy, list(...), threads = threads, progress = progress)
  result("tacit_audit", done, discloses = done$discloses, findings = done$report$judge$findings)
}

#' Who can be re-identified, through which columns.
tacit_risk <- function(data, quasi = NULL, policy = NULL, ..., sets = TRUE, records = TRUE, threads = NULL,
                       progress = interactive()) {
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  path <- function(name, wanted) if (wanted) file.path(folder, name)
  files <- list(sets = path("sets.csv", sets), records = path("records.csv", records))
  done <- worked("risk", data, policy, c(list(quasi = quasi, ...), files), threads = threads, progress = progress,
                 folder = folder)
  result("tacit_risk", done, sets = read_rows(folder, "sets.csv"), records = read_rows(folder, "records.csv"),
         columns = done$report$columns, combinations = done$report$combinations)
}

read_rows <- function(folder, name) {
  path <- file.path(folder, name)
  if (file.exists(path)) read.csv(path, encoding = "UTF-8", check.names = FALSE)
}

#' Every column with its role, and a policy to start from.
tacit_profile <- function(data, ..., threads = NULL, progress = interactive()) {
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, "draft.yaml")
  done <- worked("profile", data, settings = list(..., policy_out = path), threads = threads, progress = progress,
                 folder = folder, says = "warning")
  files <- list.files(folder, "^draft[.].*[.]csv$")
  policy <- structure(class = "tacit_policy",
                      list(text = whole_text(path), path = NULL,
                           files = setNames(lapply(file.path(folder, files), whole_text), files)))
  result("tacit_profile", done, columns = done$report$columns, policy = policy)
}

whole_text <- function(path) {
  text <- readChar(path, file.size(path), useBytes = TRUE)
  Encoding(text) <- "UTF-8"
  text
}

#' What each of several policies would cost, and what risk would be left.
tacit_compare <- function(data, policies, ..., threads = NULL, progress = interactive()) {
  if (inherits(policies, "tacit_policy")) policies <- list(policies)
  if (is.null(names(policies))) names(policies) <- sprintf("policy%d", seq_along(policies))
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  paths <- vapply(seq_along(policies), function(i) {
    own <- file.path(folder, i)
    dir.create(own)
    policy <- as_policy(policies[[i]])
    written_policy(policy, file.path(own, paste0(gsub("[^A-Za-z0-9_-]+", "-", names(policies)[i]), ".yaml")))
  }, "")
  done <- worked("compare", data, settings = list(policies = paths, ...), threads = threads, progress = progress,
                 folder = folder)
  # A file is called by its own name in reports.
  called <- match(done$report$policies$policy, sub("[.][^.]*$", "", basename(paths)))
  done$report$policies$policy <- names(policies)[called]
  result("tacit_comparison", done, policies = done$report$policies)
}
