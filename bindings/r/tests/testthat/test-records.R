test_that("a release keeps k, and types where values stay", {
  data <- people()
  release <- quietly(tacit_anonymize(data, people_policy(), seed = 1))
  expect_s3_class(release, "tacit_release")
  expect_true(release$report$judge$holds)
  out <- release$data
  expect_identical(names(out), setdiff(names(data), "patient"))
  expect_identical(nrow(out), nrow(data))
  sizes <- table(do.call(paste, out[c("birth", "sex", "postcode")]))
  expect_gte(min(sizes), 4)
  expect_identical(sort(out$charges), sort(data$charges))
  expect_identical(sort(out$visits), sort(data$visits))
  expect_type(out$visits, "integer")
  expect_s3_class(out$sex, "factor")
})

test_that("the same seed gives the same release for any number of threads, and another order without", {
  release <- function(...) quietly(tacit_anonymize(people(), people_policy(), ...))$data
  expect_identical(release(seed = 7, threads = 1), release(seed = 7, threads = 3))
  expect_false(identical(release(), release()))
})

test_that("each class of frame comes out as it went in", {
  skip_if_not_installed("tibble")
  skip_if_not_installed("data.table")
  expect_s3_class(quietly(tacit_anonymize(tibble::as_tibble(people()), people_policy()))$data, "tbl_df")
  expect_s3_class(quietly(tacit_anonymize(data.table::as.data.table(people()), people_policy()))$data, "data.table")
})

test_that("what a release leaves alone is what it was, in type and in value", {
  skip_if_not_installed("bit64")
  skip_if_not_installed("haven")
  data <- data.frame(group = rep(c("a", "b"), 30))
  i <- seq_len(nrow(data))
  data$day <- as.Date("1812-09-14") + i * 400
  data$moment <- as.POSIXct("1884-10-13 12:00:00", tz = "America/New_York") + i * 1e7
  data$fine <- as.POSIXct("2020-03-29 00:30:00", tz = "Europe/Berlin") + i * 600 + 0.25
  data$clock <- structure(i * 60, class = c("hms", "difftime"), units = "secs")
  data$wide <- bit64::as.integer64("9007199254740993") + i
  data$level <- factor(c("low", "high")[1 + i %% 2], levels = c("low", "high"), ordered = TRUE)
  data$truth <- i %% 3 == 0
  data$tiny <- i / 7e9
  data$code <- haven::labelled(as.numeric(i %% 3), c(no = 0, yes = 1), label = "Answer")
  data$text <- ifelse(i %% 5 == 0, "", ifelse(i %% 7 == 0, NA, "\u00e9, \"q\""))
  for (name in names(data)[-1]) data[[name]][c(7, 19)] <- NA
  release <- quietly(tacit_anonymize(data, k = 5, quasi = "group", insensitive = names(data)[-1], keep_order = TRUE))
  for (name in names(data)) expect_identical(release$data[[name]], data[[name]], info = name)
})

test_that("suppressed cells can be NA, and numbers, dates and labels are what they were", {
  skip_if_not_installed("haven")
  data <- data.frame(a = c(1, 1, 1, 2, 2, 9), b = factor(c("x", "x", "x", "y", "y", "z")))
  data$day <- as.Date("1899-12-31") + data$a
  data$code <- haven::labelled(data$a, c(one = 1, two = 2), label = "Code")
  release <- quietly(tacit_anonymize(data, tacit_policy(k = 2, method = "ambiguate", quasi = names(data))))
  expect_type(release$data$a, "character")
  expect_true(any(release$data == "*"))
  out <- as.data.frame(release, suppressed = NA)
  expect_type(out$a, "double")
  expect_s3_class(out$day, "Date")
  expect_true(all(is.na(out$day) | out$day %in% data$day))
  expect_identical(attr(out$code, "labels"), c(one = 1, two = 2))
  expect_identical(levels(out$b), c("x", "y"))
  expect_identical(sum(is.na(out)), sum(release$data == "*"))
})

test_that("a refused release is a condition with findings, and nothing comes out", {
  path <- tempfile(fileext = ".csv")
  refused <- tryCatch(quietly(tacit_anonymize(people(), people_policy(), diversity = "diagnosis=50", output = path)),
                      tacit_refused = identity)
  expect_s3_class(refused, "tacit_refused")
  expect_s3_class(refused, "tacit_error")
  expect_identical(refused$status, "infeasible")
  expect_gte(length(refused$findings), 1)
  expect_false(file.exists(path))
  data <- cbind(people(), family = 1)
  judged <- tryCatch(quietly(tacit_anonymize(data, people_policy(), identifier = c("patient", "family"))),
                     tacit_refused = identity)
  expect_match(conditionMessage(judged), "^the judge refuses the release")
  expect_match(judged$findings[1], "^[0-9]+ class.* different values of identifier \"family\"")
})

test_that("warnings and notes are R's", {
  expect_warning(tacit_anonymize(people(), people_policy(), seed = 1), "seed", class = "tacit_warning")
  data <- cbind(people(), extra = 1:2)
  expect_warning(tacit_anonymize(data, people_policy()), "extra", class = "tacit_warning")
})

test_that("the release is the command's, byte for byte", {
  patients <- source_folder("examples", "patients.csv")
  policy <- source_folder("examples", "patients.yaml")
  path <- tempfile(fileext = ".csv")
  command("anonymize", patients, "--policy", policy, "--seed", "5", "-o", path)
  data <- read.csv(patients, colClasses = "character")
  own <- tempfile(fileext = ".csv")
  quietly(tacit_anonymize(data, policy, seed = 5, output = own))
  expect_identical(bytes(own), bytes(path))
  write_plain(quietly(tacit_anonymize(data, policy, seed = 5))$data, own)
  expect_identical(bytes(own), bytes(path))
})

test_that("typed columns give the release that their text gives, byte for byte", {
  data <- people()
  data$visits[3:5] <- NA
  plain <- tempfile(fileext = ".csv")
  path <- tempfile(fileext = ".csv")
  own <- tempfile(fileext = ".csv")
  write_plain(data, plain)
  policy <- tacit_write_policy(people_policy(), tempfile(fileext = ".yaml"))
  command("anonymize", plain, "--policy", policy, "--seed", "5", "-o", path)
  release <- quietly(tacit_anonymize(data, policy, seed = 5))
  write_plain(release$data, own)
  expect_identical(bytes(own), bytes(path))
  tacit_save(release, own)
  expect_identical(bytes(own), bytes(path))
  expect_error(tacit_save(release, "/nowhere/release.csv"), class = "tacit_io")
})

test_that("a user's own error in progress ends the job, and reaches the user", {
  slow <- hard_data()
  expect_error(quietly(tacit_risk(slow, time = 60, progress = function(phase, part, total) stop("enough"))), "enough")
})

test_that("an interrupt ends the job", {
  skip_on_os("windows")
  slow <- hard_data()
  start <- Sys.time()
  system(sprintf("(sleep 1; kill -INT %d)", Sys.getpid()), wait = FALSE)
  caught <- tryCatch({
    quietly(tacit_risk(slow, time = 60))
    "ran to its end"
  }, interrupt = function(e) "interrupted", error = conditionMessage)
  expect_identical(caught, "interrupted")
  expect_lt(as.numeric(Sys.time() - start, units = "secs"), 30)
  expect_s3_class(quietly(tacit_risk(people(), quasi = c("sex", "postcode"))), "tacit_risk")
})

test_that("audits of a release find nothing, of the data itself a lot", {
  data <- people()
  release <- quietly(tacit_anonymize(data, people_policy()))
  audit <- quietly(tacit_audit(release, original = data))
  expect_false(audit$discloses)
  careless <- quietly(tacit_audit(data[names(data) != "patient"], people_policy()))
  expect_true(careless$discloses)
  expect_gte(length(careless$findings), 1)
  linked <- quietly(tacit_audit(data[names(data) != "patient"], people_policy(),
                                population = data[c("birth", "sex", "postcode")]))
  expect_true(linked$discloses)
})

test_that("minimal sample uniques are those of trying all sets", {
  data <- people(60)[c("sex", "postcode", "diagnosis", "visits")]
  risk <- quietly(tacit_risk(data, quasi = names(data)))
  key <- function(columns) do.call(paste, c(unname(as.list(data[columns])), sep = "\r"))
  unique_on <- function(columns) {
    k <- key(columns)
    !(duplicated(k) | duplicated(k, fromLast = TRUE))
  }
  expected <- character()
  for (size in 1:4) for (columns in combn(names(data), size, simplify = FALSE)) {
    alone <- unique_on(columns)
    for (less in if (size > 1) combn(columns, size - 1, simplify = FALSE)) alone <- alone & !unique_on(less)
    expected <- c(expected, if (any(alone)) paste(which(alone), paste(columns, collapse = "+")))
  }
  expect_setequal(paste(risk$sets$record, risk$sets$columns), expected)
  expect_identical(nrow(risk$records), 60L)
})

test_that("a search that reaches its bound gives what it has found, and says so", {
  expect_warning(risk <- tacit_risk(hard_data()[1:2000, ], time = 1, sets = FALSE), "stopped", class = "tacit_warning")
  expect_true(risk$report$stopped)
  expect_identical(nrow(risk$records), 2000L)
  expect_error(quietly(tacit_protect(people(), dims = c("sex", "postcode"), rule = "freq:3", time = 1e-9)), class = "tacit_error")
})

test_that("time that is over before there is a result is a limit, and no interrupt", {
  expect_error(tacit_risk(hard_data(), time = 1e-6), "before there was a result", class = "tacit_limit")
})

test_that("a draft can be used as it is", {
  data <- people()
  profile <- quietly(tacit_profile(data))
  expect_identical(profile$columns$name, names(data))
  release <- quietly(tacit_anonymize(data, profile$policy))
  expect_true(release$report$judge$holds)
})

test_that("policies are compared", {
  compared <- quietly(tacit_compare(people(), list(four = people_policy(), local = people_policy(method = "local"))))
  expect_setequal(compared$policies$policy, c("four", "local"))
  expect_true(all(compared$policies$lost >= 0 & compared$policies$lost <= 1))
  path <- tacit_write_policy(people_policy(), tempfile(fileext = ".yaml"))
  expect_identical(quietly(tacit_compare(people(), list(mine = path)))$policies$policy, "mine")
})

test_that("results print, sum up and draw themselves", {
  data <- people()
  release <- quietly(tacit_anonymize(data, people_policy()))
  results <- list(release, quietly(tacit_risk(data, quasi = c("sex", "postcode", "visits"))), quietly(tacit_profile(data)),
                  quietly(tacit_compare(data, list(one = people_policy()))))
  pdf(NULL)
  on.exit(dev.off())
  for (result in results) {
    expect_output(print(result), "rows|records|policy")
    expect_output(print(summary(result)))
    expect_silent(plot(result))
  }
  expect_output(print(summary(quietly(tacit_audit(release)))), "holds")
})
