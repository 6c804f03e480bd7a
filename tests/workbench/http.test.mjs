// http.test.mjs - what the workbench answers to pages of other sites, to other users of the machine and to
// whoever sends nonsense.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, appendFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { client, finished, serve } from "./server.mjs";

let server, ask;
before(async () => {
  server = await serve("patients.csv");
  ask = await client(server);
});
after(async () => assert.equal((await server.stop()).status, 0));

// Sends bytes as they are; resolves with what comes back until the other end closes or falls silent.
const raw = (bytes, wait = 400) => new Promise((resolve) => {
  const socket = connect(Number(new URL(server.origin).port), "127.0.0.1");
  let text = "";
  socket.setTimeout(wait, () => socket.destroy());
  socket.on("data", (data) => { text += data; });
  socket.on("error", () => {});
  socket.on("close", () => resolve(text));
  socket.write(bytes);
});

test("only the loopback address is listened on", async () => {
  const port = Number(new URL(server.origin).port);
  const others = Object.values(networkInterfaces()).flat().filter((one) => one.family === "IPv4" && !one.internal);
  for (const { address } of others) {
    const opened = await new Promise((resolve) => {
      const socket = connect({ port, host: address, timeout: 1000 });
      socket.on("connect", () => { socket.destroy(); resolve(true); });
      socket.on("error", () => resolve(false));
      socket.on("timeout", () => { socket.destroy(); resolve(false); });
    });
    assert.equal(opened, false, address);
  }
});

test("without the cookie nothing is told, and the token opens only as it is", async () => {
  for (const path of ["/api/project", "/api/kinds", "/api/jobs", "/api/jobs/1/page"])
    assert.equal((await fetch(server.origin + path)).status, 401);
  for (const token of ["", server.token.slice(1), server.token.replace(/./, (c) => (c === "0" ? "1" : "0")), null]) {
    const answer = await fetch(`${server.origin}/api/session`, {
      method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token }) });
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get("set-cookie"), null);
  }
});

test("the cookie stays with the site and away from scripts", async () => {
  const answer = await fetch(`${server.origin}/api/session`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ token: server.token }) });
  assert.match(answer.headers.get("set-cookie"), /HttpOnly; SameSite=Strict/);
});

test("another name for this address is another site", async () => {
  const port = new URL(server.origin).port;
  for (const host of ["evil.example", `evil.example:${port}`, `127.0.0.1.evil.example:${port}`, "127.0.0.1", ""])
    assert.match(await raw(`GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`), /^HTTP\/1.1 (403|400)/, host);
  assert.match(await raw(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`), /^HTTP\/1.1 200/);
});

test("pages of other sites are refused, also with the cookie", async () => {
  for (const headers of [{ Origin: "https://evil.example" }, { Origin: "null" }, { Origin: "http://127.0.0.1:1" },
    { "Sec-Fetch-Site": "cross-site" }, { "Sec-Fetch-Site": "same-site" }])
    assert.equal((await ask("/api/step", { what: "x" }, headers)).status, 403, JSON.stringify(headers));
  assert.equal((await ask("/api/project", undefined, { Origin: server.origin })).status, 200);
  const form = await ask("/api/step", { what: "x" }, { "Content-Type": "text/plain" });
  assert.equal(form.status, 415);
});

test("every answer forbids keeping, framing and loading from elsewhere", async () => {
  for (const path of ["/", "/app.js", "/api/project", "/nothing"]) {
    const { headers } = await ask(path);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.match(headers.get("content-security-policy"), /default-src 'self'.*frame-ancestors 'none'/);
    assert.equal(headers.get("access-control-allow-origin"), null);
  }
});

test("files outside the folder are out of reach, whatever the way", async () => {
  mkdirSync(join(server.where, "patients.csv.tacit"), { recursive: true });
  symlinkSync("/etc", join(server.where, "out"));
  const outside = mkdtempSync(join(tmpdir(), "outside-"));
  writeFileSync(join(outside, "secret.csv"), "a,b\n1,2\n"); // it could be read
  symlinkSync(join(outside, "secret.csv"), join(server.where, "out.csv"));
  for (const path of ["/etc/passwd", "../../etc/passwd", "hierarchies/../../../etc/passwd", "out/passwd", "out.csv", "out.csv#x", "..", "x/../../y",
    join(outside, "secret.csv"), `${outside}/secret.csv#://x`, "file://../secret.csv"]) {
    assert.equal((await ask("/api/columns", { path })).status, 422, path);
    assert.equal((await ask("/api/rows", { path, from: 0, count: 1 })).status, 422, path);
    assert.notEqual((await ask("/api/jobs", { kind: "profile", inputs: [path], settings: {} })).status, 201, path);
    assert.notEqual((await ask("/api/jobs", { kind: "anonymize", inputs: ["patients.csv"], settings: { output: path } })).status, 201, path);
    assert.notEqual((await ask("/api/step", { policy_from: path, what: "x" })).status, 200, path);
  }
  for (const folder of ["/", "..", "out"]) assert.equal((await ask("/api/files", { folder })).status, 403, folder);
  symlinkSync(join(outside, "secret.csv"), join(server.where, "patients.csv.tacit", "link.csv"));
  for (const file of ["link.csv", "../out.csv", "../../x.csv"])
    assert.equal((await ask("/api/step", { policy: `k: 2\ncolumns:\n  birth: {role: quasi, hierarchy: {file: ${file}}}\n`, what: "x" })).status, 422, file);
  assert.equal((await ask("/api/step", { policy: "k: 2\ncolumns:\n  birth: {role: quasi, hierarchy: ../hierarchies/marital.csv}\n", what: "x" })).status, 200);
  rmSync(outside, { recursive: true });
  const policy = "k: 2\ncolumns:\n  birth: {role: quasi, hierarchy: {file: /etc/passwd}}\n";
  assert.equal((await ask("/api/step", { policy, what: "x" })).status, 422);
  assert.equal((await ask("/api/jobs", { kind: "protect", inputs: ["firms.csv"], settings: { dim: "district=/etc/passwd" } })).status, 422);
  for (const path of ["/..%2f..%2fetc/passwd", "/%2e%2e/etc/passwd", "/style.css/../../etc/passwd"])
    assert.match(await raw(`GET ${path} HTTP/1.1\r\nHost: ${new URL(server.origin).host}\r\nConnection: close\r\n\r\n`), / 404 /);
});

test("bodies that are too long, too deep or no JSON are refused", async () => {
  const post = (body) => fetch(`${server.origin}/api/session`, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  assert.equal((await post("x".repeat(5 << 20))).status, 413);
  assert.equal((await post("[".repeat(100000))).status, 400);
  assert.equal((await post("{")).status, 400);
  assert.equal((await post("[]")).status, 400);
  assert.equal((await ask("/api/step", { what: "x", policy: "[".repeat(50) })).status, 422);
  assert.equal((await ask("/api/step", { what: "x", policy: "a: &a [1]\nb: *a\n" })).status, 422);
});

test("a job is run, judged, and appears when it is committed, not before", async () => {
  const settings = { policy: "patients.yaml", output: "judged.csv", seed: "7" };
  const { json } = await ask("/api/jobs", { kind: "anonymize", inputs: ["patients.csv"], settings });
  const job = await finished(ask, json.number);
  assert.equal(job.state, "ready");
  assert.equal(existsSync(join(server.where, "judged.csv")), false);
  const report = (await ask(`/api/jobs/${json.number}/report`)).json;
  assert.equal(report.judge.holds, true);
  const page = await ask(`/api/jobs/${json.number}/page`);
  assert.match(page.headers.get("content-security-policy"), /default-src 'none'.*sandbox/);
  await ask(`/api/jobs/${json.number}/commit`, {});
  assert.equal((await finished(ask, json.number)).state, "done");
  assert.equal(existsSync(join(server.where, "judged.csv")), true);
});

test("no release that keeps the promise: refused, and nothing is there", async () => {
  const settings = { policy: "patients.yaml", k: "601", output: "refused.csv" };
  const { json } = await ask("/api/jobs", { kind: "anonymize", inputs: ["patients.csv"], settings });
  const job = await finished(ask, json.number);
  assert.equal(job.state, "refused");
  assert.match(job.error, /\w/);
  assert.equal((await ask(`/api/jobs/${json.number}/commit`, {})).status, 409);
  assert.equal(existsSync(join(server.where, "refused.csv")), false);
});

test("the list of jobs is bounded, and jobs that are forgotten make room", async () => {
  const numbers = [];
  let status = 201;
  while (status === 201 && numbers.length < 40) {
    const answer = await ask("/api/jobs", { kind: "profile", inputs: ["patients.csv"], settings: {} });
    status = answer.status;
    if (status === 201) numbers.push(answer.json.number);
  }
  assert.equal(status, 429);
  for (const number of numbers) await ask(`/api/jobs/${number}/forget`, {});
  await finished(ask, numbers.at(-1));
  assert.equal((await ask("/api/jobs", { kind: "profile", inputs: ["patients.csv"], settings: {} })).status, 201);
});

test("a table whose file has changed is read anew", async () => {
  const path = join(server.where, "changing.csv");
  writeFileSync(path, "a,b\n1,2\n");
  assert.equal((await ask("/api/rows", { path: "changing.csv", from: 0, count: 9 })).json.rows, 1);
  appendFileSync(path, "3,4\n5,6\n");
  const { json } = await ask("/api/rows", { path: "changing.csv", from: 1, count: 9 });
  assert.deepEqual([json.rows, json.cells], [3, [["3", "4"], ["5", "6"]]]);
  truncateSync(path, 0);
  assert.equal((await ask("/api/rows", { path: "changing.csv", from: 0, count: 9 })).status, 422);
});

test("steps are files, can be gone back to, and a new one takes the place of those undone", async () => {
  const step = async (what) => (await ask("/api/step", { what, policy: `k: ${what}\n` })).json;
  const first = await step("2");
  await step("3");
  await step("4");
  const back = (await ask("/api/go", { step: first.step })).json;
  assert.deepEqual([back.model.k, back.step, back.last], ["2", first.step, first.step + 2]);
  const next = await step("5");
  assert.deepEqual([next.model.k, next.step, next.last], ["5", first.step + 1, first.step + 1]);
  assert.equal((await ask("/api/go", { step: first.step + 2 })).status, 422);
  assert.equal(existsSync(join(server.where, `patients.csv.tacit/history/${String(first.step + 2).padStart(4, "0")}.json`)), false);
});

test("two hundred requests at once are all answered", async () => {
  const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => ask("/api/rows", { path: "patients.csv", from: i, count: 20 })));
  assert.ok(answers.every((answer) => answer.status === 200 && answer.json.cells.length === 20));
});

test("slow clients and half-open connections keep nobody waiting", async () => {
  const host = new URL(server.origin).host;
  const sockets = Array.from({ length: 60 }, () => connect(Number(host.split(":")[1]), "127.0.0.1"));
  for (const socket of sockets) {
    socket.on("error", () => {});
    socket.write(`POST /api/rows HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1000\r\n`);
  }
  assert.equal((await ask("/api/project")).status, 200);
  for (const socket of sockets) socket.destroy();
});

test("ten thousand requests of nonsense: still there, and no larger for it", async () => {
  const host = new URL(server.origin).host, size = () => Number(/VmRSS:\s+(\d+)/.exec(status())[1]);
  const status = () => readFileSync(`/proc/${server.child.pid}/status`, "utf8");
  let seed = 1;
  const random = (n) => (seed = (seed * 48271) % 2147483647) % n;
  const word = () => Array.from({ length: random(40) }, () => String.fromCharCode(1 + random(255))).join("");
  const shapes = [
    () => word(), () => `GET ${word()} HTTP/1.1\r\n\r\n`, () => `POST /api/step HTTP/1.1\r\nHost: ${host}\r\nContent-Length: ${random(99)}\r\n\r\n${word()}`,
    () => `GET /api/jobs/${word()} HTTP/1.1\r\nHost: ${host}\r\n${word()}: ${word()}\r\n\r\n`,
    () => `POST /api/jobs HTTP/1.1\r\nHost: ${host}\r\nTransfer-Encoding: chunked\r\n\r\n${word()}\r\n`,
    () => `GET / HTTP/${random(9)}.${random(9)}\r\nHost: ${host}\r\nCookie: ${word()}\r\n\r\n`,
  ];
  let before_ = 0;
  for (let i = 0; i < 100; i++) {
    await Promise.all(Array.from({ length: 100 }, () => raw(shapes[random(shapes.length)](), 30)));
    if (i === 20) before_ = size();
  }
  assert.equal((await ask("/api/project")).status, 200);
  assert.ok(size() < before_ + 20000, `${before_} KiB, then ${size()} KiB`);
});
