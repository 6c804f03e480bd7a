// data.js - the view "Data": which file, and its rows.

import { addStep, dataPath, post, project } from "./api.js";
import { h, number, say, section, show } from "./dom.js";
import { grid } from "./grid.js";

const READ = /\.(csv|tsv|txt|gz|zst|dta|sav|zsav|por|sas7bdat|xpt|xlsx|sqlite3?|db|px|asc|dat|parquet)$/i;

async function openFile(path) {
  try {
    await addStep({ data: path, what: `opened ${path}` });
  } catch (error) {
    say(error.message, true);
  }
}

// The files below the folder, to choose from.
async function chooser(place, folder = "") {
  const { files, more } = await post("/api/files", { folder });
  const up = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
  const entry = (file) => {
    const path = folder ? `${folder}/${file.name}` : file.name;
    return h("li", {}, h("button", { className: "link", onclick: () => (file.folder ? chooser(place, path) : openFile(path)) },
      file.folder ? `${file.name}/` : file.name), file.folder ? "" : h("small", {}, ` ${number(file.size / 1024, 1)} KiB`));
  };
  show(place, h("ul", { className: "files" },
    folder ? h("li", {}, h("button", { className: "link", onclick: () => chooser(place, up) }, "../")) : null,
    files.filter((file) => file.folder || READ.test(file.name)).map(entry)),
  more ? h("p", { className: "note" }, "There are more files than are listed: write the name below.") : null);
}

export async function dataView(place) {
  const files = h("div"), rows = h("div");
  const name = h("input", { type: "text", value: dataPath() ?? "", "aria-label": "A file, or a table of a database",
    placeholder: "patients.csv, survey.xlsx#Sheet2, postgresql://host/ward?table=patients" });
  const open = h("form", { className: "line", onsubmit: (event) => { event.preventDefault(); if (name.value) openFile(name.value); } },
    name, h("button", {}, "Open"));
  show(place,
    section("Data", dataPath() ? null : h("p", {}, `Files below ${project.now.base}. Nothing of them leaves this machine.`),
      dataPath() ? h("details", {}, h("summary", {}, "Open another file"), files, open) : [files, open]), rows);
  chooser(files).catch((error) => show(files, h("p", { className: "message bad" }, error.message)));
  if (!dataPath() || dataPath().includes("://")) return;
  show(rows, h("p", {}, "Reading …"));
  try {
    const table = await post("/api/columns", { path: dataPath() });
    show(rows, section(`${dataPath()}: ${number(table.rows)} rows, ${table.columns.length} columns`,
      grid(dataPath(), table.columns.map((c) => c.name), table.rows)));
  } catch (error) {
    show(rows, h("p", { className: "message bad" }, error.message));
  }
}
