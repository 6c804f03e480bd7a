// policy.js - a policy between its text and what the page shows of it. The page changes a model of the
// text; what the keys mean, the library knows and checks.

const PLAIN = /^[A-Za-z0-9_*][A-Za-z0-9_*.+/-]*$/;

const scalar = (text) => (PLAIN.test(text) ? text : JSON.stringify(text));

function flow(value) {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{${Object.entries(value).map(([k, v]) => `${scalar(k)}: ${flow(v)}`).join(", ")}}`;
  return scalar(String(value));
}

// The text of a model: a key a line, a column a line.
export function policyText(model) {
  const lines = [];
  for (const [key, value] of Object.entries(model)) {
    if (key === "columns") continue;
    lines.push(`${scalar(key)}: ${flow(value)}`);
  }
  const columns = Object.entries(model.columns ?? {});
  if (columns.length) lines.push("columns:");
  for (const [name, value] of columns) lines.push(`  ${scalar(name)}: ${flow(value)}`);
  return lines.join("\n") + "\n";
}

export const ROLES = [
  ["", "no role yet", "It is released as it is, and the release is refused if it looks personal."],
  ["identifier", "identifier", "It names a person. It leaves the data, or becomes a pseudonym."],
  ["quasi", "quasi-identifier", "Others may know it, and it identifies in combination. It is generalized."],
  ["sensitive", "sensitive", "What the release is about. It stays as it is; models beyond k protect it."],
  ["insensitive", "insensitive", "Nobody knows it who should not, and it tells nothing. It stays as it is."],
];

export const columnOf = (model, name) => {
  const column = model.columns?.[name];
  return typeof column === "string" ? { role: column } : column ?? {};
};

export function withColumn(model, name, change) {
  const copy = structuredClone(model);
  copy.columns ??= {};
  const column = { ...columnOf(copy, name), ...change };
  for (const [key, value] of Object.entries(column)) if (value === undefined || value === "") delete column[key];
  if (column.role !== "quasi") delete column.hierarchy;
  if (column.role !== "identifier") delete column.replace;
  if (Object.keys(column).length) copy.columns[name] = column;
  else delete copy.columns[name];
  return copy;
}

// ---- how a column is generalized: the forms that the page offers ----

export const RULES = [
  ["", "kept or suppressed"],
  ["mask-right", "characters from the right become *"],
  ["mask-left", "characters from the left become *"],
  ["interval", "intervals of numbers"],
  ["date", "dates: day, month, year, decade"],
  ["windows", "dates in windows of months"],
  ["standard", "a standard classification"],
  ["file", "a hierarchy file"],
];

export function ruleOf(column) {
  const rule = column.hierarchy;
  if (!rule) return ["", ""];
  if (typeof rule === "string") return ["file", rule];
  if (rule.mask) return [`mask-${rule.mask === "left" ? "left" : "right"}`, ""];
  if (rule.interval) return ["interval", [].concat(rule.interval.widths ?? []).join(", ")];
  if (rule.date?.windows) return ["windows", [].concat(rule.date.windows).join(", ")];
  if (rule.date) return ["date", ""];
  if (rule.standard) return ["standard", rule.standard];
  if (rule.file) return ["file", rule.file];
  return ["other", JSON.stringify(rule)];
}

export function hierarchyOf(rule, detail, before) {
  const list = detail.split(/[\s,;]+/).filter(Boolean);
  switch (rule) {
    case "mask-right": return { mask: "right" };
    case "mask-left": return { mask: "left" };
    case "interval": return { interval: { origin: before?.interval?.origin ?? "0", widths: list.length ? list : ["5", "10", "20"] } };
    case "date": return { date: "true" };
    case "windows": return { date: { windows: list.length ? list : ["1", "3", "12", "60", "120"] } };
    case "standard": return { standard: detail || "icd10" };
    case "file": return { file: detail };
    default: return undefined;
  }
}
