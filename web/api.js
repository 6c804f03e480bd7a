// api.js - questions to the command that serves this page, and to nobody else.

async function answer(response) {
  const json = await response.json().catch(() => ({ error: "the answer cannot be read" }));
  if (!response.ok) throw Object.assign(new Error(json.error), { status: response.status });
  return json;
}

export const get = async (path) => answer(await fetch(path, { credentials: "same-origin" }));

export const post = async (path, body = {}) =>
  answer(await fetch(path, {
    method: "POST", credentials: "same-origin",
    headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));

// The address brings a token behind its #, once; a cookie takes its place.
export async function openSession() {
  const token = /^#([0-9a-f]{64})$/.exec(location.hash)?.[1];
  if (!token) return;
  history.replaceState(null, "", "/#data");
  await post("/api/session", { token });
}

// ---- the project: what every view works on ----

export const project = { now: null, listeners: new Set() };

// stay: the view that made the step stays as it is.
function take(state, stay = false) {
  project.now = state;
  for (const listener of project.listeners) listener(stay);
  return state;
}

export const loadProject = async () => take(await get("/api/project"));
export const addStep = async (change, stay) => take(await post("/api/step", change), stay);
export const goToStep = async (step) => take(await post("/api/go", { step }));

export const dataPath = () => project.now.state.data;
export const policyPath = () => `${project.now.folder}/policy.yaml`;
export const hasPolicy = () => Boolean(project.now.state.policy);
