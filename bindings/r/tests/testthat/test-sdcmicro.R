keys <- c("urbrur", "roof", "walls", "water", "electcon", "relat", "sex")

survey <- function() read.csv(shared_data("sdcmicro", "testdata.csv"))

pipeline <- function(data) {
  createSdcObj(data, keyVars = keys, numVars = c("expend", "income", "savings"), weightVar = "sampling_weight", hhId = "ori_hid",
               excludeVars = c("age", "hhcivil", "household_weights"), seed = 1)
}

fits <- function(data, k) {
  classes <- unique(data)
  counts <- tabulate(match(do.call(paste, data), do.call(paste, classes)), nrow(classes))
  fitting <- vapply(seq_len(nrow(classes)), function(row) {
    agrees <- Reduce(`&`, lapply(names(classes), function(name) {
      is.na(classes[[name]]) | is.na(classes[[name]][row]) | classes[[name]] == classes[[name]][row]
    }))
    sum(counts[agrees])
  }, 0)
  all(fitting >= k)
}

test_that("k-anonymity by suppressing cells of testdata holds, and costs no more than is published", {
  data <- survey()
  # Cells that sdcMicro suppresses, where only one of the two directions is kept.
  published <- c(`2` = 157, `3` = 293, `5` = 500)
  for (k in c(2, 3, 5)) {
    out <- quietly(extractManipData(kAnon(pipeline(data), k = k)))
    expect_true(fits(out[keys], k))
    expect_lte(sum(is.na(out[keys])) - sum(is.na(data[keys])), 1.05 * published[[as.character(k)]])
  }
})

test_that("microaggregation of testdata gives groups of at least three, and keeps means", {
  data <- survey()
  out <- quietly(extractManipData(microaggregation(pipeline(data), aggr = 3, method = "mdav")))
  columns <- c("expend", "income", "savings")
  expect_gte(min(table(do.call(paste, out[columns]))), 3)
  expect_equal(colMeans(out[columns]), colMeans(data[columns]), tolerance = 1e-6)
})

test_that("steps are taken back", {
  data <- survey()
  obj <- pipeline(data)
  once <- kAnon(obj, k = 3)
  twice <- undolast(microaggregation(once))
  expect_identical(twice, once)
  expect_identical(undolast(once), obj)
  expect_error(undolast(obj), "no step", class = "tacit_invalid")
  expect_identical(undolast(globalRecode(obj, "age", breaks = c(0, 18, 65, 120)))$data, data)
  expect_output(print(once), "step 1: k-anonymity, k = 3")
  expect_output(print(obj), "violate 2-anonymity: [0-9]+")
})

test_that("importance says where cells are kept", {
  data <- survey()
  suppressed <- function(importance) {
    out <- quietly(extractManipData(kAnon(pipeline(data), k = 3, importance = importance)))
    colSums(is.na(out[keys]))
  }
  keep_relat <- suppressed(c(2, 3, 4, 5, 6, 1, 7))
  give_relat <- suppressed(c(2, 3, 4, 5, 6, 7, 1))
  expect_lt(keep_relat[["relat"]], give_relat[["relat"]])
})

test_that("other steps do what they say", {
  data <- survey()
  obj <- createSdcObj(data, keyVars = keys, numVars = "income", pramVars = "roof", strataVar = "urbrur", excludeVars = setdiff(
    names(data), c(keys, "income")), seed = 1)
  release <- quietly(tacit_anonymize(rankSwap(topBotCoding(obj, 9e7, "income"), P = 10)))
  expect_lte(max(release$data$income), 9e7)
  noisy <- quietly(extractManipData(addNoise(obj, noise = 10)))
  expect_lt(abs(sd(noisy$income) / sd(data$income) - 1), 0.1)
  changed <- quietly(extractManipData(pram(obj, pd = 0.9)))
  expect_lt(max(abs(table(changed$roof) - table(data$roof)) / nrow(data)), 0.05)
  expect_error(microaggregation(obj, method = "pca"), "pca", class = "tacit_invalid")
  expect_error(addNoise(obj, method = "outdect"), "outdect", class = "tacit_invalid")
  expect_error(createSdcObj(data, keyVars = "nothing"), "nothing", class = "tacit_invalid")
})
