test_that("a policy is written as YAML that the library reads", {
  policy <- people_policy()
  text <- as.character(policy)
  expect_match(text, "^k: 4\nloss: 0.05\ncolumns:\n")
  expect_match(text, "birth:\n    role: quasi\n    hierarchy: {date: true}", fixed = TRUE)
  expect_output(print(policy), "postcode")
})

test_that("names and texts are quoted where YAML would read them otherwise", {
  text <- as.character(tacit_policy(k = 2, quasi = c("yes", "a: b", "say \"x\"", "1", "gr\u00f6\u00dfe", "a\\b", "tab\there")))
  for (piece in c("\"yes\":", "\"a: b\":", "\"say \\\"x\\\"\":", "\"1\":", "\"gr\u00f6\u00dfe\":", "\"a\\\\b\":", "\"tab\\there\":")) {
    expect_true(grepl(piece, text, fixed = TRUE), info = piece)
  }
  data <- as.data.frame(matrix(rep(1:7, each = 10), 10))
  names(data) <- c("yes", "a: b", "say \"x\"", "1", "gr\u00f6\u00dfe", "a\\b", "tab\there")
  release <- quietly(tacit_anonymize(data, tacit_policy(k = 2, quasi = names(data))))
  expect_identical(names(release$data), names(data))
})

test_that("hierarchies say the same in a policy and as a setting", {
  data <- people()
  by_policy <- quietly(tacit_anonymize(data, people_policy(), seed = 3))
  by_settings <- quietly(tacit_anonymize(data, k = 4, loss = 0.05, identifier = "patient", quasi = c("birth", "sex", "postcode"),
                                         hierarchy = list(birth = tacit_dates(), postcode = tacit_mask()),
                                         sensitive = "diagnosis", insensitive = c("visits", "charges"), seed = 3))
  by_list <- quietly(tacit_anonymize(data, list(k = 4, loss = 0.05, identifier = "patient",
                                                quasi = list(birth = tacit_dates(), "sex", postcode = tacit_mask()),
                                                sensitive = "diagnosis", insensitive = c("visits", "charges")), seed = 3))
  expect_identical(by_settings$data, by_policy$data)
  expect_identical(by_list$data, by_policy$data)
})

test_that("a table is a hierarchy, and goes with the policy to a file", {
  data <- data.frame(job = rep(c("baker", "butcher", "nurse", "doctor"), c(1, 4, 2, 3)))
  levels <- tacit_levels(list(food = c("baker", "butcher"), health = c("nurse", "doctor")))
  policy <- tacit_policy(k = 5, loss = 0, quasi = list(job = levels))
  release <- quietly(tacit_anonymize(data, policy))
  expect_setequal(release$data$job, c("food", "health"))
  folder <- tempfile()
  dir.create(folder)
  path <- tacit_write_policy(policy, file.path(folder, "p.yaml"))
  expect_equal(file.mode(path), as.octmode("600"))
  again <- quietly(tacit_anonymize(data, path))
  expect_setequal(again$data$job, c("food", "health"))
})

test_that("what is no policy is refused, and mistakes in one are found with their line", {
  expect_error(tacit_anonymize(people(), "nowhere.yaml"), "there is no file", class = "tacit_io")
  expect_error(tacit_policy(5, k = 3), "by name", class = "tacit_invalid")
  expect_error(tacit_anonymize(people(), tacit_policy(kk = 3)), "kk", class = "tacit_error")
  expect_error(tacit_anonymize(people(), people_policy(), kk = 3), "kk", class = "tacit_error")
  expect_error(tacit_settings("nothing"), "no kind of job", class = "tacit_invalid")
  expect_true(all(c("k", "policy", "output") %in% tacit_settings("anonymize")$name))
})
