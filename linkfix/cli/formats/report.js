
"use strict";
const read = id => JSON.parse(document.getElementById(id).textContent);
const facts = read("facts");
const [FILE, LINE, COLUMN, RULE, HOST, MESSAGE, BEFORE, AT, AFTER, REWRITE, PLACE, TARGET] = Array(12).keys();
const [CODE, NAME, SEVERITY, PAGE, SECTION] = Array(5).keys();

// The name of a document comes before its findings, once for its own and once for those across documents; names, hosts and
// targets are numbered as they come.
const findings = [], names = [], hosts = [], targets = [], known = new Map(), numbers = new Map(), places = new Map();
let current = 0;
for (const row of read("findings")) {
  if (typeof row === "string") {
    if (!known.has(row)) known.set(row, names.push(row) - 1);
    current = known.get(row);
    continue;
  }
  if (!numbers.has(row[HOST])) numbers.set(row[HOST], hosts.push(row[HOST]) - 1);
  row[HOST] = numbers.get(row[HOST]);
  if (!places.has(row[TARGET])) places.set(row[TARGET], targets.push(row[TARGET]) - 1);
  row[TARGET] = places.get(row[TARGET]);
  row[FILE] = current;
  findings.push(row);
}
const ROW_HEIGHT = 56;
// Browsers limit the height of an element to some millions of pixels, so the list has pages.
const PAGE_ROWS = 10000;
const byId = id => document.getElementById(id);
const list = byId("list"), rows = byId("rows"), detail = byId("detail");
const number = n => n.toLocaleString("en");

// Text only ever goes in as text: nothing of a document can become markup.
function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function value(finding) {
  const shown = element("bdi", "value", finding[BEFORE]);
  if (finding[AT]) shown.append(element("mark", "", finding[AT]));
  shown.append(finding[AFTER]);
  return shown;
}

function summarize() {
  byId("made").textContent = `linkfix ${facts.version}: ${facts.summary}`;
  const figures = [["documents", facts.documents, ""], ["links", facts.links, ""],
    ["errors", facts.counts.error || 0, "error"], ["warnings", facts.counts.warning || 0, "warning"],
    ["pieces of advice", facts.counts.advice || 0, "advice"]];
  for (const [name, count, severity] of figures)
    byId("summary").append(element("div", "", element("dt", "", name), element("dd", severity, number(count))));
  for (const problem of facts.problems) byId("problems").append(element("p", "", problem));
}

function tally(field, length) {
  const counts = new Array(length).fill(0);
  for (const finding of findings) counts[finding[field]]++;
  return counts.map((count, index) => [index, count]).filter(pair => pair[1]).sort((a, b) => b[1] - a[1]);
}

// The folder in which all documents are; lists leave it out.
let folder = "";
const inFolder = index => names[index].slice(folder.length);

function findFolder() {
  const above = path => path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
  folder = above(names[0] || "");
  for (const name of names) while (!name.startsWith(folder)) folder = above(folder);
}

function chart(title, pairs, name, severity, choose) {
  const SVG = "http://www.w3.org/2000/svg";
  const bars = element("ul");
  for (const [index, count] of pairs.slice(0, 12)) {
    const svg = document.createElementNS(SVG, "svg"), bar = document.createElementNS(SVG, "rect");
    svg.setAttribute("aria-hidden", "true");
    bar.setAttribute("height", "100%");
    bar.setAttribute("rx", "2");
    bar.setAttribute("width", `${Math.max(0.5, 100 * count / pairs[0][1])}%`);
    svg.append(bar);
    svg.setAttribute("class", severity(index));
    const button = element("button", "", element("span", "", name(index)), svg, element("span", "", number(count)));
    button.type = "button";
    button.title = name(index);
    button.addEventListener("click", () => choose(index));
    bars.append(element("li", "", button));
  }
  const more = pairs.length > 12 ? ` (12 of ${number(pairs.length)})` : "";
  if (pairs.length) byId("charts").append(element("div", "", element("h3", "", title + more), bars));
}

const ruleName = index => `${facts.rules[index][CODE]} ${facts.rules[index][NAME]}`;
const hostName = index => hosts[index] || "(no host)";

function option(select, index, text) {
  const made = element("option", "", text);
  made.value = index;
  byId(select).append(made);
}

function set(id, chosen) {
  byId(id).value = chosen;
  filter();
  list.focus();
}

function prepare() {
  const ofRules = tally(RULE, facts.rules.length), ofHosts = tally(HOST, hosts.length);
  const ofFiles = tally(FILE, names.length);
  // Only rules about files and fragments know the target of a link.
  const ofTargets = tally(TARGET, targets.length).filter(([index]) => targets[index]);
  chart("By rule", ofRules, ruleName, index => facts.rules[index][SEVERITY], index => set("rule", index));
  findFolder();
  chart(folder ? `By file in ${folder}` : "By file", ofFiles, inFolder, () => "", index => set("file", names[index]));
  chart("By target", ofTargets, index => targets[index], () => "", index => set("target", index));
  chart("By host", ofHosts.filter(([index]) => hosts[index]), hostName, () => "", index => set("host", index));
  for (const [index, count] of [...ofRules].sort((a, b) => a[0] - b[0])) option("rule", index, `${ruleName(index)} (${number(count)})`);
  for (const [index, count] of ofTargets.slice(0, 500)) option("target", index, `${targets[index]} (${number(count)})`);
  for (const [index, count] of ofHosts.slice(0, 500)) option("host", index, `${hostName(index)} (${number(count)})`);
}

// Rows are made when they are asked for: a part of them at a time.
function grow(parent, items, make, wrapper, part) {
  for (const item of items.slice(0, part)) parent.append(make(item));
  const rest = items.slice(part);
  if (!rest.length) return;
  const button = element("button", "", `Show ${number(Math.min(part, rest.length))} more of ${number(rest.length)}`);
  const last = wrapper(button);
  button.type = "button";
  button.addEventListener("click", () => {
    const next = last.previousSibling;
    last.remove();
    grow(parent, rest, make, wrapper, part);
    (next.nextSibling.querySelector("summary, button") || parent).focus();
  });
  parent.append(last);
}

const position = index => `${names[findings[index][FILE]]}:${findings[index][LINE]}:${findings[index][COLUMN]}`;
const item = child => element("li", "", child);
const wide = child => {
  const cell = element("td", "", child);
  cell.colSpan = 3;
  return element("tr", "", cell);
};

// A button that shows a finding in the list.
function place(index, text) {
  const button = element("button", "", text);
  button.type = "button";
  button.addEventListener("click", () => {
    for (const control of byId("filters").querySelectorAll("input, select")) control.value = "";
    filter();
    choose(index);
    list.scrollIntoView();
    list.focus();
  });
  return button;
}

function brokenTargets() {
  const leading = new Map();
  findings.forEach((finding, index) => {
    if (!targets[finding[TARGET]] || facts.rules[finding[RULE]][SEVERITY] === "advice") return;
    if (!leading.has(finding[TARGET])) leading.set(finding[TARGET], []);
    leading.get(finding[TARGET]).push(index);
  });
  const sorted = [...leading].sort((a, b) => b[1].length - a[1].length);
  byId("targets").hidden = !sorted.length;
  grow(byId("broken"), sorted, ([target, indices]) => {
    const codes = new Set(indices.map(index => facts.rules[findings[index][RULE]][NAME]));
    const title = element("summary", "", element("bdi", "value", targets[target]), ` ${[...codes].join(", ")}`);
    const places = element("ul"), details = element("details", "", title, places);
    details.addEventListener("toggle", () => places.firstChild || grow(places, indices, index => item(place(index, position(index))), item, 100));
    const documents = new Set(indices.map(index => findings[index][FILE])).size;
    return element("tr", "", element("td", "", number(indices.length)), element("td", "", number(documents)), element("td", "", details));
  }, wide, 25);
}

function orphans() {
  const found = findings.flatMap((finding, index) => facts.rules[finding[RULE]][NAME] === "orphan" ? [index] : []);
  byId("orphans").hidden = !found.length;
  byId("orphans-title").append(` (${number(found.length)})`);
  grow(byId("unlinked"), found, index => item(place(index, inFolder(findings[index][FILE]))), item, 25);
}

// The indices of the findings that the filters let through, the chosen one, and the first one of the page, in `shown`.
let shown = [], chosen = 0, start = 0;

function filter() {
  const wanted = byId("search").value.toLowerCase(), file = byId("file").value.toLowerCase();
  const severity = byId("severity").value, rule = byId("rule").value, host = byId("host").value;
  const target = byId("target").value;
  const files = file && new Set(names.flatMap((name, index) => name.toLowerCase().includes(file) ? [index] : []));
  shown = [];
  findings.forEach((finding, index) => {
    if (rule !== "" && finding[RULE] !== +rule) return;
    if (host !== "" && finding[HOST] !== +host) return;
    if (target !== "" && finding[TARGET] !== +target) return;
    if (severity && facts.rules[finding[RULE]][SEVERITY] !== severity) return;
    if (files && !files.has(finding[FILE])) return;
    if (wanted) {
      const text = `${finding[BEFORE]}${finding[AT]}${finding[AFTER]}\n${finding[REWRITE]}\n${finding[MESSAGE]}\n${ruleName(finding[RULE])}`;
      if (!text.toLowerCase().includes(wanted)) return;
    }
    shown.push(index);
  });
  byId("count").textContent = `${number(shown.length)} of ${number(findings.length)} findings`;
  turn(0);
  choose(0);
}

const end = () => Math.min(shown.length, start + PAGE_ROWS);

function turn(to) {
  start = to;
  rows.style.height = `${(end() - start) * ROW_HEIGHT}px`;
  list.scrollTop = 0;
  byId("pages").hidden = shown.length <= PAGE_ROWS;
  byId("back").disabled = start === 0;
  byId("next").disabled = end() === shown.length;
  byId("which").textContent = `${number(start + 1)} to ${number(end())} of ${number(shown.length)}`;
}

function draw() {
  const first = start + Math.max(0, Math.floor(list.scrollTop / ROW_HEIGHT) - 5);
  const last = Math.min(end(), start + Math.ceil((list.scrollTop + list.clientHeight) / ROW_HEIGHT) + 5);
  const made = [];
  for (let at = first; at < last; at++) {
    const finding = findings[shown[at]], rule = facts.rules[finding[RULE]];
    const title = element("p", "", element("strong", rule[SEVERITY], `${rule[SEVERITY]} ${rule[CODE]}`), " ", value(finding));
    const place = element("p", "place", `${names[finding[FILE]]}:${finding[LINE]}:${finding[COLUMN]}  ${finding[MESSAGE]}`);
    const row = element("div", "row", title, place);
    row.id = `row-${at}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", String(at === chosen));
    row.setAttribute("aria-posinset", at + 1);
    row.setAttribute("aria-setsize", shown.length);
    row.style.top = `${(at - start) * ROW_HEIGHT}px`;
    row.addEventListener("click", () => choose(at));
    made.push(row);
  }
  rows.replaceChildren(...made);
  if (shown.length && chosen >= first && chosen < last) list.setAttribute("aria-activedescendant", `row-${chosen}`);
  else list.removeAttribute("aria-activedescendant");
}

function choose(at) {
  chosen = Math.max(0, Math.min(shown.length - 1, at));
  if (chosen < start || chosen >= start + PAGE_ROWS) turn(chosen - chosen % PAGE_ROWS);
  const top = (chosen - start) * ROW_HEIGHT;
  if (top < list.scrollTop) list.scrollTop = top;
  else if (top + ROW_HEIGHT > list.scrollTop + list.clientHeight) list.scrollTop = top + ROW_HEIGHT - list.clientHeight;
  draw();
  explain();
}

function explain() {
  if (!shown.length) {
    detail.replaceChildren(element("p", "", findings.length ? "No finding is like that." : "Nothing was found."));
    return;
  }
  const finding = findings[shown[chosen]], rule = facts.rules[finding[RULE]];
  const [title, ...page] = rule[PAGE].split("\n");
  const parts = [
    element("h3", "", element("span", rule[SEVERITY], `${rule[SEVERITY]} ${rule[CODE]}`), ` ${rule[NAME]}`),
    element("p", "", finding[MESSAGE]),
    element("p", "place", `${names[finding[FILE]]}, line ${finding[LINE]}, column ${finding[COLUMN]}${finding[PLACE] && ", "}${finding[PLACE]}`),
  ];
  if (targets[finding[TARGET]]) parts.push(element("p", "place", `leads to ${targets[finding[TARGET]]}`));
  if (finding[PLACE]) parts.push(element("h3", "", "In the document"), element("p", "before", value(finding)));
  if (finding[REWRITE]) parts.push(element("h3", "", "After a rewrite"), element("p", "after", element("bdi", "value", finding[REWRITE])));
  parts.push(element("h3", "", title));
  for (const block of page.join("\n").trim().split("\n\n")) {
    const [heading, ...lines] = block.split("\n");
    const example = heading === "Example", text = lines.map(line => line.trim()).join(example ? "\n" : " ");
    parts.push(element("h4", "", heading), element("p", example ? "example" : "page", text));
  }
  parts.push(element("h4", "", "Source"), element("p", "page", rule[SECTION]));
  detail.replaceChildren(...parts);
  detail.scrollTop = 0;
}

const page = () => Math.max(1, Math.floor(list.clientHeight / ROW_HEIGHT) - 1);
const KEYS = { ArrowDown: () => chosen + 1, ArrowUp: () => chosen - 1, PageDown: () => chosen + page(), PageUp: () => chosen - page(), Home: () => 0, End: () => shown.length - 1 };
list.addEventListener("keydown", event => {
  if (event.key === "Enter") detail.focus();
  else if (event.key in KEYS) choose(KEYS[event.key]());
  else return;
  event.preventDefault();
});
detail.addEventListener("keydown", event => { if (event.key === "Escape") list.focus(); });
document.addEventListener("keydown", event => {
  if (event.key !== "/" || event.target.matches("input, select")) return;
  byId("search").focus();
  event.preventDefault();
});
byId("back").addEventListener("click", () => choose(start - PAGE_ROWS));
byId("next").addEventListener("click", () => choose(start + PAGE_ROWS));
let waiting = 0;
list.addEventListener("scroll", () => { waiting ||= requestAnimationFrame(() => { waiting = 0; draw(); }); });
let later = 0;
byId("filters").addEventListener("input", () => { clearTimeout(later); later = setTimeout(filter, 120); });
byId("filters").addEventListener("reset", () => setTimeout(filter));
byId("filters").addEventListener("submit", event => event.preventDefault());
summarize();
prepare();
brokenTargets();
orphans();
filter();
