there_and_back <- function(data) {
  frame_of <- getFromNamespace("frame_of", "tacit")
  columns <- getFromNamespace("columns_of", "tacit")(data)
  wide <- getFromNamespace("wide_names", "tacit")(data)
  frame_of(.Call(getFromNamespace("C_frame_round_trip", "tacit"), columns, wide), data)
}

test_that("every type of column comes back as it was, missing values too", {
  data <- data.frame(
    whole = c(1L, NA, -.Machine$integer.max), number = c(1.5, NA, -1e300), truth = c(TRUE, NA, FALSE),
    text = c("a", NA, ""), category = factor(c("x", NA, "y"), levels = c("y", "x")),
    ordered = factor(c("low", "high", NA), levels = c("low", "high"), ordered = TRUE),
    date = as.Date(c("1850-03-01", NA, "2020-02-29")), span = as.difftime(c(1, NA, 3), units = "hours"),
    time = as.POSIXct(c("1890-01-01 10:00:00", NA, "2020-07-01 10:20:30"), tz = "Europe/Berlin"),
    fine = as.POSIXct(c(0.25, NA, -0.5), origin = "1970-01-01", tz = "UTC"),
    stringsAsFactors = FALSE)
  names(data)[1] <- "gr\u00f6\u00dfe"
  expect_identical(there_and_back(data), data)
  expect_identical(there_and_back(data[0, ]), droplevels(data[0, ]))
})

test_that("NA and the empty text are two things", {
  back <- there_and_back(data.frame(x = c("", NA, "NA"), stringsAsFactors = FALSE))
  expect_identical(is.na(back$x), c(FALSE, TRUE, FALSE))
  expect_identical(back$x[c(1, 3)], c("", "NA"))
})

test_that("many rows, bits of missing values included, come back", {
  rows <- 10007
  i <- seq_len(rows)
  data <- data.frame(a = ifelse(i %% 7 == 0, NA, i / 3), b = ifelse(i %% 11 == 0, NA, i %% 2 == 0),
                     c = factor(ifelse(i %% 13 == 0, NA, paste0("level", i %% 100))),
                     d = ifelse(i %% 17 == 0, NA, strrep("\u00e4", i %% 5)), stringsAsFactors = FALSE)
  back <- there_and_back(data)
  expect_identical(back$a, data$a)
  expect_identical(back$b, data$b)
  expect_identical(as.character(back$c), as.character(data$c))
  expect_identical(back$d, data$d)
})

test_that("texts in other encodings come back as what they say", {
  latin <- "Z\xfcrich"
  Encoding(latin) <- "latin1"
  back <- there_and_back(data.frame(x = c(latin, "a"), stringsAsFactors = FALSE))
  expect_identical(back$x, c("Z\u00fcrich", "a"))
})

test_that("vectors that R has not written out yet come back", {
  data <- data.frame(a = 1:1000, b = as.character(1:1000), c = seq(2, 2000, 2), stringsAsFactors = FALSE)
  expect_identical(there_and_back(data), data)
})

test_that("levels that nobody has do not come back, and neither does an NA level", {
  x <- addNA(factor(c("a", NA), levels = c("a", "b")))
  back <- there_and_back(data.frame(x = x))
  expect_identical(levels(back$x), "a")
  expect_identical(is.na(back$x), c(FALSE, TRUE))
})

test_that("POSIXlt is a time", {
  data <- data.frame(row = 1:2)
  data$t <- as.POSIXlt(c("2020-01-01 01:02:03", NA), tz = "UTC")
  expect_identical(there_and_back(data)$t, as.POSIXct(data$t))
})

test_that("integer64 keeps every digit", {
  skip_if_not_installed("bit64")
  data <- data.frame(row = 1:3)
  data$x <- bit64::as.integer64(c("9007199254740993", NA, "-9223372036854775807"))
  expect_identical(as.character(there_and_back(data)$x), c("9007199254740993", NA, "-9223372036854775807"))
})

test_that("labels come back with codes, letters of missing values too", {
  skip_if_not_installed("haven")
  data <- data.frame(row = 1:4)
  data$sex <- haven::labelled(c(1, 2, haven::tagged_na("a"), NA), c(male = 1, female = 2, refused = haven::tagged_na("a")),
                              label = "Sex")
  data$area <- haven::labelled(c("N", "S", NA, "N"), c(North = "N", South = "S"), label = "Area")
  data$spss <- haven::labelled_spss(c(1, 99, 2, NA), c(yes = 1), na_values = 99)
  back <- there_and_back(data)
  expect_identical(back, data)
  expect_identical(haven::na_tag(back$sex), c(NA, NA, "a", NA))
})

test_that("what was said of values that are gone, and what nobody knows, does not come back", {
  skip_if_not_installed("haven")
  data <- data.frame(row = 1:4)
  data$sex <- haven::labelled(c(1, 1, haven::tagged_na("a"), NA),
                              c(male = 1, female = 2, refused = haven::tagged_na("a"), unknown = haven::tagged_na("b")))
  data$area <- haven::labelled(c("N", "N", NA, "N"), c(North = "N", South = "S"))
  data$whole <- haven::labelled(c(1L, 2L, 1L, 2L), c("Ann Poe" = 7L, one = 1L))
  data$none <- haven::labelled(c(1, 2, 1, 2), c("Ann Poe" = 7))
  data$town <- factor(c("a", "b", "a", "b"), levels = c("a", "b", "Hamlet"))
  data$paid <- structure(c(1.5, 2, 3, 4), label = "Paid", before = c(1.25, 2, 3, 4))
  data$text <- structure(c("x", "y", "x", "y"), label = "Text", before = "z", format.stata = "%40s")
  back <- there_and_back(data)
  expect_named(attr(back$sex, "labels"), c("male", "refused"))
  expect_identical(attr(back$area, "labels"), c(North = "N"))
  expect_identical(attr(back$whole, "labels"), c(one = 1L))
  expect_null(attr(back$none, "labels"))
  expect_s3_class(back$none, "haven_labelled")
  expect_identical(levels(back$town), c("a", "b"))
  expect_identical(attributes(back$paid), list(label = "Paid"))
  expect_identical(attributes(back$text), list(label = "Text"))
})

test_that("tibbles and data.tables come back as such", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  tibble <- tibble::tibble(a = 1:3, b = letters[1:3])
  expect_identical(there_and_back(tibble), tibble)
  table <- data.table::data.table(a = 1:3, b = letters[1:3])
  back <- there_and_back(table)
  expect_s3_class(back, "data.table")
  data.table::set(back, j = "c", value = back$a * 2L)
  expect_identical(back$c, c(2L, 4L, 6L))
})

test_that("columns that are no values, and texts that are none, are refused by name", {
  data <- data.frame(row = 1:2)
  data$things <- list(1, "a")
  expect_error(there_and_back(data), "column \"things\" is of class list", class = "tacit_invalid")
  data <- data.frame(z = complex(2))
  expect_error(there_and_back(data), "complex", class = "tacit_error")
  data <- data.frame(row = 1:2)
  data$m <- matrix(1:4, 2)
  expect_error(there_and_back(data), "\"m\"", class = "tacit_error")
  bad <- "\xff\xfe"
  Encoding(bad) <- "UTF-8"
  error <- expect_error(there_and_back(data.frame(x = c("a", bad), stringsAsFactors = FALSE)), class = "tacit_parse")
  expect_match(conditionMessage(error), "row 2")
  expect_error(there_and_back(1:3), "data frame", class = "tacit_invalid")
  expect_error(there_and_back(data.frame()), "without columns", class = "tacit_invalid")
  twice <- data.frame(a = c(1, 1), a = 2, check.names = FALSE)
  expect_error(tacit_risk(twice), "both named", class = "tacit_error")
})

test_that("reports are read as JSON says", {
  parse <- function(text) .Call(getFromNamespace("C_parse_json", "tacit"), text)
  expect_identical(parse("{\"a\":[1,2.5,-3e2],\"b\":{\"c\":[true,false]},\"d\":null,\"\":\"x\"}"),
                   setNames(list(c(1, 2.5, -300), list(c = c(TRUE, FALSE)), NULL, "x"), c("a", "b", "d", "")))
  expect_identical(parse("\"\\u00fc \\ud83d\\ude00 \\\\ \\\" \\n\""), "\u00fc \U1F600 \\ \" \n")
  for (bad in c("", "{", "[1,", "[1}", "\"a", "{\"a\"}", "tru", "1 2", "\"\\ud83d\"", strrep("[", 1000))) expect_error(parse(bad))
  lines <- rawToChar(.Call(getFromNamespace("C_json_lines", "tacit"), c("a\"b\\", "\u00fc\n\u0001"), NULL))
  Encoding(lines) <- "UTF-8"
  expect_identical(lines, "{\"text\":\"a\\\"b\\\\\"}\n{\"text\":\"\u00fc\\u000a\\u0001\"}\n")
})
