turnover <- function() {
  i <- 1:240
  data.frame(region = c("North", "South", "East")[1 + drawn(i, 3, 1)], branch = c("farms", "shops", "mills", "ships")[1 + drawn(i, 4, 2)],
             value = drawn(i, 100, 3) + ifelse(i %% 80 == 0, 9000, 1), stringsAsFactors = FALSE)
}

test_that("a table from records is protected, and cannot be undone", {
  table <- quietly(tacit_protect(turnover(), dims = c("region", "branch"), value = "value", rule = c("p:10", "freq:2")))
  expect_s3_class(table, "tacit_table")
  expect_gt(table$report$primary, 0)
  hidden <- table$data$status %in% c("x", "u")
  expect_identical(sum(hidden), as.integer(table$report$primary + table$report$secondary))
  expect_true(all(is.na(table$data$value[hidden])))
  audit <- quietly(tacit_audit(table))
  expect_false(audit$discloses)
  expect_identical(nrow(audit$cells), sum(hidden))
  pdf(NULL)
  on.exit(dev.off())
  expect_output(print(table), "primary")
  expect_output(print(summary(table)), "secondary")
  expect_silent(plot(table))
})

test_that("the table is the command's, byte for byte", {
  firms <- source_folder("examples", "firms.csv")
  districts <- source_folder("examples", "hierarchies", "districts.hrc")
  path <- tempfile(fileext = ".csv")
  command("protect", firms, "--dim", paste0("district=", districts), "--value", "turnover", "--holding", "owner",
          "--rule", "p:10", "--rule", "freq:2", "-o", path)
  own <- tempfile(fileext = ".csv")
  quietly(tacit_protect(read.csv(firms), dims = list(district = districts), value = "turnover", holding = "owner",
                        rule = c("p:10", "freq:2"), output = own))
  expect_identical(bytes(own), bytes(path))
})

test_that("other values can be published in place of suppressing cells", {
  table <- quietly(tacit_protect(turnover(), dims = c("region", "branch"), rule = "freq:3", method = "round", base = 5))
  expect_true(all(table$data$freq %% 5 == 0))
  expect_identical(names(table$data)[1:3], c("region", "branch", "freq"))
  expect_error(tacit_audit(table), "audit", class = "tacit_invalid")
})

test_that("linked tables are protected together", {
  data <- turnover()
  data$size <- c("small", "large")[1 + drawn(seq_len(nrow(data)), 2, 9)]
  count <- function(...) as.data.frame(table(data[c(...)]), responseName = "freq", stringsAsFactors = FALSE)
  table <- quietly(tacit_protect(list(count("region", "branch"), count("region", "size")), dims = c("region", "branch", "size"),
                                 rule = "freq:17"))
  expect_gt(table$report$primary, 0)
  expect_identical(table$report$audit$disclosed, 0)
})
