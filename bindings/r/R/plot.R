# plot.R - the drawing that says most of each result, by base graphics.

bars <- function(heights, ..., cex.names = 0.8) {
  barplot(heights, las = 1, border = NA, cex.names = cex.names, ...)
}

#' Rows by the size of their equivalence class, before and after.
plot.tacit_release <- function(x, ...) {
  sizes <- x$report$class_sizes
  if (is.null(sizes)) stop_tacit("invalid", "this release has no equivalence classes to draw")
  rows <- rbind(before = unlist(sizes$before$rows), after = unlist(sizes$after$rows))
  from <- unlist(sizes$from)
  to <- c(from[-1] - 1, Inf)
  colnames(rows) <- ifelse(from == to, from, ifelse(is.finite(to), paste0(from, "-", to), paste0(from, "+")))
  colors <- hcl.colors(3, "Blues")[2:1]
  bars(rows, beside = TRUE, col = rev(colors), xlab = "rows that share a combination", ylab = "rows",
       legend.text = rownames(rows), args.legend = list(bty = "n", border = NA), ...)
  invisible(rows)
}

#' What each column contributes to the risk.
plot.tacit_risk <- function(x, ...) {
  columns <- x$columns[order(x$columns$share_of_score), ]
  before <- par(mar = c(4.5, 2 + 0.55 * max(nchar(columns$name)), 1.5, 1))
  on.exit(par(before))
  bars(columns$share_of_score, names.arg = columns$name, horiz = TRUE, col = hcl.colors(3, "Blues")[1],
       xlab = "share of the SUDA score", ...)
  invisible(columns)
}

#' Different values of each column, as a share of the rows.
plot.tacit_profile <- function(x, ...) {
  columns <- x$columns[rev(seq_len(nrow(x$columns))), ]
  before <- par(mar = c(4.5, 2 + 0.55 * max(nchar(columns$name)), 1.5, 1))
  on.exit(par(before))
  roles <- factor(columns$role)
  colors <- hcl.colors(nlevels(roles) + 1, "Blues")[seq_len(nlevels(roles))]
  bars(columns$distinct / x$report$rows, names.arg = columns$name, horiz = TRUE, xlim = c(0, 1),
       col = colors[roles], xlab = "different values, as a share of the rows", legend.text = levels(roles),
       args.legend = list(fill = colors, bty = "n", border = NA, x = "bottomright"), ...)
  invisible(columns)
}

#' What policies lose, and how much can still be re-linked.
plot.tacit_comparison <- function(x, ...) {
  p <- x$policies
  p <- p[!is.na(p$lost) & !is.na(p$relinked), ]
  frontier <- p[p$frontier, ]
  frontier <- frontier[order(frontier$lost), ]
  plot(p$lost, p$relinked, pch = 19, col = ifelse(p$frontier, hcl.colors(3, "Blues")[1], "grey60"), xlim = c(0, 1),
       ylim = c(0, max(p$relinked_high, p$relinked, na.rm = TRUE)), xlab = "information lost",
       ylab = "share of records re-linked", las = 1, ...)
  segments(p$lost, p$relinked_low, p$lost, p$relinked_high, col = "grey60")
  points(frontier$lost, frontier$relinked, type = "l", col = hcl.colors(3, "Blues")[1])
  text(p$lost, p$relinked, p$policy, pos = 4, cex = 0.8)
  invisible(p)
}

#' Cells published and suppressed, by the codes of a dimension.
plot.tacit_table <- function(x, dimension = names(x$dims)[1], ...) {
  status <- x$data$status
  if (is.null(status)) stop_tacit("invalid", "this table has no suppressed cells to draw")
  kinds <- factor(ifelse(status %in% c("x", "u"), "suppressed", "published"), c("published", "suppressed"))
  counts <- table(kinds, factor(x$data[[dimension]], unique(x$data[[dimension]])))
  bars(counts, col = hcl.colors(3, "Blues")[2:1], legend.text = rownames(counts), xlab = dimension, ylab = "cells",
       args.legend = list(bty = "n", border = NA), ...)
  invisible(counts)
}
