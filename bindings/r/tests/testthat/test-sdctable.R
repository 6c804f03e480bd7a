regions <- data.frame(level = c("@", "@@", "@@@", "@@@", "@@", "@@@", "@@@"),
                      name = c("all", "north", "n1", "n2", "south", "s1", "s2"), stringsAsFactors = FALSE)
sexes <- data.frame(level = c("@", "@@", "@@"), name = c("both", "male", "female"), stringsAsFactors = FALSE)

firms <- function() {
  i <- 1:300
  data.frame(region = c("n1", "n2", "s1", "s2")[1 + drawn(i, 4, 1)], sex = c("male", "female")[1 + (drawn(i, 20, 2) > 1)],
             income = drawn(i, 29, 3) + ifelse(i %% 70 == 0, 900, 0), stringsAsFactors = FALSE)
}

test_that("counts are protected as the dimensions say", {
  problem <- primarySuppression(makeProblem(firms(), list(region = regions, sex = sexes)), type = "freq", maxN = 6)
  expect_output(print(problem), "freq:6")
  for (method in c("OPT", "HITAS", "HYPERCUBE", "SIMPLEHEURISTIC")) {
    safe <- quietly(protectTable(problem, method = method))
    cells <- getInfo(safe, "finalData")
    expect_identical(nrow(cells), 21L)
    expect_true(all(c("all", "north", "south") %in% cells$region))
    expect_identical(cells$freq[cells$region == "all" & cells$sex == "both"], 300L)
    expect_true(all(cells$status[cells$freq %in% 1:6] == "u"))
    attacked <- quietly(attack(safe))
    expect_true(all(attacked$protected))
    expect_true(all(attacked$low <= attacked$value & attacked$value <= attacked$up))
    expect_identical(nrow(attacked), as.integer(getInfo(safe, "nrPrimSupps") + getInfo(safe, "nrSecondSupps")))
  }
})

test_that("the exact method suppresses no more than the others", {
  problem <- primarySuppression(makeProblem(firms(), list(region = regions, sex = sexes), numVarInd = "income"), type = "p", p = 20)
  cost <- vapply(c("OPT", "HITAS", "HYPERCUBE"), function(method) quietly(protectTable(problem, method = method))$report$cost, 0)
  expect_true(all(cost[["OPT"]] <= cost))
})

test_that("cells that were counted before can be given", {
  counted <- as.data.frame(table(region = firms()$region, sex = firms()$sex), responseName = "n", stringsAsFactors = FALSE)
  problem <- primarySuppression(makeProblem(counted, list(region = regions, sex = sexes), freqVarInd = "n"), maxN = 6)
  cells <- getInfo(quietly(protectTable(problem, method = "OPT")))
  records <- primarySuppression(makeProblem(firms(), list(region = regions, sex = sexes)), maxN = 6)
  own <- getInfo(quietly(protectTable(records, method = "OPT")))
  expect_identical(cells$status, own$status)
})

test_that("rules and tables that make no sense are refused", {
  problem <- makeProblem(firms(), list(region = regions, sex = sexes))
  expect_error(protectTable(problem), "primarySuppression", class = "tacit_invalid")
  expect_error(makeProblem(firms(), list(nothing = regions)), "nothing", class = "tacit_invalid")
  wrong <- regions
  wrong$level[2] <- "@@@"
  expect_error(protectTable(primarySuppression(makeProblem(firms(), list(region = wrong, sex = sexes)))), "one level below",
               class = "tacit_invalid")
})

test_that("a table of testdata keeps its secrets", {
  data <- read.csv(shared_data("sdcmicro", "testdata.csv"))
  codes <- function(x) data.frame(level = c("@", rep("@@", length(unique(x)))), name = c("all", sort(unique(x))))
  problem <- makeProblem(data, list(roof = codes(data$roof), relat = codes(data$relat), sex = codes(data$sex)))
  problem <- primarySuppression(problem, type = "freq", maxN = 3)
  safe <- quietly(protectTable(problem, method = "SIMPLEHEURISTIC"))
  expect_gt(getInfo(safe, "nrPrimSupps"), 0)
  expect_true(all(quietly(attack(safe))$protected))
})
