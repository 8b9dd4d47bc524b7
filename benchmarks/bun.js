// Bun's HTMLRewriter (lol-html) over a list of documents.
//
//     bun benchmarks/bun.js TASK MODE SECONDS < PATHS
//
// Does what measure.py does, and writes what it writes. MODE is "changed" (set what changes), "all" (set
// every value), "read" (look at the values only) or "none" (look at nothing).
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [mode, seconds] = [process.argv[3], Number(process.argv[4])];
const attributes = JSON.parse(readFileSync(join(import.meta.dir, "links.json"), "utf8")).html;
const URI = /^(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;

function work(document) {
  let links = 0;
  let changed = 0;
  const fix = (value) => {
    links += 1;
    if (URI.test(value)) return value;
    const fixed = encodeURI(value.toWellFormed()).replaceAll("%25", "%");
    if (fixed !== value) changed += 1;
    return fixed;
  };
  const rewriter = new HTMLRewriter();
  for (const name of mode === "none" ? [] : attributes) {
    rewriter.on(`[${name}]`, {
      element(element) {
        const value = element.getAttribute(name) ?? "";
        if (mode === "read") {
          links += 1;
          return;
        }
        const fixed = fix(value);
        if (mode === "all" || fixed !== value) element.setAttribute(name, fixed);
      },
    });
  }
  const output = Buffer.from(rewriter.transform(document));
  return { links, changed, output };
}

const paths = (await Bun.stdin.text()).split("\n").filter(Boolean);
const sample = { octets: [], cpu: [], wall: [], links: 0, changed: 0, unchanged: 0, same: 0, errors: 0 };
work(readFileSync(paths[0]));
let spent = 0;
for (const path of paths) {
  const document = readFileSync(path);
  const wall = performance.now();
  const cpu = process.cpuUsage();
  let done = { links: 0, changed: 0, output: document };
  try {
    done = work(document);
  } catch (error) {
    console.error(`${path}: ${error}`);
    sample.errors += 1;
  }
  const used = process.cpuUsage(cpu);
  sample.wall.push((performance.now() - wall) / 1e3);
  sample.cpu.push((used.user + used.system) / 1e6);
  sample.octets.push(document.length);
  sample.links += done.links;
  sample.changed += done.changed;
  if (mode !== "read" && done.changed === 0) {
    sample.unchanged += 1;
    sample.same += Number(document.equals(done.output));
  }
  spent += (used.user + used.system) / 1e6;
  if (spent > seconds) break;
}
const status = existsSync("/proc/self/status") ? readFileSync("/proc/self/status", "utf8") : "";
const resident = /VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? process.resourceUsage().maxRSS;
sample.peak = Number(resident) / 1024;
console.log(JSON.stringify(sample));
