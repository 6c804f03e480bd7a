# Numbers below n that look drawn, and are the same everywhere.
drawn <- function(i, n, stream) floor((abs(sin(i * 12.9898 + stream * 78.233)) * 43758.5453) %% 1 * n)

people <- function(rows = 400) {
  i <- seq_len(rows)
  data.frame(
    patient = sprintf("P%04d", i),
    birth = as.Date("1885-02-03") + drawn(i, 12000, 1),
    sex = factor(c("female", "male")[1 + drawn(i, 2, 2)]),
    postcode = sprintf("%05d", 2100 + drawn(i, 60, 3)),
    diagnosis = c("asthma", "flu", "gout", "measles", "stroke")[1 + drawn(i, 5, 4)],
    visits = as.integer(drawn(i, 9, 5)),
    charges = drawn(i, 500, 6) + 0.5,
    stringsAsFactors = FALSE)
}

people_policy <- function(...) {
  tacit_policy(k = 4, loss = 0.05, identifier = "patient", quasi = list(birth = tacit_dates(), "sex", postcode = tacit_mask()),
               sensitive = "diagnosis", insensitive = c("visits", "charges"), ...)
}

quietly <- function(call) suppressWarnings(suppressMessages(call))

# A folder of the sources; the test is skipped where it is not there.
source_folder <- function(...) {
  root <- Sys.getenv("TACIT_SOURCE")
  path <- file.path(root, ...)
  if (root == "" || !file.exists(path)) skip(paste("the sources of tacit are not here:", file.path(...)))
  path
}

# Data that are not part of tacit.
shared_data <- function(...) {
  path <- file.path(Sys.getenv("TACIT_DATA", file.path(Sys.getenv("TACIT_SOURCE"), "..", "shared", "data")), ...)
  if (!file.exists(path)) skip(paste("the data is not here:", file.path(...)))
  path
}

# The command, to compare with.
command <- function(...) {
  program <- Sys.getenv("TACIT_COMMAND")
  if (program == "") skip("TACIT_COMMAND does not name the command")
  status <- system2(program, c(..., "-q"), stdout = FALSE, stderr = FALSE)
  expect_equal(status, 0)
}

bytes <- function(path) readBin(path, "raw", file.size(path))

# A release as the command writes it: quotes where they are needed, nothing for NA.
write_plain <- function(data, path) {
  columns <- lapply(data, function(x) {
    x <- if (is.numeric(x) && !is.object(x)) vapply(x, format, "", digits = 15, trim = TRUE) else as.character(x)
    x[is.na(x) | x == "NA"] <- ""
    x
  })
  lines <- do.call(paste, c(unname(columns), sep = ","))
  writeLines(c(paste(names(data), collapse = ","), lines), path, sep = "\n")
}

# So many minimal sample uniques that no processor finds them in a minute.
hard_data <- function() {
  i <- seq_len(20000)
  as.data.frame(lapply(setNames(1:40, sprintf("v%02d", 1:40)), function(c) as.integer(drawn(i, 6, c))))
}
