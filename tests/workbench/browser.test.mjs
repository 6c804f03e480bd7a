// browser.test.mjs - the page as its users see it, in a real browser. With SHOTS=FOLDER every screen is
// also kept as a picture there.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { TACIT, serve } from "./server.mjs";

let browser, server, context, page, hosts, problems;

before(async () => {
  browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(() => browser.close());

async function tab(options = {}) {
  const opened = await context.newPage();
  opened.on("request", (request) => hosts.add(new URL(request.url()).host));
  opened.on("pageerror", (error) => problems.push(error.message));
  opened.on("dialog", (dialog) => { problems.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
  if (options.viewport) await opened.setViewportSize(options.viewport);
  return opened;
}

async function begin(place = "patients.csv", options = {}) {
  server = await serve(place);
  context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  hosts = new Set();
  problems = [];
  page = await tab();
  await page.goto(server.url);
}

afterEach(async () => {
  if (!server) return;
  await context.close();
  assert.equal((await server.stop()).status, 0);
  assert.deepEqual([...hosts], [new URL(server.origin).host]); // nobody else was asked for anything
  assert.deepEqual(problems, []);
  server = null;
});

const view = async (name) => page.click(`nav a:text-is("${name}")`);
const appears = (selector, timeout = 60000) => page.waitForSelector(selector, { timeout });
const shot = async (name) => process.env.SHOTS && page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), fullPage: true });
const file = (name) => join(server.where, name);
const fieldOf = (label) => page.getByLabel(label, { exact: true });

async function draft() {
  await view("Columns");
  await page.click("button:text-is('Draft a policy')");
  await appears(".tiles");
}

async function makeRelease() {
  await view("Release");
  await page.click("button:text-is('Make and judge it')");
  await appears("iframe.report");
}

test("from open to release; the command that is shown makes the same bytes", async () => {
  await begin();
  await appears("table.rows tbody tr");
  await draft();
  await makeRelease();
  assert.equal(existsSync(file("release.csv")), false);
  await page.click("button:has-text('Release as release.csv')");
  await appears(".banner.done");
  const released = readFileSync(file("release.csv"));
  await page.click("summary:has-text('The same as a command')");
  const command = await page.locator("details[open] pre").first().textContent();
  const words = command.split(" ").slice(1).map((word) => (word === "release.csv" ? "again.csv" : word));
  execFileSync(TACIT, [...words, "-q"], { cwd: server.where, stdio: "ignore" });
  assert.deepEqual(readFileSync(file("again.csv")), released);
});

test("a change of role changes who stands out; undo brings it back", async () => {
  await begin();
  await draft();
  const unique = async () => (await page.locator(".tiles dd").first().textContent()).trim();
  assert.equal(await unique(), "600");
  await page.selectOption("select[aria-label='Role of birth']", "insensitive");
  await page.waitForFunction(() => document.querySelector(".tiles dd")?.textContent.trim() !== "600");
  const without = await unique();
  await page.selectOption("select[aria-label='Role of ethnicity']", "insensitive");
  await page.waitForFunction((before) => document.querySelector(".tiles dd") && document.querySelector(".tiles dd").textContent.trim() !== before, without);
  await page.click("button:text-is('Undo')");
  await page.click("button:text-is('Undo')");
  await page.waitForFunction(() => document.querySelector(".tiles dd")?.textContent.trim() === "600");
  assert.equal(await page.inputValue("select[aria-label='Role of birth']"), "quasi");
  await page.click("button:text-is('Redo')");
  await page.waitForFunction((value) => document.querySelector(".tiles dd")?.textContent.trim() === value, without);
  assert.match(readFileSync(file("patients.csv.tacit/policy.yaml"), "utf8"), /birth: \{role: insensitive\}/);
});

test("how a column is generalized is chosen by click", async () => {
  await begin();
  await draft();
  await page.selectOption("select[aria-label='How postcode is generalized']", "mask-left");
  await appears("#status:has-text('')", 1000).catch(() => {});
  await page.waitForFunction(() => document.querySelector("select[aria-label='How postcode is generalized']")?.value === "mask-left");
  assert.match(readFileSync(file("patients.csv.tacit/policy.yaml"), "utf8"), /postcode: .*mask: left/);
});

test("the map of k and loss sets the policy", async () => {
  await begin();
  await draft();
  await view("Explore");
  await page.click("button:text-is('Draw the map')");
  await appears(".map");
  await page.click("button[aria-label^='local, k 10,']");
  await appears("button[aria-label^='local, k 10,'][aria-pressed=true]");
  assert.match(readFileSync(file("patients.csv.tacit/policy.yaml"), "utf8"), /k: 10/);
});

test("two runs stand side by side", async () => {
  await begin();
  await draft();
  await makeRelease();
  await view("Columns");
  await fieldOf("k").fill("20");
  await fieldOf("k").press("Enter");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("k: 20"));
  await makeRelease();
  const cells = await page.locator("table.runs tbody tr:nth-child(2) td").allTextContents();
  assert.deepEqual(cells, ["5", "20"]);
});

test("a release that cannot be made is refused, says why, and leaves nothing", async () => {
  await begin();
  await draft();
  await fieldOf("k").fill("601");
  await fieldOf("k").press("Enter");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("k: 601"));
  await view("Release");
  await page.click("button:text-is('Make and judge it')");
  await appears(".banner.refused, .banner.failed");
  assert.notEqual(await page.locator(".message.bad").first().textContent(), "");
  assert.equal(existsSync(file("release.csv")), false);
});

test("a job that is stopped leaves nothing, and another can follow", async () => {
  await begin();
  await draft();
  await fieldOf("method").fill("optimal");
  await fieldOf("method").press("Enter");
  await page.waitForFunction(() => document.querySelector("textarea")?.value.includes("method: optimal"));
  await view("Release");
  await page.click("button:text-is('Make and judge it')");
  await page.click("button:text-is('Stop')");
  await appears(".banner.cancelled, .banner.ready"); // a search that is stopped may have a release by then
  assert.equal(existsSync(file("release.csv")), false);
});

test("two tabs see the same project, and a reload during a job loses nothing", async () => {
  await begin();
  await draft();
  const second = await tab();
  await second.goto(`${server.origin}/#columns`);
  await second.waitForSelector(".tiles");
  assert.equal(await second.inputValue("select[aria-label='Role of birth']"), "quasi");
  await view("Release");
  await page.click("button:text-is('Make and judge it')");
  await page.reload();
  await appears("button:text-is('Make and judge it')");
  await makeRelease();
});

test("a table is protected, judged and released", async () => {
  await begin("firms.csv");
  await view("Tables");
  await fieldOf("dim").fill("district=hierarchies/districts.hrc\nbranch=hierarchies/branches.csv");
  await fieldOf("value").fill("turnover");
  await fieldOf("rule").fill("p:10\nfreq:2");
  await fieldOf("output").fill("table.csv");
  await page.click("button:text-is('Run')");
  await appears("iframe.report");
  await page.click("button:has-text('Release as table.csv')");
  await page.waitForFunction(() => document.body.textContent.includes("table.csv has appeared"));
  assert.match(readFileSync(file("table.csv"), "utf8"), /turnover/);
});

test("a letter is scrubbed", async () => {
  await begin();
  await view("Text");
  await fieldOf("FILE").fill("letter.txt");
  await fieldOf("output").fill("clean.txt");
  await page.click("button:text-is('Run')");
  await appears("iframe.report");
  const frame = page.frameLocator("iframe.report");
  await frame.locator("mark").first().waitFor();
  await page.click("button:has-text('Release as clean.txt')");
  await page.waitForFunction(() => document.body.textContent.includes("clean.txt has appeared"));
  assert.notEqual(readFileSync(file("clean.txt"), "utf8"), readFileSync(file("letter.txt"), "utf8"));
});

test("what looks like markup is text, wherever it comes from", async () => {
  const evil = '<img src=x onerror=alert(1)>';
  await begin();
  const rows = Array.from({ length: 60 }, (_, i) => `"${evil}${i % 3}","<script>alert(2)</script>${i % 2}",${i % 5}`);
  writeFileSync(file("evil.csv"), `"${evil}","</td><svg onload=alert(3)>",n\n${rows.join("\n")}\n`);
  await page.click("summary:has-text('Open another file')");
  await page.getByLabel("A file, or a table of a database").fill("evil.csv");
  await page.click("button:text-is('Open')");
  await page.waitForFunction(() => document.querySelector("h2 + div table.rows tbody td")?.textContent.startsWith("<img"));
  await view("Columns");
  await page.click("button:text-is('Draft a policy')");
  await appears(".tiles, .message.bad, .risk .note");
  for (const name of await page.locator("select[aria-label^='Role of']").all()) await name.selectOption("quasi").then(() => page.waitForTimeout(400));
  await view("Release");
  await page.click("button:text-is('Make and judge it')");
  await appears("iframe.report, .banner.failed, .banner.refused");
  await view("History");
  await appears(".history li");
  assert.equal(await page.locator("main img, main script, main svg").count(), 0);
});

test("rows scroll by wheel and by keys, to the last", async () => {
  await begin();
  const lines = Array.from({ length: 400000 }, (_, i) => `${i + 1},v${i % 7}`);
  writeFileSync(file("long.csv"), `n,v\n${lines.join("\n")}\n`);
  await page.click("summary:has-text('Open another file')");
  await page.getByLabel("A file, or a table of a database").fill("long.csv");
  await page.click("button:text-is('Open')");
  const cell = (row) => page.locator("table.rows tbody tr").nth(row).locator("td").first();
  await page.waitForFunction(() => document.querySelector("table.rows tbody td")?.textContent === "1");
  await page.focus(".grid");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.querySelector("table.rows tbody td")?.textContent === "2");
  await page.keyboard.press("End");
  await page.waitForFunction(() => [...document.querySelectorAll("table.rows tbody td:nth-child(2)")].some((td) => td.textContent === "400000"));
  await page.keyboard.press("Home");
  await page.waitForFunction(() => document.querySelector("table.rows tbody td")?.textContent === "1");
  await page.hover(".grid");
  await page.mouse.wheel(0, 4000);
  await page.waitForFunction(() => Number(document.querySelector("table.rows tbody td")?.textContent) > 2);
  assert.ok(Number(await cell(0).textContent()) < 400000);
});

test("the whole way by keyboard", async () => {
  await begin();
  await appears("table.rows tbody tr");
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Skip to the content");
  for (let i = 0; i < 12 && (await page.evaluate(() => document.activeElement.textContent)) !== "Columns"; i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await appears("table.columns");
  await page.focus("button:text-is('Draft a policy')");
  await page.keyboard.press("Enter");
  await appears(".tiles");
  await page.keyboard.press("Control+z");
  await page.waitForFunction(() => document.querySelector("#status")?.textContent !== null);
});

async function faults(where) {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"], iframes: false }));
  const found = violations.filter((v) => ["serious", "critical"].includes(v.impact));
  assert.deepEqual(found.map((v) => `${where}: ${v.id}: ${v.nodes[0].html}`), []);
}

for (const [name, options] of [["light", { colorScheme: "light" }], ["dark", { colorScheme: "dark" }],
  ["narrow", { viewport: { width: 400, height: 800 } }]])
  test(`every screen, ${name}: no serious fault of accessibility, nothing wider than the window`, async () => {
    await begin("patients.csv", { ...options, bypassCSP: true }); // axe is a script of the test's
    await appears("table.rows tbody tr");
    const look = async (screen) => {
      await page.waitForTimeout(300);
      await faults(`${screen}, ${name}`);
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${screen} is too wide`);
      await shot(`${screen}-${name}`);
    };
    await look("data");
    await draft();
    await look("columns");
    await view("Explore");
    await page.click("button:text-is('Draw the map')");
    await appears(".map");
    await look("explore");
    await makeRelease();
    await look("release");
    for (const [screen, selector] of [["Attacks", "form"], ["Compare", "form"], ["Tables", "form"], ["Text", "form"], ["History", ".history"]]) {
      await view(screen);
      await appears(selector);
      await look(screen.toLowerCase());
    }
  });
