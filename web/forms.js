// forms.js - a form for any job of the library, made from what the library says of its settings: tables,
// text, attacks, comparisons. What a setting means, the library knows.

import { addStep, dataPath, get, project } from "./api.js";
import { field, h, section, select, show } from "./dom.js";
import { commit, reportFrame, run } from "./jobs.js";
import { asCommand } from "./release.js";

let kinds = null;
const kindsOf = async () => (kinds ??= (await get("/api/kinds")).kinds);

// What a new user needs first; the rest is behind "More settings".
const FIRST = {
  protect: ["dim", "value", "holding", "rule", "method", "output"],
  scrub: ["output", "replace", "threshold", "known", "key-file"],
  audit: ["policy", "original", "population", "previous"],
  compare: ["policies", "target", "output"],
  ledger: [],
  hierarchy: ["column", "from", "group", "check", "output"],
};

// What is often given several times, a line each.
const LISTS = new Set(["dim", "rule", "replace", "policies"]);

function inputOf(setting, choices, before) {
  if (setting.type === "switch") return h("input", { type: "checkbox", checked: Boolean(before) });
  const text = [].concat(before ?? "").join("\n");
  if (choices?.length) return select(text, [["", "default"], ...choices.map(([name, summary]) => [name, `${name}: ${summary}`])]);
  if (setting.type === "text" || setting.type === "file") return h("textarea", { rows: Math.max(LISTS.has(setting.name) ? 3 : 1, text.split("\n").length), value: text, spellcheck: false });
  return h("input", { type: "text", value: text });
}

const valueOf = (input) => {
  if (input.type === "checkbox") return input.checked ? true : undefined;
  const lines = input.value.split("\n").map((line) => line.trim()).filter(Boolean);
  return lines.length ? (lines.length > 1 ? lines : lines[0]) : undefined;
};

export function formView(kindName, title, subject, explain) {
  return async (place) => {
    const kind = (await kindsOf()).find((k) => k.kind === kindName);
    const before = project.now.state.settings[kindName] ?? {};
    const inputs = new Map(), result = h("div");
    const data = h("textarea", { rows: 2, value: [].concat(before.inputs ?? (["protect", "compare"].includes(kindName) ? dataPath() ?? "" : "")).join("\n") });
    const methods = kind.choices.Methods;
    const make = (setting) => {
      const input = inputOf(setting, setting.name === "method" ? methods : null, before[setting.name]);
      inputs.set(setting.name, input);
      return field(setting.name, input, setting.help);
    };
    const first = FIRST[kindName].map((name) => kind.settings.find((s) => s.name === name)).filter(Boolean);
    const rest = kind.settings.filter((s) => !first.includes(s) && !["report", "html", "quiet"].includes(s.name));
    const start = async () => {
      const settings = { html: `${project.now.folder}/${kindName}.html` }; // for the data holder
      for (const [name, input] of inputs) if (valueOf(input) !== undefined) settings[name] = valueOf(input);
      const paths = data.value.split("\n").map((line) => line.trim()).filter(Boolean);
      await addStep({ what: `${kindName} of ${paths.join(", ")}`, settings: { [kindName]: { ...settings, inputs: paths } } }, true).catch(() => {});
      await run(result, { kind: kindName, inputs: paths, settings }, {
        title: subject,
        ready: (id) => {
          const told = h("p");
          result.append(
            settings.output ? h("p", {}, h("button", { className: "main", onclick: async () => {
              const state = await commit(id);
              show(told, state.state === "done" ? `${settings.output} has appeared.` : state.error);
            } }, `Release as ${settings.output}`)) : "", told,
            h("details", {}, h("summary", {}, "The same as a command"), h("pre", { tabIndex: 0 }, h("code", {}, asCommand(kindName, paths, settings)))),
            reportFrame(id, `Report: ${title}`));
        },
      });
    };
    show(place, section(title, h("p", {}, explain),
      h("form", { onsubmit: (event) => { event.preventDefault(); start(); } },
        h("div", { className: "fields" }, field(kind.input ?? "input", data, "One a line."), first.map(make)),
        h("details", {}, h("summary", {}, "More settings"), h("div", { className: "fields" }, rest.map(make))),
        h("button", { className: "main" }, "Run"))), result);
  };
}
