test_that("a Stata file of a labelled survey becomes an anonymized Stata file", {
  skip_if_not_installed("haven")
  survey <- people()
  survey$sex <- haven::labelled(as.numeric(survey$sex), c(female = 1, male = 2), label = "Sex of the patient")
  survey$region <- haven::labelled(as.numeric(survey$visits %% 2 + 1), c(north = 1, south = 2), label = "Region")
  attr(survey$charges, "label") <- "Charges"
  folder <- tempfile()
  dir.create(folder)
  haven::write_dta(survey, file.path(folder, "survey.dta"))

  data <- haven::read_dta(file.path(folder, "survey.dta"))
  policy <- people_policy(columns = list(region = "insensitive"))
  release <- quietly(tacit_anonymize(data, policy, seed = 2))
  haven::write_dta(release$data, file.path(folder, "released.dta"))

  back <- haven::read_dta(file.path(folder, "released.dta"))
  expect_identical(nrow(back), nrow(survey))
  expect_s3_class(back$region, "haven_labelled")
  expect_identical(attr(back$region, "labels"), c(north = 1, south = 2))
  expect_identical(attr(back$region, "label"), "Region")
  expect_identical(attr(back$charges, "label"), "Charges")
  expect_identical(sort(as.numeric(back$charges)), sort(survey$charges))

  # The library reads and writes the same files by itself.
  quietly(tacit_anonymize(file.path(folder, "survey.dta"), policy, seed = 2, output = file.path(folder, "own.dta")))
  own <- haven::read_dta(file.path(folder, "own.dta"))
  expect_identical(haven::zap_formats(haven::zap_labels(own)), haven::zap_formats(haven::zap_labels(back)))
  expect_identical(attr(own$region, "labels"), attr(back$region, "labels"))
})

test_that("the survey of testdata goes from Stata to Stata in five lines", {
  skip_if_not_installed("haven")
  data <- read.csv(shared_data("sdcmicro", "testdata.csv"))
  data$sex <- haven::labelled(data$sex, c(male = 1L, female = 2L), label = "Sex of the person")
  data$urbrur <- haven::labelled(data$urbrur, c(urban = 1L, rural = 2L), label = "Urban or rural")
  path <- tempfile(fileext = ".dta")
  haven::write_dta(data, path)

  survey <- haven::read_dta(path)
  policy <- quietly(tacit_profile(survey))$policy
  release <- quietly(tacit_anonymize(survey, policy))
  haven::write_dta(as.data.frame(release, suppressed = NA), path)

  back <- haven::read_dta(path)
  expect_identical(attr(back$sex, "labels"), c(male = 1, female = 2))
  expect_identical(attr(back$urbrur, "label"), "Urban or rural")
  expect_true(all(back$sex %in% c(1, 2, NA)))
  expect_false("ori_hid" %in% names(back))
  expect_identical(sort(as.numeric(back$expend)), sort(as.numeric(data$expend)))
})

test_that("a file goes to a file, never to nowhere", {
  path <- tempfile(fileext = ".csv")
  write.csv(people(), path, row.names = FALSE)
  expect_error(tacit_anonymize(path, people_policy()), "output", class = "tacit_invalid")
  expect_error(tacit_anonymize("nowhere.csv", people_policy(), output = tempfile()), class = "tacit_io")
})
