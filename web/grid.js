// grid.js - rows of a table in a window: only what is seen is asked for, so ten million rows scroll as
// a hundred do. Browsers limit how high an element can be; of a longer table a place of the scrollbar
// stands for several rows, and keys still move by one.

import { post } from "./api.js";
import { h, number, show } from "./dom.js";

const ROW = 28, MAX_HEIGHT = 8e6;

export function grid(path, columns, rowCount) {
  const body = h("tbody");
  const table = h("table", { className: "rows" },
    h("caption", { className: "unseen" }, `Rows of ${path}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "row"), columns.map((name) => h("th", { scope: "col" }, name)))), body);
  const spacer = h("div", { className: "spacer" });
  const view = h("div", { className: "grid", tabIndex: 0, role: "region", "aria-label": `Rows of ${path}; arrow keys move` },
    spacer, h("div", { className: "stuck" }, table));
  const where = h("p", { className: "note", "aria-live": "off" });
  const height = Math.min(rowCount * ROW + 2 * ROW, MAX_HEIGHT);
  spacer.style.height = `${height}px`;
  let first = 0, asked = 0, moving = false;

  const seen = () => Math.max(1, Math.floor(view.clientHeight / ROW) - 1);
  const last = () => Math.max(0, rowCount - seen());

  async function draw() {
    const ticket = ++asked, count = seen() + 1;
    let window_;
    try {
      window_ = await post("/api/rows", { path, from: first, count });
    } catch (error) {
      show(body, h("tr", {}, h("td", { colSpan: columns.length + 1 }, error.message)));
      return;
    }
    if (ticket !== asked) return;
    show(body, window_.cells.map((cells, i) =>
      h("tr", {}, h("th", { scope: "row" }, number(window_.from + i + 1)),
        cells.map((cell) => h("td", { title: cell.length > 40 ? cell : "" }, cell)))));
    table.setAttribute("aria-rowcount", rowCount);
    where.textContent = rowCount ? `Rows ${number(first + 1)} to ${number(Math.min(rowCount, first + seen()))} of ${number(rowCount)}` : "No rows";
  }

  const range = () => Math.max(1, spacer.offsetHeight - view.clientHeight);
  view.addEventListener("scroll", () => {
    if (moving) {
      moving = false;
      return;
    }
    const to = Math.round((view.scrollTop / range()) * last());
    if (to !== first) {
      first = to;
      draw();
    }
  });
  view.addEventListener("keydown", (event) => {
    const page = seen();
    const to = { ArrowDown: first + 1, ArrowUp: first - 1, PageDown: first + page, PageUp: first - page, Home: 0, End: last() }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    first = Math.min(Math.max(0, to), last());
    moving = true;
    const before = view.scrollTop;
    view.scrollTop = last() ? (first / last()) * range() : 0;
    if (view.scrollTop === before) moving = false;
    draw();
  });
  requestAnimationFrame(draw);
  return h("div", {}, view, where);
}
