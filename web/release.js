// release.js - the view "Release": runs of the policy as it is now, side by side with earlier ones, and
// the release of one. A run is judged and attacked; nothing appears until it is released.

import { addStep, dataPath, get, hasPolicy, policyPath, project } from "./api.js";
import { field, h, number, say, section, share, show } from "./dom.js";
import { commit, reportFrame, run } from "./jobs.js";

const runs = []; // of this page, the newest last

// ---- the same by command, Python and R ----

const word = (text) => (/^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

export function asCommand(kind, inputs, settings) {
  const words = ["tacit", kind, ...inputs];
  for (const [name, value] of Object.entries(settings))
    for (const one of [].concat(value)) {
      words.push(name === "output" ? "-o" : `--${name}`);
      if (one !== true) words.push(String(one));
    }
  return words.map(word).join(" ");
}

const quoted = (text) => JSON.stringify(text);
const asPython = (input, settings) =>
  `import tacit\nrelease = tacit.anonymize(${quoted(input)}, tacit.Policy.read(${quoted(settings.policy)}), seed=${settings.seed})\nrelease.save(${quoted(settings.output)})`;
const asR = (input, settings) =>
  `library(tacit)\nrelease <- tacit_anonymize(${quoted(input)}, ${quoted(settings.policy)}, seed = ${settings.seed})\ntacit_save(release, ${quoted(settings.output)})`;

function reproduce(input, settings) {
  const block = (title, text) => [h("h3", {}, title), h("pre", { tabIndex: 0 }, h("code", {}, text))];
  return h("details", {}, h("summary", {}, "The same as a command, in Python, in R"),
    h("p", { className: "note" }, `To be run in ${project.now.base}. The seed fixes what is drawn: keep it to yourself.`),
    block("Command", asCommand("anonymize", [input], settings)), block("Python", asPython(input, settings)), block("R", asR(input, settings)));
}

// ---- runs side by side ----

const FIGURES = [
  ["method", (r) => r.method, "The method that was used."],
  ["k", (r) => r.k, "So many people share every released combination."],
  ["detail kept", (r) => number(r.precision, 3), "Sweeney's Prec: 1 keeps all detail of the quasi-identifiers, 0 none."],
  ["rows suppressed", (r) => share(r.suppressed_rows / Math.max(1, r.rows)), "Their quasi-identifiers are *."],
  ["smallest class", (r) => number(r.smallest_class), "The fewest rows that share a combination."],
  ["classes", (r) => number(r.classes), "Different combinations in the release."],
  ["the judge", (r) => (r.judge?.holds ? "holds" : "broken"), "Separate code has read the release and counted again."],
  ["rows disclosed", (r) => (r.attacks?.sensitive ? number(r.attacks.sensitive.columns.reduce((n, c) => n + c.homogeneous_rows + c.narrow_rows, 0)) : "–"),
    "Rows whose class has one sensitive value, or numbers that are nearly the same: k does not hide it."],
];

function comparison() {
  if (!runs.length) return null;
  return section("Runs", h("div", { className: "scroll" }, h("table", { className: "runs" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "figure"), runs.map((r) => h("th", { scope: "col" }, `run ${r.id}`)))),
    h("tbody", {}, FIGURES.map(([name, of, explain]) => h("tr", {},
      h("th", { scope: "row" }, h("details", {}, h("summary", {}, name), h("small", {}, explain))),
      runs.map((r) => h("td", {}, of(r.report)))))))));
}

// ---- the view ----

// What can be done with a run: its release, its report, the same elsewhere.
function offer(job) {
  const told = h("div"), { report, settings } = job, { advice } = report;
  return [
    h("p", {}, h("button", { className: "main", onclick: () => release(job, told) }, `Release as ${settings.output}`),
      h("span", { className: "soft" }, ` keeps ${number(report.precision, 3)} of the detail (Prec)`)), told,
    advice?.change ? h("p", { className: "note" }, `With another ${advice.change}, Prec would be ${number(advice.prec, 2)} instead of ${number(advice.instead_of, 2)}.`) : "",
    reproduce(dataPath(), settings), reportFrame(job.id, "Report of the release, for the data holder")];
}

// As long as numbers of all three languages are exact.
const seed = () => {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return String((high % 2 ** 21) * 2 ** 32 + low);
};

async function release(job, place) {
  const state = await commit(job.id);
  if (state.state !== "done") {
    show(place, h("p", { className: "message bad" }, state.error));
    return;
  }
  say(`${job.settings.output} has appeared`);
  await addStep({ what: `released as ${job.settings.output}`, settings: { release: job.settings } }, true);
  show(place, h("p", { className: "banner done" }, `${job.settings.output} has appeared.`));
}

export async function releaseView(place) {
  if (!dataPath() || !hasPolicy()) {
    show(place, section("Release", h("p", {}, dataPath() ? "Draft a policy first, in Columns." : "Open data first.")));
    return;
  }
  const before = project.now.state.settings.release ?? {};
  const output = h("input", { type: "text", value: before.output ?? "release.csv" });
  const statement = h("input", { type: "text", value: before.statement ?? "" });
  const result = h("div"), table = h("div");
  const start = async () => {
    const settings = { policy: policyPath(), seed: seed(), html: `${project.now.folder}/release.html`, output: output.value };
    if (statement.value) settings.statement = statement.value;
    await run(result, { kind: "anonymize", inputs: [dataPath()], settings }, {
      title: "The release",
      ready: async (id) => {
        const report = await get(`/api/jobs/${id}/report`);
        const job = { id, settings, report };
        runs.push(job);
        if (runs.length > 6) runs.shift();
        show(table, comparison());
        const told = h("div");
        result.append(...offer(job));
      },
    });
  };
  show(place, section("Release",
    h("form", { className: "fields", onsubmit: (event) => { event.preventDefault(); start(); } },
      field("release to", output, "Its ending says the format: .csv, .xlsx, .dta, .sav, .sqlite, …"),
      field("statement for recipients", statement, "A .md or .json file, if one is wanted."),
      h("button", { className: "main" }, "Make and judge it")),
    h("p", { className: "note" }, "Nothing appears until you release it.")), result, table);
  show(table, comparison());
}
