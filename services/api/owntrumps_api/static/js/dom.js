// Elements without markup strings: nothing a player typed is ever parsed, and the Content-Security-Policy needs no exception.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.setAttribute("class", value);
    else if (name === "on") for (const [event, handler] of Object.entries(value)) node.addEventListener(event, handler);
    else if (name === "data") Object.assign(node.dataset, value);
    else if (name === "vars") for (const [key, each] of Object.entries(value)) node.style.setProperty(`--${key}`, each);
    else if (name === "value" || name === "checked" || name === "disabled" || name === "hidden") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  append(node, children);
  return node;
}

function append(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child === undefined || child === null || child === false) continue;
    node.append(child);
  }
}

/** An HTML element. Props: class, on {event: handler}, data {…}, vars {name: css value}, else attributes. */
export function h(tag, props = {}, ...children) {
  return fill(document.createElement(tag), props, children);
}

/** An SVG element, same props. */
export function s(tag, props = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), props, children);
}

export function replace(node, ...children) {
  node.replaceChildren();
  append(node, children);
  return node;
}

/** Text only screen readers get. */
export function hidden(text) {
  return h("span", { class: "sr-only" }, text);
}

export function button(label, onClick, props = {}) {
  const { on, ...rest } = props;
  return h("button", { type: "button", class: "btn", ...rest, on: { click: onClick, ...on } }, label);
}
