// server.mjs - a workbench of a test's own, on a copy of the examples.

import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const TACIT = process.env.TACIT;

export function folder() {
  const path = mkdtempSync(join(tmpdir(), "workbench-"));
  cpSync(process.env.EXAMPLES, path, { recursive: true });
  return path;
}

export async function serve(place, where = folder(), ...flags) {
  const child = spawn(TACIT, ["workbench", ...(place ? [place] : []), "--no-open", ...flags], { cwd: where });
  let said = "";
  const url = await new Promise((resolve, reject) => {
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = /http:\/\/\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.on("exit", (status) => reject(new Error(`the workbench ended with ${status}: ${said}`)));
  });
  const { origin, hash } = new URL(url);
  const ended = new Promise((resolve) => child.on("exit", (status, signal) => resolve({ status, signal })));
  return {
    url, origin, token: hash.slice(1), where, child, said: () => said,
    async stop() {
      child.kill("SIGINT");
      const how = await ended;
      rmSync(where, { recursive: true, force: true });
      return how;
    },
  };
}

// A client that is no browser, with the cookie.
export async function client(server) {
  const answer = await fetch(`${server.origin}/api/session`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: server.token }),
  });
  const cookie = answer.headers.get("set-cookie").split(";")[0];
  return async (path, body, headers = {}) => {
    const response = await fetch(server.origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { Cookie: cookie, ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: text.startsWith("{") ? JSON.parse(text) : null };
  };
}

export async function finished(ask, id) {
  for (;;) {
    const { json } = await ask("/api/jobs");
    const job = json.jobs.find((one) => one.number === id);
    if (!job || (["done", "refused", "failed", "cancelled"].includes(job.state)) || (job.state === "ready" && !job.commits)) return job;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
