# frame.R - data frames as columns for the C side (src/frame_export.c), and what comes back as data
# frames of the same class. Each column has a kind, by which it travels; what R says of it besides
# (labels, levels, units, zones) stays here and is put back if the column still has values of that
# kind. A column in which values were generalized or suppressed comes back as text, without labels
# of values. No level and no label comes back whose value is gone, and no attribute that is not known:
# they would tell what was left out.

KEPT <- c("class", "tzone", "units", "label", "na_values", "na_range")
SHOWN <- c("format.stata", "format.spss", "format.sas", "display_width") # of texts: how long they were

columns_of <- function(data, what = "data") {
  if (!is.data.frame(data)) {
    stop_tacit("invalid", sprintf("%s: expected a data frame or the name of a file", what))
  }
  if (length(data) == 0) stop_tacit("invalid", sprintf("%s: a data frame without columns", what))
  Map(column_of, enc2utf8(names(data)), as.list(data), USE.NAMES = FALSE)
}

column_of <- function(name, x) {
  if (inherits(x, "POSIXlt")) x <- as.POSIXct(x)
  if (is.factor(x)) {
    if (anyNA(levels(x))) x <- factor(x, exclude = NA)
    return(list(name = name, kind = "factor", x = x, levels = utf8(name, levels(x)),
                ordered = if (is.ordered(x)) TRUE))
  }
  tags <- tags_of(x)
  if (!is.null(tags)) x <- ifelse(is.na(tags), number_text(x), paste0(".", tags))
  kind <- kind_of(name, x)
  list(name = name, kind = kind, x = if (kind == "text") utf8(name, x) else x,
       zone = if (kind == "timestamp") zone_of(x))
}

kind_of <- function(name, x) {
  if (is.null(dim(x)) && is.atomic(x)) {
    if (is.character(x)) return("text")
    if (is.logical(x)) return("logical")
    if (inherits(x, "integer64")) return("integer64")
    if (inherits(x, "Date")) return("date")
    if (inherits(x, "POSIXct")) return("timestamp")
    if (inherits(x, "hms")) return("time")
    if (is.integer(x)) return("integer")
    if (is.double(x)) return("double")
  }
  stop_tacit("invalid", sprintf(paste(
    "column \"%s\" is of class %s; tacit takes numbers, texts, factors, truth values, dates and times:",
    "convert it or leave it out"), name, class(x)[1]))
}

# C takes the bytes as they are.
utf8 <- function(name, x) {
  out <- enc2utf8(x)
  bad <- which(!validUTF8(out))
  if (length(bad)) {
    stop_tacit("parse", sprintf("column \"%s\": the text of row %d is not in the encoding that R takes it for",
                                name, bad[1]))
  }
  out
}

zone_of <- function(x) {
  zone <- attr(x, "tzone")[1]
  if (is.null(zone) || is.na(zone) || zone == "") zone <- Sys.timezone()
  if (is.null(zone) || is.na(zone)) "UTC" else zone
}

# The letters of Stata's and SAS's missing values .a to .z; NULL where there are none.
tags_of <- function(x) {
  if (!is.double(x) || is.object(x) && !inherits(x, "haven_labelled") || !anyNA(x) ||
      !requireNamespace("haven", quietly = TRUE)) return(NULL)
  tags <- haven::na_tag(x)
  if (all(is.na(tags))) NULL else tags
}

# As few digits as read back the same.
number_text <- function(x) {
  x <- as.vector(unclass(x))
  out <- vapply(x, format, "", digits = 15, trim = TRUE, scientific = FALSE)
  exact <- is.na(x) | suppressWarnings(as.numeric(out)) == x
  out[!exact] <- sprintf("%.17g", x[!exact])
  out[is.na(x)] <- NA_character_
  out
}

# ---- back ----

wide_names <- function(data) names(data)[vapply(data, inherits, NA, "integer64")]

frame_of <- function(columns, like = NULL) {
  rows <- attr(columns, "rows")
  out <- lapply(names(columns), function(name) restored(columns[[name]], like[[name]]))
  names(out) <- names(columns)
  attr(out, "row.names") <- .set_row_names(rows)
  as_frame(out, class(like))
}

as_frame <- function(columns, class) {
  if ("data.table" %in% class && requireNamespace("data.table", quietly = TRUE)) {
    class(columns) <- "data.frame"
    return(data.table::as.data.table(columns))
  }
  class(columns) <- if ("tbl_df" %in% class) c("tbl_df", "tbl", "data.frame") else "data.frame"
  columns
}

# A column as what it was.
restored <- function(x, was) {
  format <- attr(x, "format")
  words <- attr(x, "words")
  attr(x, "format") <- attr(x, "words") <- NULL
  if (!is.null(words)) {
    if (is.factor(was)) return(renumbered(x, words, was))
    x <- words[x]
  }
  if (is.null(was)) return(by_format(x, format))
  if (inherits(was, "POSIXlt")) was <- as.POSIXct(was)
  if (is.factor(was)) return(refactored(x, was))
  if (is.character(x)) return(retexted(x, was))
  if (kind_fits(format, was)) {
    if (is.integer(was) && is.double(x) && !inherits(was, "integer64")) x <- as.integer(x)
    return(described(x, was, c(KEPT, SHOWN)))
  }
  x <- by_format(x, format)
  keep_label(x, was)
}

# What R said of a column, and the labels of values that are still there.
described <- function(x, was, kept = KEPT) {
  labels <- attr(was, "labels", exact = TRUE)
  if (length(labels)) {
    used <- if (anyNA(labels) && is.double(labels)) {
      ifelse(is.na(labels), haven::na_tag(labels) %in% setdiff(haven::na_tag(x), NA), labels %in% x)
    } else labels %in% x
    labels <- if (any(used)) labels[used]
  }
  about <- attributes(was)
  attributes(x) <- about[names(about) %in% kept]
  attr(x, "labels") <- labels
  x
}

kind_fits <- function(format, was) {
  time <- substr(format, 1, 2)
  if (inherits(was, "Date")) return(time == "td")
  if (inherits(was, "POSIXct")) return(time == "ts")
  if (inherits(was, "hms")) return(time == "tt")
  if (is.logical(was)) return(format == "b")
  typeof(was) %in% c("double", "integer") && grepl("^[cCsSiIlLfgd]", format)
}

by_format <- function(x, format) {
  switch(substr(format, 1, 2),
         td = structure(x, class = "Date"),
         ts = structure(x, class = c("POSIXct", "POSIXt"),
                        tzone = sub("^....", "", format)),
         tt = structure(x, class = "difftime", units = "secs"),
         x)
}

keep_label <- function(x, was) {
  attr(x, "label") <- attr(was, "label", exact = TRUE)
  x
}

refactored <- function(x, was) {
  x <- as.character(x)
  words <- unique(x[!is.na(x)])
  renumbered(match(x, words), words, was)
}

# Levels that occur, those that were there first, and no others. Two words may be the same.
renumbered <- function(x, words, was) {
  used <- unique(words[tabulate(x, length(words)) > 0])
  new <- sort(setdiff(used, levels(was)), method = "radix")
  levels <- c(levels(was)[levels(was) %in% used], new)
  out <- structure(match(words, levels)[x], levels = levels,
                   class = c(if (is.ordered(was) && length(new) == 0) "ordered", "factor"))
  keep_label(out, was)
}

retexted <- function(x, was) {
  if (is.character(was)) {
    return(if (all(x %in% was)) described(x, was) else keep_label(x, was))
  }
  if (!typeof(was) %in% c("double", "integer") || inherits(was, c("Date", "POSIXct", "hms"))) return(keep_label(x, was))
  # Numbers that are no values of the type (means of whole numbers), or stand beside .a to .z.
  numbers <- suppressWarnings(as.numeric(x))
  tags <- if (is.null(tags_of(was))) rep(FALSE, length(x)) else grepl("^\\.[a-z]$", x)
  if (!all(is.na(x) | !is.na(numbers) | tags)) return(keep_label(x, was))
  if (any(tags)) numbers[tags] <- haven::tagged_na(sub(".", "", x[tags], fixed = TRUE))
  if (inherits(was, "integer64")) numbers else described(numbers, was, c(KEPT, SHOWN))
}
