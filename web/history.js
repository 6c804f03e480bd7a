// history.js - the view "History": every step of the project; any of them can be gone back to.

import { goToStep, project } from "./api.js";
import { h, say, section, show } from "./dom.js";

export const back = () => project.now.step > 1 && goToStep(project.now.step - 1).then(() => say(`back to: ${project.now.state.what}`));
export const forth = () => project.now.step < project.now.last && goToStep(project.now.step + 1).then(() => say(`again: ${project.now.state.what}`));

export async function historyView(place) {
  const { steps, step } = project.now;
  show(place, section("History",
    h("p", {}, `The steps of ${project.now.folder}: each is a text file in its folder history.`),
    steps.length ? null : h("p", { className: "note" }, "There is no step yet."),
    h("ol", { className: "history" }, steps.map((s) => h("li", { "aria-current": s.step === step ? "step" : undefined, className: s.step > step ? "undone" : "" },
      h("span", {}, s.what ?? ""), h("small", {}, (s.at ?? "").replace("T", " ").replace("Z", " UTC")),
      s.step === step ? h("strong", {}, "now") : h("button", { onclick: () => goToStep(s.step) }, "Go there"))))));
}
