// columns.js - the view "Columns": what each holds, its role and how it is generalized, and what the
// roles mean for risk, shown again after every change.

import { addStep, dataPath, hasPolicy, policyPath, post, project } from "./api.js";
import { field, h, number, say, section, select, share, show } from "./dom.js";
import { ask, follow } from "./jobs.js";
import { ROLES, RULES, columnOf, hierarchyOf, policyText, ruleOf, withColumn } from "./policy.js";

// ---- what a column holds ----

function bars(list, rows, label) {
  const most = Math.max(1, ...list.map(([, n]) => n));
  return h("ul", { className: "bars", "aria-label": label },
    list.map(([text, n]) => h("li", { title: `${text}: ${number(n)} rows` },
      h("span", { className: "bar", style: `width:${(100 * n) / most}%` }),
      h("span", { className: "value" }, text === "" ? "(empty)" : text), h("small", {}, share(n / rows)))));
}

function histogram(data) {
  const most = Math.max(1, ...data.rows);
  return h("div", { className: "histogram", role: "img", "aria-label": `Rows by value, from ${data.low} to ${data.high}` },
    data.rows.map((n) => h("span", { style: `height:${(100 * n) / most}%`, title: `${number(n)} rows` })),
    h("small", {}, number(data.low, data.low % 1 ? 2 : 0)), h("small", { className: "high" }, number(data.high, data.high % 1 ? 2 : 0)));
}

const holds = (column, rows) => h("td", {},
  h("small", {}, `${number(column.distinct)} ${column.distinct === 1 ? "value" : "values"}`,
    column.missing ? `, ${number(column.missing)} missing` : ""),
  column.histogram ? histogram(column.histogram) : bars(column.top.slice(0, 4), rows, `Frequent values of ${column.name}`));

// ---- roles ----

async function change(model, what) {
  try {
    await addStep({ policy: policyText(model), what });
  } catch (error) {
    say(error.message, true);
  }
}

function roleCell(model, name, guess) {
  const column = columnOf(model, name);
  const role = select(column.role ?? "", ROLES.map(([value, text]) => [value, text]),
    (value) => change(withColumn(model, name, { role: value, replace: value === "identifier" ? column.replace ?? "drop" : undefined }),
      `${name}: ${value || "no role"}`));
  role.setAttribute("aria-label", `Role of ${name}`);
  return h("td", {}, role, guess ? h("small", { className: "why" }, guess.reason) : null);
}

function identifierCell(model, name, column) {
  const replace = select(column.replace ?? "drop", [["drop", "leaves the data"], ["pseudonym", "becomes a pseudonym"],
    ["row-pseudonym", "becomes a pseudonym of its row"], ["keep", "stays as it is"]],
    (value) => change(withColumn(model, name, { replace: value }), `${name}: ${value}`));
  replace.setAttribute("aria-label", `What becomes of ${name}`);
  return replace;
}

function ruleCell(model, name, column) {
  const [rule, detail] = ruleOf(column);
  if (rule === "other") return h("code", {}, detail);
  const set = (newRule, newDetail) =>
    change(withColumn(model, name, { hierarchy: hierarchyOf(newRule, newDetail, column.hierarchy) }), `${name}: ${newRule || "kept or suppressed"}`);
  const kind = select(rule, RULES, (value) => set(value, value === rule ? detail : ""));
  kind.setAttribute("aria-label", `How ${name} is generalized`);
  const takes = { interval: "widths, such as 5, 10, 20", windows: "months, such as 1, 3, 12", standard: "icd10, isco08, nace2, nuts, …", file: "a file with a value a row" }[rule];
  const text = takes && h("input", { type: "text", value: detail, placeholder: takes, "aria-label": `${takes}, of ${name}`, onchange: () => set(rule, text.value) });
  return [kind, text];
}

function becomes(model, name) {
  const column = columnOf(model, name);
  if (column.role === "identifier") return h("td", {}, identifierCell(model, name, column));
  if (column.role === "quasi") return h("td", {}, ruleCell(model, name, column));
  return h("td", { className: "soft" }, column.role ? "stays as it is" : "");
}

// ---- risk, anew with every change ----

const tile = (label, value, explain) =>
  h("div", {}, h("dt", {}, label), h("dd", {}, value), h("dd", { className: "explain" }, explain));

function riskTiles(report) {
  const unique = report.measures.fewest_columns.least;
  return h("dl", { className: "tiles" },
    tile("records that stand out", number(report.at_risk), `of ${number(report.records)}: no other record has their values of all quasi-identifiers.`),
    tile("of these", report.records ? share(report.at_risk / report.records) : "0 %", "of the file could be told apart by somebody who knows these columns."),
    tile("fewest columns", unique ? number(unique) : "none", "are enough to single out some record."));
}

async function drawRisk(place) {
  const quasi = Object.entries(project.now.model?.columns ?? {}).filter(([, c]) => (c.role ?? c) === "quasi").map(([n]) => n);
  if (!quasi.length) {
    show(place, h("p", { className: "note" }, "Give a column the role of a quasi-identifier to see who stands out."));
    return;
  }
  place.setAttribute("aria-busy", "true");
  try {
    const found = await ask("risk", { kind: "risk", inputs: [dataPath()], settings: { policy: policyPath() } });
    if (!found) return;
    const columns = [...found.report.columns].sort((a, b) => b.share_of_score - a.share_of_score);
    show(place, riskTiles(found.report),
      h("h3", {}, "Which columns contribute"),
      h("ul", { className: "bars wide" }, columns.map((c) => h("li", {},
        h("span", { className: "bar", style: `width:${100 * c.share_of_score}%` }), h("span", { className: "value" }, c.name),
        h("small", {}, `${share(c.share_of_score)}; without it ${number(c.only)} records would not stand out`)))),
      h("p", { className: "note" }, `Judged in ${number(found.state.seconds, 2)} s.`));
  } catch (error) {
    show(place, h("p", { className: "message bad" }, error.message));
  }
  place.removeAttribute("aria-busy");
}

// ---- the draft ----

async function draft(place) {
  const path = `${project.now.folder}/draft.yaml`;
  show(place, h("p", {}, "Looking at the columns …"));
  try {
    const { number: id } = await post("/api/jobs", { kind: "profile", inputs: [dataPath()], settings: { "policy-out": path }, commit: true });
    const state = await follow(id);
    if (state.state !== "done") throw new Error(state.error);
    await addStep({ policy_from: path, what: "policy drafted from the data" });
  } catch (error) {
    show(place, h("p", { className: "message bad" }, error.message));
  }
}

let guesses = { path: null, byName: {} };

async function guess() {
  if (guesses.path === dataPath()) return guesses.byName;
  const found = await ask("profile", { kind: "profile", inputs: [dataPath()], settings: {} });
  if (found) guesses = { path: dataPath(), byName: Object.fromEntries(found.report.columns.map((c) => [c.name, c])) };
  return guesses.byName;
}

function policySettings(model) {
  const set = (key) => (event) => {
    const copy = structuredClone(model);
    if (event.target.value) copy[key] = event.target.value;
    else delete copy[key];
    change(copy, `${key}: ${event.target.value || "default"}`);
  };
  const input = (key, type) => h("input", { type, value: model[key] ?? "", onchange: set(key), min: 2, step: "any" });
  return h("div", { className: "fields" },
    field("k", input("k", "number"), "So many people share every released combination."),
    field("method", input("method", "text"), "local keeps most detail; mingen gives a column one level; the library has others."),
    field("loss", input("loss", "text"), "The share of rows that may be suppressed, such as 0.05."),
    field("person", input("person", "text"), "The column that says whose a row is, or none."));
}

export async function columnsView(place) {
  if (!dataPath()) {
    show(place, section("Columns", h("p", {}, "Open data first.")));
    return;
  }
  show(place, h("p", {}, "Reading …"));
  let table, byName;
  try {
    [table, byName] = await Promise.all([post("/api/columns", { path: dataPath() }), guess().catch(() => ({}))]);
  } catch (error) {
    show(place, h("p", { className: "message bad" }, error.message));
    return;
  }
  const model = project.now.model ?? {};
  const risk = h("div", { className: "risk" }), drafted = h("div");
  const row = (column) => h("tr", {}, h("th", { scope: "row" }, column.name, h("small", {}, byName[column.name]?.type ?? "")),
    holds(column, table.rows), roleCell(model, column.name, byName[column.name]), becomes(model, column.name));
  show(place,
    section("Columns", project.now.policy_problem ? h("p", { className: "message bad" }, project.now.policy_problem) : null,
      h("p", {}, hasPolicy() ? "Only you know what others know of these people: check every role." : "There is no policy yet. A draft has a role for every column, with its reason."),
      h("button", { className: hasPolicy() ? "" : "main", onclick: () => draft(drafted) }, hasPolicy() ? "Draft it anew" : "Draft a policy"), drafted,
      hasPolicy() ? policySettings(model) : null,
      h("div", { className: "scroll" }, h("table", { className: "columns" },
        h("thead", {}, h("tr", {}, ["column", "what it holds", "role", "in the release"].map((t) => h("th", { scope: "col" }, t)))),
        h("tbody", {}, table.columns.map(row)))),
      h("details", {}, h("summary", {}, "What the roles mean"), h("dl", { className: "facts" },
        ROLES.map(([, text, explain]) => [h("dt", {}, text), h("dd", {}, explain)])))),
    section("Who stands out", risk),
    policyEditor());
  if (hasPolicy()) drawRisk(risk);
}

// The policy as it is written, for whoever would rather write.
function policyEditor() {
  const text = h("textarea", { value: project.now.state.policy ?? "", rows: 16, spellcheck: false });
  return section("The policy as text",
    field("policy.yaml", text, "Everything that the roles above say, and what they have no field for."),
    h("button", { onclick: async () => {
      try {
        await addStep({ policy: text.value, what: "policy edited as text" });
      } catch (error) {
        say(error.message, true);
      }
    } }, "Use this text"));
}
