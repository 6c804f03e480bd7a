// app.js - the page: its views, one at a time, and the step that they all stand on.

import { loadProject, openSession, project } from "./api.js";
import { columnsView } from "./columns.js";
import { dataView } from "./data.js";
import { h, say, show } from "./dom.js";
import { exploreView } from "./explore.js";
import { formView } from "./forms.js";
import { back, forth, historyView } from "./history.js";
import { releaseView } from "./release.js";

const VIEWS = [
  ["data", "Data", dataView],
  ["columns", "Columns", columnsView],
  ["explore", "Explore", exploreView],
  ["release", "Release", releaseView],
  ["audit", "Attacks", formView("audit", "Attacks", "The attack", "Reads a release as a recipient would, judges it, and attacks it with what others may know.")],
  ["compare", "Compare", formView("compare", "Compare", "The comparison", "Risk against loss for several policies, and those that no other beats.")],
  ["tables", "Tables", formView("protect", "Tables", "The table", "Suppresses cells of a statistical table until confidential ones cannot be computed, or changes values.")],
  ["text", "Text", formView("scrub", "Text", "The text", "Replaces names, numbers, dates and places in documents by made-up ones.")],
  ["history", "History", historyView],
];

const content = document.getElementById("content");
const current = () => VIEWS.find(([name]) => name === location.hash.slice(1)) ?? VIEWS[0];

function drawFrame() {
  const now = project.now;
  document.getElementById("project").textContent = now.state.data ?? now.folder;
  show(document.getElementById("steps"),
    h("button", { disabled: now.step <= 1, onclick: back, title: "Ctrl+Z" }, "Undo"),
    h("button", { disabled: now.step >= now.last, onclick: forth, title: "Ctrl+Y" }, "Redo"));
  show(document.getElementById("views"), VIEWS.map(([name, title]) =>
    h("a", { href: `#${name}`, "aria-current": name === current()[0] ? "page" : undefined }, title)));
}

let drawn = 0;
async function draw() {
  const ticket = ++drawn, [, title, view] = current(), place = h("div");
  drawFrame();
  document.title = `${title} – tacit`;
  show(content, place);
  try {
    await view(place);
  } catch (error) {
    if (ticket === drawn) show(place, h("p", { className: "message bad" }, error.message));
  }
}

addEventListener("hashchange", draw);
addEventListener("keydown", (event) => {
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (!event.ctrlKey || typing || !/^[zy]$/i.test(event.key)) return;
  event.preventDefault();
  (event.key.toLowerCase() === "z" ? back : forth)();
});

try {
  await openSession();
  await loadProject();
  project.listeners.add((stay) => (stay ? drawFrame() : draw()));
  await draw();
} catch (error) {
  say(error.message, true);
  show(content, h("p", { className: "message bad" }, error.message));
}
