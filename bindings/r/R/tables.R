# tables.R - statistical tables: cells protected, and audited.

#' A release of a statistical table.
tacit_protect <- function(data, dims, value = NULL, rule = NULL, ..., output = NULL, seed = NULL, threads = NULL,
                          progress = interactive()) {
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  dims <- dims_of(dims, folder)
  release <- if (is.null(output)) file.path(folder, "release.csv") else output
  own <- file.path(folder, "own.csv")
  settings <- list(dim = dims, value = value, rule = rule, ..., full = own, seed = seed)
  done <- worked("protect", data, settings = settings, output = release, threads = threads, progress = progress,
                 folder = folder)
  result("tacit_table", done, data = if (is.null(output)) read_cells(release, names(dims)), output = output,
         cells = read_cells(own, names(dims)), dims = dims_kept(dims), value = value)
}

# Dimensions as settings: a column, or a column and its hierarchy.
dims_of <- function(dims, folder) {
  if (is.null(names(dims))) names(dims) <- rep("", length(dims))
  out <- list()
  for (i in seq_along(dims)) {
    if (names(dims)[i] == "") {
      out[[as.character(dims[[i]])]] <- ""
      next
    }
    spec <- dims[[i]]
    if (is.data.frame(spec)) spec <- hierarchy(table = tree_lines(spec))
    if (is.null(spec)) spec <- ""
    out[[names(dims)[i]]] <- if (is_hierarchy(spec)) flag_of(spec, folder) else path.expand(spec)
  }
  out
}

# Hierarchies of files, as their content, for later audits.
dims_kept <- function(dims) {
  lapply(dims, function(path) {
    if (path != "") hierarchy(table = strsplit(whole_text(path), "\n", fixed = TRUE)[[1]])
  })
}

# Levels "@", "@@" and names, as sdcTable has them, as codes and parents; any other table as ancestors.
tree_lines <- function(table) {
  levels <- as.character(table[[1]])
  if (!all(grepl("^@+$", levels))) return(tacit_levels(table)$table)
  depth <- nchar(levels)
  if (depth[1] != 1 || any(depth[-1] < 2) || any(diff(depth) > 1)) {
    stop_tacit("invalid", paste("a hierarchy has one total, of level @, in its first row, and no row more than",
                                "one level below the row before it"))
  }
  codes <- as.character(table[[2]])
  above <- vapply(seq_along(codes), function(i) {
    before <- which(depth[seq_len(i - 1)] == depth[i] - 1)
    if (length(before)) codes[max(before)] else ""
  }, "")
  tacit_levels(data.frame(code = c("code", codes), parent = c("parent", above)))$table
}

read_cells <- function(path, dims) {
  read.csv(path, encoding = "UTF-8", check.names = FALSE, na.strings = "",
           colClasses = setNames(rep("character", length(dims)), dims))
}

as.data.frame.tacit_table <- function(x, ...) x$data

audit_table <- function(x, ..., threads, progress) {
  if (x$report$method %in% c("round", "adjust", "dp")) {
    stop_tacit("invalid", "a table with changed values has no suppressed cells to audit")
  }
  folder <- private_folder()
  on.exit(unlink(folder, recursive = TRUE))
  dims <- lapply(x$dims, function(spec) if (is.null(spec)) "" else flag_of(spec, folder))
  done <- worked("audit", x$cells, settings = list(dim = dims, value = x$value, ...), threads = threads,
                 progress = progress, folder = folder)
  result("tacit_audit", done, discloses = done$discloses, cells = done$report$cells)
}
