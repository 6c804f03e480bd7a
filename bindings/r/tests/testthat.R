library(testthat)
library(tacit)

test_check("tacit")
