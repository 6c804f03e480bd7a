# text.R - texts without what is personal in them. Each text is a document, which travels as a line of
# JSON, so that any text comes back exactly but for what was replaced.

#' Removes what is personal from texts.
tacit_scrub <- function(x, columns = NULL, whom = NULL, ..., seed = NULL, threads = NULL, progress = interactive()) {
  if (is.data.frame(x)) {
    if (is.null(columns)) stop_tacit("invalid", "columns: which columns of the data hold text")
    for (name in columns) {
      if (is.null(x[[name]])) stop_tacit("invalid", sprintf("there is no column \"%s\" in the data", name))
    }
    texts <- unlist(lapply(columns, function(name) as.character(x[[name]])))
    if (length(whom) == 1 && !is.null(x[[whom]])) whom <- x[[whom]]
    if (!is.null(whom)) whom <- rep(whom, length(columns))
    done <- scrubbed(texts, whom, ..., seed = seed, threads = threads, progress = progress)
    parts <- split(done$texts, rep(seq_along(columns), each = nrow(x)))
    for (i in seq_along(columns)) x[[columns[i]]] <- parts[[i]]
    return(result("tacit_scrubbed", done, data = x))
  }
  if (!is.character(x)) stop_tacit("invalid", "x: expected texts, or a data frame with columns of text")
  done <- scrubbed(x, whom, ..., seed = seed, threads = threads, progress = progress)
  names(done$texts) <- names(x)
  result("tacit_scrubbed", done, data = done$texts)
}

# Dates of texts about the same person move by the same number of days.
scrubbed <- function(x, whom, ..., seed, threads, progress) {
  if (!is.null(whom) && (length(whom) != length(x) || anyNA(whom))) {
    stop_tacit("invalid", "whom: whom each text is about, as many as there are texts, none of them missing")
  }
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  path <- file.path(folder, "texts.jsonl")
  there <- !is.na(x)
  people <- if (!is.null(whom)) utf8("whom", as.character(whom)[there])
  settings <- list(jsonl = "text", shift_by = if (!is.null(whom)) "whom", ..., seed = seed)
  done <- worked("scrub", .Call(C_json_lines, utf8("x", x[there]), people), settings = settings,
                 output = path, threads = threads, progress = progress, folder = folder)
  lines <- strsplit(whole_text(path), "\n", fixed = TRUE)[[1]]
  x[there] <- vapply(lines, function(line) .Call(C_parse_json, line)$text, "", USE.NAMES = FALSE)
  done$texts <- x
  done
}
