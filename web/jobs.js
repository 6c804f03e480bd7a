// jobs.js - jobs: starting one, following it, showing what it says and what it has found.

import { get, post } from "./api.js";
import { h, number, say, show } from "./dom.js";

const OVER = new Set(["done", "refused", "failed", "cancelled"]);
// Over, or waiting for somebody to release it.
const rests = (state) => OVER.has(state.state) || (state.state === "ready" && !state.commits);

// Follows a job until it is over or waits for its release; changed() is told of each of its states.
export function follow(id, changed) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/jobs/${id}/events`);
    let last = null;
    events.onmessage = (event) => {
      const state = JSON.parse(event.data);
      if (!state.state) return; // only shows that both ends are there
      last = state;
      changed?.(state);
      if (rests(state)) {
        events.close();
        resolve(state);
      }
    };
    // The stream ends with the job; where it ended before, the list knows more.
    events.onerror = async () => {
      events.close();
      const jobs = (await get("/api/jobs").catch(() => ({ jobs: [] }))).jobs;
      const state = jobs.find((job) => job.number === id) ?? last;
      if (state && rests(state)) {
        changed?.(state);
        resolve(state);
      } else if (state) setTimeout(() => follow(id, changed).then(resolve, reject), 500);
      else reject(new Error("the command that serves this page has ended"));
    };
  });
}

// A job that is only asked: its report. A newer question of the same name takes the place of an older.
const asked = new Map();
export async function ask(name, job) {
  const before = asked.get(name);
  if (before) post(`/api/jobs/${before}/forget`).catch(() => {});
  const { number: id } = await post("/api/jobs", job);
  asked.set(name, id);
  const state = await follow(id);
  if (asked.get(name) !== id) return null;
  if (state.state !== "ready") throw new Error(state.error || `the job was ${state.state}`);
  const report = await get(`/api/jobs/${id}/report`);
  return { id, report, state };
}

// ---- a job on the page ----

const WORDS = {
  waits: "waits for others", runs: "runs", ready: "is judged; nothing has appeared yet", commits: "is written",
  done: "is done", refused: "is refused: nothing was written", failed: "failed: nothing was written",
  cancelled: "was stopped: nothing was written",
};

function progressBar(state) {
  const bar = h("progress", { "aria-label": state.phase || "work" });
  if (state.total > 0) {
    bar.max = state.total;
    bar.value = state.done;
  }
  return bar;
}

const messages = (state) =>
  state.messages.map((m) => h("p", { className: `message ${m.kind}` }, m.kind === "warning" ? "Warning: " : "", m.text));

// The library's page of what a job has found, which has no script and loads nothing.
export function reportFrame(id, title) {
  return h("iframe", { className: "report", title, src: `/api/jobs/${id}/page`, sandbox: "" });
}

// Shows a job in a place, from its beginning to its end; resolves with its last state.
export async function run(place, job, { title, ready } = {}) {
  const head = h("div", { className: "job", tabIndex: -1 });
  show(place, head);
  let id = null;
  const draw = (state) => {
    const working = !rests(state);
    show(head,
      h("p", { className: `banner ${state.state}` }, `${title ?? state.kind} ${WORDS[state.state]}`,
        state.seconds > 0 && !working ? ` (${number(state.seconds, 1)} s)` : ""),
      working ? [h("p", {}, state.phase), progressBar(state),
        h("button", { onclick: () => post(`/api/jobs/${id}/cancel`) }, "Stop")] : null,
      state.error ? h("p", { className: "message bad" }, state.error) : null,
      messages(state));
  };
  try {
    id = (await post("/api/jobs", job)).number;
    const state = await follow(id, draw);
    say(`${title ?? state.kind} ${WORDS[state.state]}`, state.state === "failed" || state.state === "refused");
    if (state.state === "ready") await ready?.(id, place, head);
    return { ...state, id };
  } catch (error) {
    show(head, h("p", { className: "banner failed" }, "This cannot be done"), h("p", { className: "message bad" }, error.message));
    say(error.message, true);
    return { state: "failed", error: error.message };
  }
}

// Writes what a job has made, and follows that.
export async function commit(id, changed) {
  await post(`/api/jobs/${id}/commit`);
  return follow(id, changed);
}
