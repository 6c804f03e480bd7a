// explore.js - the view "Explore": what each k and each loss would keep, by method, as a map to click on.

import { addStep, dataPath, get, hasPolicy, policyPath, project } from "./api.js";
import { h, number, say, section, share, show } from "./dom.js";
import { run } from "./jobs.js";
import { policyText } from "./policy.js";

const sorted = (values) => [...new Set(values)].sort((a, b) => a - b);

const lossWords = (loss) => (loss === null ? "no rows suppressed" : `at most ${share(loss)} of the rows suppressed`);
const lossOf = (model) => (model.loss === undefined ? null : Number(model.loss));

async function choose(point, drawn) {
  const model = structuredClone(project.now.model);
  Object.assign(model, { k: String(point.k), method: point.method });
  if (point.loss === null) delete model.loss; // the method suppresses no rows
  else model.loss = String(point.loss);
  try {
    await addStep({ policy: policyText(model), what: `k ${point.k}, ${lossWords(point.loss)}, ${point.method}` }, true);
    drawn();
    say(`The policy now has k = ${point.k}, ${lossWords(point.loss)}, by ${point.method}.`);
  } catch (error) {
    say(error.message, true);
  }
}

function cell(point, model, drawn) {
  if (!point || point.precision === undefined || point.state === "infeasible")
    return h("td", { className: "soft" }, "none");
  const chosen = Number(model.k) === point.k && lossOf(model) === point.loss && model.method === point.method;
  return h("td", {}, h("button", {
    className: "heat", "aria-pressed": chosen, onclick: () => choose(point, drawn),
    style: `--part:${Math.round(100 * point.precision)}%`,
    title: `Prec ${number(point.precision, 3)}, ${number(point.suppressed_rows)} rows suppressed, ${number(point.classes)} classes${point.proven ? ", the best there is" : ""}`,
    "aria-label": `${point.method}, k ${point.k}, ${lossWords(point.loss)}: Prec ${number(point.precision, 2)}`,
  }, number(point.precision, 2)));
}

function map(curve, method, drawn) {
  const model = project.now.model;
  const points = curve.filter((point) => point.method === method);
  const ks = sorted(points.map((p) => p.k)), losses = sorted(points.map((p) => p.loss));
  return [h("h3", {}, method), h("div", { className: "scroll" }, h("table", { className: "map" },
    h("caption", { className: "unseen" }, `Prec by k and loss, ${method}`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "k"), losses.map((loss) => h("th", { scope: "col" }, loss === null ? "no rows suppressed" : `loss ${share(loss)}`)))),
    h("tbody", {}, ks.map((k) => h("tr", {}, h("th", { scope: "row" }, number(k)),
      losses.map((loss) => cell(points.find((p) => p.k === k && p.loss === loss), model, drawn)))))))];
}

export async function exploreView(place) {
  if (!dataPath() || !hasPolicy()) {
    show(place, section("Explore", h("p", {}, dataPath() ? "Draft a policy first, in Columns." : "Open data first.")));
    return;
  }
  const result = h("div");
  const start = () => run(result, { kind: "anonymize", inputs: [dataPath()], settings: { policy: policyPath(), explore: true } }, {
    title: "The map",
    ready: async (id, there) => {
      const { curve } = await get(`/api/jobs/${id}/report`);
      const methods = [...new Set(curve.map((point) => point.method))];
      const drawn = () => show(there, methods.map((method) => map(curve, method, drawn)),
        h("p", { className: "note" }, "Each number is the share of detail that is kept (Prec). Darker keeps more. Click one to have the policy say so."));
      drawn();
    },
  });
  show(place, section("Explore",
    h("p", {}, "How much detail do k and the rows that may be suppressed cost, and which method keeps most?"),
    h("button", { className: "main", onclick: start }, "Draw the map")), result);
}
