// dom.js - elements, made without markup: whatever a value says, it is shown as text.

export function h(tag, properties, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && !name.includes("-") && name !== "list") element[name] = value;
    else if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.flat(Infinity).filter((c) => c !== null && c !== undefined && c !== false));
  return element;
}

// What was in an element goes; what comes in its place.
export function show(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((c) => c !== null && c !== undefined));
}

export const number = (n, digits = 0) =>
  Number(n).toLocaleString("en-GB", { maximumFractionDigits: digits, minimumFractionDigits: digits }).replaceAll(",", " ");

export const share = (n) => `${number(100 * n, n > 0 && n < 0.1 ? 1 : 0)} %`;

let saying = 0;

// Says something to everybody, also to those who do not see the page.
export function say(text, isBad = false) {
  const status = document.getElementById("status");
  status.className = isBad ? "bad" : "";
  status.textContent = text;
  clearTimeout(saying);
  saying = setTimeout(() => { status.textContent = ""; }, isBad ? 20000 : 6000);
}

let labels = 0;

// A field with its label.
export function field(label, input, help) {
  const id = `field-${++labels}`;
  input.id = id;
  const parts = [h("label", { htmlFor: id }, label), input];
  if (help) {
    input.setAttribute("aria-describedby", `${id}-help`);
    parts.push(h("small", { id: `${id}-help` }, help));
  }
  return h("div", { className: "field" }, parts);
}

export const select = (value, choices, onchange) => {
  const element = h("select", { onchange: () => onchange?.(element.value) },
    choices.map(([name, text]) => h("option", { value: name, selected: name === value }, text ?? name)));
  return element;
};

// A heading, the sentence "what is this?" behind a button, and what follows.
export const section = (title, ...children) => h("section", {}, h("h2", {}, title), children);
