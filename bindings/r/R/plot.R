# plot.R - the drawing that says most of each result, by base graphics.

bars <- function(heights, ..., cex.names = 0.8) {
  barplot(heights, las = 1, border = NA, cex.names = cex.names, ...)
}

blues <- function(count) hcl.colors(count + 1, "Blues")[seq_len(count)]

# Above the bars, where none are.
key <- function(names, colors) legend("top", names, fill = colors, border = NA, bty = "n", horiz = TRUE, cex = 0.9)

# Room for names beside horizontal bars; the caller puts par() back.
wide_margin <- function(names) par(mar = c(4.5, 2 + 0.55 * max(nchar(names)), 1.5, 1))

#' Rows by the size of their equivalence class, before and after.
plot.tacit_release <- function(x, ...) {
  sizes <- x$report$class_sizes
  if (length(sizes$from) == 0) stop_tacit("invalid", "this release has no equivalence classes to draw")
  rows <- rbind(before = sizes$before$rows, after = sizes$after$rows)
  from <- sizes$from
  to <- c(from[-1] - 1, Inf)
  colnames(rows) <- ifelse(from == to, from, ifelse(is.finite(to), paste0(from, "-", to), paste0(from, "+")))
  bars(rows, beside = TRUE, col = blues(2), xlab = "rows that share a combination", ylab = "rows",
       ylim = c(0, 1.15 * max(rows)), ...)
  key(rownames(rows), blues(2))
  invisible(rows)
}

#' What each column contributes to the risk.
plot.tacit_risk <- function(x, ...) {
  columns <- x$columns[order(x$columns$share_of_score), ]
  before <- wide_margin(columns$name)
  on.exit(par(before))
  bars(columns$share_of_score, names.arg = columns$name, horiz = TRUE, col = blues(1), xlim = c(0, 1),
       xlab = "share of the SUDA score", ...)
  invisible(columns)
}

#' Different values of each column, as a share of the rows.
plot.tacit_profile <- function(x, ...) {
  columns <- x$columns[rev(seq_len(nrow(x$columns))), ]
  before <- wide_margin(columns$name)
  on.exit(par(before))
  roles <- factor(columns$role)
  colors <- blues(nlevels(roles))
  bars(columns$distinct / x$report$rows, names.arg = columns$name, horiz = TRUE, xlim = c(0, 1), col = colors[roles],
       ylim = c(0, 1.2 * nrow(columns) + 1.5), xlab = "different values, as a share of the rows", ...)
  key(levels(roles), colors)
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
  kinds <- factor(ifelse(status %in% c("x", "u"), "suppressed", "published"), c("suppressed", "published"))
  counts <- table(kinds, factor(x$data[[dimension]], unique(x$data[[dimension]])))
  bars(counts, col = blues(2), xlab = dimension, ylab = "cells", ylim = c(0, 1.15 * max(colSums(counts))), ...)
  key(rownames(counts), blues(2))
  invisible(counts)
}
