test_that("texts lose what is personal, and keep the rest exactly", {
  texts <- c(first = "Dear Mr. John Smith, please call 617-555-1234.\r\nYours, \"Ann\"", second = NA,
             third = "Hodgkin lymphoma \\ \t 20 mg \u00e4\u20ac", fourth = "")
  scrubbed <- quietly(tacit_scrub(texts, seed = 1))
  out <- scrubbed$data
  expect_identical(names(out), names(texts))
  expect_false(grepl("Smith|617-555", out[["first"]]))
  expect_match(out[["first"]], "please call .*\r\nYours, \"")
  expect_identical(out[2:4], texts[2:4])
  expect_identical(quietly(tacit_scrub(texts, seed = 1, threads = 1))$data, out)
})

test_that("columns of text are scrubbed in place", {
  data <- data.frame(id = 1:2, note = c("Seen by Dr. Mary Jones on 3/4/2020.", NA), stringsAsFactors = FALSE)
  out <- quietly(tacit_scrub(data, "note"))$data
  expect_identical(out$id, data$id)
  expect_false(grepl("Jones", out$note[1]))
  expect_true(is.na(out$note[2]))
  expect_error(tacit_scrub(data), "columns", class = "tacit_invalid")
  expect_error(tacit_scrub(data, "nothing"), "nothing", class = "tacit_invalid")
  expect_error(tacit_scrub(1:3), "texts", class = "tacit_invalid")
})

test_that("dates of one person move together", {
  notes <- sprintf("Seen by Dr. Mary Jones on %s.", c("3/4/2020", "3/14/2020", "3/4/2020"))
  out <- quietly(tacit_scrub(notes, whom = c("p1", "p1", "p2"), seed = 4))$data
  days <- as.Date(sub(".* on ([0-9/]+)[.]$", "\\1", out), "%m/%d/%Y")
  expect_equal(as.numeric(days[2] - days[1]), 10)
  expect_false(days[1] == days[3])
  data <- data.frame(person = c("p1", "p1", "p2"), note = notes, stringsAsFactors = FALSE)
  expect_identical(quietly(tacit_scrub(data, "note", whom = "person", seed = 4))$data$note, out)
  expect_error(tacit_scrub(notes, whom = "p1"), "whom", class = "tacit_invalid")
})
