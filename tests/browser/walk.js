// Runs in the harness page through WebDriver's "execute async script".
// Takes:   the pages to load, [{number, path, scripting, watch}], and WebDriver's callback.
// Returns: for each page {url, charset, base, nodes, requests} as harness.py reads them, or {error}.
//
// Each page is loaded in an iframe of its own and walked inside the iframe's load event: a meta
// refresh starts its timer after that event, so it never gets to navigate away.
const [pages, finish] = arguments;
const HTML = "http://www.w3.org/1999/xhtml";
const WEB = new Set([HTML, "http://www.w3.org/2000/svg", "http://www.w3.org/1998/Math/MathML"]);
// Elements of feeds that may hold HTML as text, which a reader shows as a document of its own.
const HOLDERS = new Set(["content", "description", "encoded", "rights", "subtitle", "summary", "text", "title"]);
// What holds URLs in computed styles; those that an element's own style attribute sets come on top.
const STYLES = [
  "background-image", "border-image-source", "clip-path", "content", "cursor", "fill", "filter",
  "list-style-image", "marker-end", "marker-mid", "marker-start", "mask-image", "stroke",
];

// The strings in an attribute's value that the browser would resolve, in order.
function references(element, name, value) {
  if (name === "ping" || name === "profile") return value.split(/[\t\n\f\r ]+/).filter(Boolean);
  if (name === "archive") return value.split(/[\t\n\f\r ,]+/).filter(Boolean);
  if (name === "style" || /\burl\(/i.test(value)) return []; // the computed style has what CSS makes of it
  if (name === "srcset" || name === "imagesrcset") return candidates(value);
  if (name === "content" && isHtml(element, "meta")
      && (element.getAttribute("http-equiv") || "").toLowerCase() === "refresh") {
    return refresh(value);
  }
  return [value];
}

// HTML, "parse a srcset attribute", reduced to the URLs.
function candidates(value) {
  const found = [];
  let rest = value;
  for (;;) {
    rest = rest.replace(/^[\t\n\f\r ,]+/, "");
    const url = /^[^\t\n\f\r ]+/.exec(rest);
    if (!url) return found;
    found.push(url[0].replace(/,+$/, ""));
    rest = rest.slice(url[0].length);
    if (!url[0].endsWith(",")) rest = rest.replace(/^(?:\([^)]*\)?|[^,(])*/, "");
  }
}

// HTML, "shared declarative refresh steps", reduced to the URL.
function refresh(value) {
  const parts = /^[\t\n\f\r ]*(?:\d+|(?=\.))[\d.]*(?:[\t\n\f\r ]*[;,][\t\n\f\r ]*|[\t\n\f\r ]+)([^]+)$/.exec(value);
  if (!parts) return [];
  const url = parts[1].replace(/^url[\t\n\f\r ]*=[\t\n\f\r ]*/i, "");
  const quote = /^["']/.exec(url);
  return [quote ? url.slice(1).split(quote[0])[0] : url];
}

// Property getters that a form control named "attributes" or "children" cannot shadow.
function getter(prototype, name) {
  const { get } = Object.getOwnPropertyDescriptor(prototype, name);
  return object => get.call(object);
}
const attributesOf = getter(Element.prototype, "attributes");
const shadowRootOf = getter(Element.prototype, "shadowRoot");
const namespaceOf = getter(Element.prototype, "namespaceURI");
const localNameOf = getter(Element.prototype, "localName");
const contentOf = getter(HTMLTemplateElement.prototype, "content");
const childNodesOf = getter(Node.prototype, "childNodes");

// The URLs in a computed value, which Chromium gives as CSS strings.
function urlsIn(value) {
  return Array.from(value.matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g), match => match[1].replace(/\\(.)/g, "$1"));
}

function walk(page, watch) {
  const anchor = page.createElementNS(HTML, "a");
  const styled = page.defaultView && page.querySelector("style, [style], [background], svg") !== null;
  const nodes = [];

  // What the style of an element leads to, wherever that is written; of a style element, its imports.
  function styles(element) {
    if (!styled || element.ownerDocument !== page) return [];
    const names = new Set(STYLES);
    for (const name of element.style || []) if (!name.startsWith("--")) names.add(name);
    const computed = page.defaultView.getComputedStyle(element);
    const found = Array.from(names, name => urlsIn(computed.getPropertyValue(name))).flat();
    const rules = element.sheet && !element.sheet.href ? Array.from(element.sheet.cssRules) : [];
    return found.concat(rules.filter(rule => rule.href).map(rule => absolute(rule.href, page.baseURI)));
  }

  // What the document in a srcdoc leads to, link by link.
  function inner(element) {
    if (!element.contentDocument) return [];
    const { nodes } = walk(element.contentDocument, false);
    return nodes.flatMap(([, , , attributes, , , styles]) => attributes.flatMap(([, , urls]) => urls).concat(styles));
  }

  // The property that reflects an attribute, if it is a string: resolved, if the attribute is a URL.
  function reflected(element, name) {
    for (const property in element) {
      if (property.toLowerCase() === name && typeof element[property] === "string") return element[property];
    }
    return null;
  }

  // What a link with this value would lead to; null where the browser cannot parse it.
  function resolve(element, value) {
    if (isHtml(element, "base")) {
      // A base is read against the document's address, and its query as UTF-8.
      return absolute(value, page.URL);
    }
    anchor.setAttribute("href", value);
    return anchor.protocol === ":" ? null : anchor.href;
  }

  function visit(node, depth) {
    if (node.nodeType === Node.ELEMENT_NODE) visitElement(node, depth);
    else if (node.nodeType === Node.COMMENT_NODE || node.nodeType === Node.PROCESSING_INSTRUCTION_NODE) {
      nodes.push([depth, null, node.nodeName, [], node.data, null, []]);
    } else if (node.nodeType === Node.DOCUMENT_TYPE_NODE) {
      nodes.push([depth, null, "#doctype", [], [node.name, node.publicId, node.systemId].join(" "), null, []]);
    }
  }

  function visitElement(element, depth) {
    const attributes = Array.from(attributesOf(element), ({ name, value }) => [
      name,
      value,
      name === "srcdoc" ? inner(element) : references(element, name, value).map(text => resolve(element, text)),
      watch ? reflected(element, name) : null,
    ]);
    const children = Array.from(childNodesOf(element));
    const text = children.filter(isText).map(child => child.data).join("");
    const held = HOLDERS.has(localNameOf(element)) && !WEB.has(namespaceOf(element)) && /<[a-z]/i.test(text);
    const url = held || localNameOf(element) === "style" ? null : resolve(element, text);
    nodes.push([
      depth, namespaceOf(element), localNameOf(element), attributes, held ? "" : text, url, styles(element),
    ]);
    if (held) {
      const { nodes: inside } = walk(new DOMParser().parseFromString(text, "text/html"), false);
      for (const [inner, ...rest] of inside) nodes.push([depth + 1 + inner, ...rest]);
    }
    const roots = [shadowRootOf(element), isHtml(element, "template") ? contentOf(element) : null];
    for (const root of roots) if (root) children.push(...root.childNodes);
    for (const child of children) visit(child, depth + 1);
  }

  for (const child of page.childNodes) visit(child, 0);
  return { url: page.URL, charset: page.characterSet, base: page.baseURI, nodes };
}

function absolute(value, base) {
  try { return new URL(value, base).href; } catch { return null; }
}

function isHtml(element, localName) {
  return namespaceOf(element) === HTML && localNameOf(element) === localName;
}

function isText(node) {
  return node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE;
}

// What a document asks for, or would if it were let: the policy reports what it has stopped, and no
// navigation goes ahead. Every link is clicked and every form submitted.
async function requests(view) {
  const found = [];
  const report = reports => found.push(...reports.map(({ body }) => body.blockedURL));
  const observer = new view.ReportingObserver(report, { types: ["csp-violation"], buffered: true });
  observer.observe();
  view.navigation.onnavigate = event => {
    found.push(event.destination.url);
    if (!event.hashChange) event.preventDefault();
  };
  for (const element of view.document.querySelectorAll("*")) {
    element.dispatchEvent(new view.MouseEvent("click", { bubbles: true, cancelable: true, view }));
    if (isHtml(element, "form")) element.requestSubmit();
  }
  await new Promise(resolve => setTimeout(resolve, 30)); // a refresh after 0 seconds
  report(observer.takeRecords());
  return found;
}

// A form posts the number of the document to its address: the address stays what the document's
// relative references need, and the number cannot reach the server late, as a cookie can.
function load({ number, path, scripting, watch }) {
  return new Promise(resolve => {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.name = `frame${number}`;
    if (!scripting) frame.sandbox = "allow-same-origin";
    const form = document.createElement("form");
    form.method = "post";
    form.action = path;
    form.target = frame.name;
    form.innerHTML = `<input name=document value=${number}>`;
    document.body.append(frame, form);
    frame.onload = async () => {
      frame.onload = null;
      let result;
      try {
        result = walk(frame.contentDocument, watch);
        result.requests = watch ? await requests(frame.contentWindow) : [];
      } catch (error) {
        result = { error: String(error) };
      }
      frame.remove();
      form.remove();
      resolve(result);
    };
    form.submit();
  });
}

Promise.all(pages.map(load)).then(finish);
