// Runs the wheel of linkfix in Pyodide. Everything is loaded from the folder of this page.
const field = (name) => document.getElementById(name);

function fill(table, rows) {
  const body = field(table).tBodies[0];
  body.replaceChildren();
  for (const row of rows) {
    const line = body.insertRow();
    for (const text of row) line.insertCell().textContent = text;
  }
}

function show(result) {
  fill("links", result.links);
  fill("findings", result.findings);
  field("diff").replaceChildren();
  for (const line of result.diff) {
    const span = document.createElement("span");
    span.className = { "+": "new", "-": "old" }[line[0]] ?? "";
    span.textContent = line + "\n";
    field("diff").append(span);
  }
  field("state").textContent = result.state;
}

async function start() {
  const { loadPyodide } = await import("./pyodide/pyodide.mjs");
  const python = await loadPyodide({ indexURL: new URL("pyodide/", import.meta.url).href });
  for (const wheel of await (await fetch("wheels.json")).json()) {
    python.unpackArchive(await (await fetch("wheels/" + wheel)).arrayBuffer(), "wheel");
  }
  python.runPython(await (await fetch("playground.py")).text());
  for (const name of python.globals.get("charsets")()) field("charset").add(new Option(name));
  field("charset").value = "Shift_JIS";
  field("form").addEventListener("submit", (event) => {
    event.preventDefault();
    const given = ["document", "charset", "to", "base"].map((name) => field(name).value);
    show(JSON.parse(python.globals.get("look")(...given)));
  });
  field("run").disabled = false;
  field("state").textContent = python.globals.get("about")();
}

start().catch((error) => {
  console.error(error);
  field("state").textContent = "This site was built without Pyodide, or it cannot be loaded here: " + error.message;
});
