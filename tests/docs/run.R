# run.R ROOT [FILE...] - runs the examples for R of the documentation, as run.sh runs those of the command.
#
# In README.md and docs/, a fenced block marked `r` is an example. A line that starts in `#> ` is what
# the lines above it print, errors and warnings included; `#> ...` stands for any lines, `...` within a
# line for anything. Lines that nothing is said of may print anything. The examples of one file run one
# after the other in a folder of their own that holds the files of examples/.
arguments <- commandArgs(TRUE)
root <- normalizePath(arguments[1])
files <- arguments[-1]
if (length(files) == 0) files <- c("README.md", file.path("docs", list.files(file.path(root, "docs"), "[.]md$", recursive = TRUE)))

# Blocks as chunks of code, each with what it prints (NULL: anything) and its line.
chunks_of <- function(path) {
  lines <- readLines(path, encoding = "UTF-8")
  chunks <- list()
  inside <- FALSE
  code <- want <- NULL
  flush <- function(at) {
    if (length(code)) chunks[[length(chunks) + 1]] <<- list(code = code, want = want, line = at - length(code) - length(want))
    code <<- want <<- NULL
  }
  for (at in seq_along(lines)) {
    line <- lines[at]
    if (grepl("^```", line)) {
      if (inside) flush(at)
      inside <- !inside && grepl("^```r$", line)
    } else if (inside && grepl("^#> ?", line)) {
      want <- c(want, sub("^#> ?", "", line))
    } else if (inside) {
      if (!is.null(want)) flush(at)
      code <- c(code, line)
    }
  }
  chunks
}

pattern_of <- function(line) {
  pieces <- strsplit(line, "...", fixed = TRUE)[[1]]
  if (endsWith(line, "...")) pieces <- c(pieces, "")
  paste0("^", paste0("\\Q", pieces, "\\E", collapse = ".*"), "$")
}

# Whether the lines of want describe those of got.
describes <- function(want, got) {
  if (length(want) == 0) return(length(got) == 0)
  if (want[1] == "...") {
    for (skip in 0:length(got)) if (describes(want[-1], got[seq_along(got) > skip])) return(TRUE)
    return(FALSE)
  }
  length(got) > 0 && grepl(pattern_of(want[1]), got[1], perl = TRUE) && describes(want[-1], got[-1])
}

# What code prints, as at the prompt.
printed <- function(code, env) {
  say <- function(prefix) function(condition) {
    cat(prefix, conditionMessage(condition), "\n", sep = "")
    invokeRestart(if (inherits(condition, "warning")) "muffleWarning" else "muffleMessage")
  }
  capture.output(tryCatch(
    withCallingHandlers(
      for (expression in parse(text = code, encoding = "UTF-8")) {
        value <- withVisible(eval(expression, env))
        if (value$visible) print(value$value)
      }, warning = say("Warning: "), message = function(m) {
        cat(conditionMessage(m))
        invokeRestart("muffleMessage")
      }),
    error = function(e) cat("Error: ", conditionMessage(e), "\n", sep = "")))
}

failed <- 0
count <- 0
for (file in files) {
  chunks <- chunks_of(file.path(root, file))
  if (length(chunks) == 0) next
  folder <- tempfile()
  dir.create(folder)
  file.copy(list.files(file.path(root, "examples"), full.names = TRUE), folder, recursive = TRUE)
  before <- setwd(folder)
  env <- new.env(parent = globalenv())
  for (chunk in chunks) {
    count <- count + 1
    got <- sub("[ \t]+$", "", unlist(strsplit(printed(chunk$code, env), "\n")))
    wrong <- any(startsWith(got, "Error: ")) && !any(startsWith(chunk$want, "Error: "))
    if (wrong || !is.null(chunk$want) && !describes(sub("[ \t]+$", "", chunk$want), got)) {
      failed <- failed + 1
      cat(sprintf("%s:%d: wanted\n", file, chunk$line), paste0("  ", c(chunk$want, "-- but got --", got), "\n"), sep = "")
    }
  }
  setwd(before)
}
cat(sprintf("%d examples for R in the documentation, %d of them wrong\n", count, failed))
quit(status = as.integer(failed > 0))
