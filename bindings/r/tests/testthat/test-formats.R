# Round trips of labelled surveys against haven, and of SPSS against foreign, which shares no code with ours.

survey_file <- function(ending) {
  d <- data.frame(
    group = rep("a", 4),
    whole = c(1L, -2147483647L, NA, 2147483620L),
    real = c(0.30000000000000004, -1e70, NA, 123456.78901234567),
    day = as.Date(c("1899-12-31", "1600-01-01", NA, "2024-02-29")),
    moment = as.POSIXct(c("1899-12-31 23:59:59", "2020-02-29 12:00:00", NA, "1970-01-01 00:00:00"), tz = "UTC"),
    name = c("Zo\u00eb \u20ac", "", "", "\u65e5\u672c\u8a9e \U0001f600"))
  d$sex <- haven::labelled(c(1, 2, NA, 1), c("m\u00e4nnlich" = 1, weiblich = 2), label = "Geschlecht")
  attr(d$real, "label") <- "A number"
  if (ending %in% c("sav", "zsav"))
    d$asked <- haven::labelled_spss(c(1, 99, NA, -5), c(refused = 99), na_values = 99)
  if (ending == "dta")
    d$asked <- haven::labelled(c(1, haven::tagged_na("a"), NA, -5), c(refused = haven::tagged_na("a")))
  path <- tempfile(fileext = paste0(".", ending))
  switch(ending, dta = haven::write_dta(d, path), xpt = haven::write_xpt(d, path, version = 5, name = "SURVEY"),
         sav = haven::write_sav(d, path), zsav = haven::write_sav(d, path, compress = "zsav"))
  path
}

read_survey <- function(path) {
  read <- switch(sub(".*\\.", "", path), dta = haven::read_dta, xpt = haven::read_xpt,
                 function(path) haven::read_sav(path, user_na = TRUE))
  as.data.frame(read(path))
}

# A release that leaves every cell and their order.
pass <- function(from, to) {
  columns <- setdiff(names(read_survey(from)), "group")
  quietly(tacit_anonymize(from, tacit_policy(k = 2, person = "none", quasi = "group", insensitive = columns, keep_order = TRUE),
                          output = to))
}

test_that("what haven has written is what it was after a release in the same format", {
  skip_if_not_installed("haven")
  for (ending in c("dta", "sav", "zsav", "xpt")) {
    from <- survey_file(ending)
    to <- tempfile(fileext = paste0(".", ending))
    pass(from, to)
    before <- read_survey(from)
    after <- read_survey(to)
    for (column in names(before))
      expect_identical(haven::zap_widths(after[[column]]), haven::zap_widths(before[[column]]), info = paste(ending, column))
    expect_identical(names(after), names(before))
  }
})

test_that("letters of missing values stay where a format has them, and are text where it has none", {
  skip_if_not_installed("haven")
  from <- survey_file("dta")
  to <- tempfile(fileext = c(".xpt", ".sav"))
  for (path in to) pass(from, path)
  expect_identical(haven::na_tag(haven::read_xpt(to[1])$asked), c(NA, "a", NA, NA))
  expect_identical(as.numeric(haven::read_xpt(to[1])$asked), c(1, NA, NA, -5))
  expect_identical(as.character(haven::read_sav(to[2])$asked), c("1", ".a", "", "-5"))
})

test_that("a survey keeps values, dates and labels in other programs' formats", {
  skip_if_not_installed("haven")
  from <- survey_file("sav")
  before <- read_survey(from)
  to <- tempfile(fileext = ".dta")
  pass(from, to)
  after <- read_survey(to)
  for (column in c("whole", "real", "day", "moment", "name"))
    expect_equal(haven::zap_formats(after[[column]]), haven::zap_formats(before[[column]]), info = column, tolerance = 0)
  expect_identical(attr(after$sex, "labels"), attr(before$sex, "labels"))
  expect_identical(attr(after$sex, "label"), "Geschlecht")
})

test_that("SPSS files say the same to a reader that shares no code", {
  skip_if_not_installed("haven")
  skip_if_not_installed("foreign")
  from <- survey_file("dta")
  to <- tempfile(fileext = ".sav")
  pass(from, to)
  before <- read_survey(from)
  after <- suppressWarnings(foreign::read.spss(to, to.data.frame = TRUE, use.value.labels = FALSE))
  seconds <- function(x) as.numeric(x) * (if (inherits(x, "Date")) 86400 else 1) + 141428 * 86400
  expect_equal(as.numeric(after$whole), as.numeric(before$whole))
  expect_identical(as.numeric(after$real), as.numeric(before$real))
  expect_identical(as.numeric(after$day), seconds(before$day))
  expect_identical(as.numeric(after$moment), seconds(before$moment))
  expect_identical(trimws(as.character(after$name)), as.character(before$name))
  labelled <- suppressWarnings(foreign::read.spss(to, to.data.frame = TRUE))
  expect_identical(as.character(labelled$sex), c("m\u00e4nnlich", "weiblich", NA, "m\u00e4nnlich"))
  expect_identical(attr(after, "variable.labels")[["sex"]], "Geschlecht")
})
