// Runs in the harness page through WebDriver's "execute async script".
// Takes:   pairs of documents, the second one a rewrite of the first, and WebDriver's callback.
// Returns: for each pair {attributes, changed, text, problems}: the attributes of the first whose values hold a
//          mark (L and a number), and those that the second has other values of, as [namespace, element,
//          attribute, value]; the marks in text and comments; and what else the second differs in.
const [pairs, finish] = arguments;
const MARK = /L\d+/g;
const parser = new DOMParser();

function name(node) {
  if (node.nodeType === Node.ELEMENT_NODE) return `{${node.namespaceURI}}${node.localName}`;
  if (node.nodeType === Node.DOCUMENT_TYPE_NODE) return `!${node.name} ${node.publicId} ${node.systemId}`;
  return node.nodeName;
}

function children(node) {
  return node.nodeName === "TEMPLATE" && node.content ? node.content.childNodes : node.childNodes;
}

function compare([before, after]) {
  const found = { attributes: [], changed: [], text: [], problems: [] };
  const stack = [[parser.parseFromString(before, "text/html"), parser.parseFromString(after, "text/html")]];
  while (stack.length) {
    const [one, two] = stack.pop();
    if (name(one) !== name(two)) {
      found.problems.push(`${name(one)} became ${name(two)}`);
      break;
    }
    if (one.nodeType === Node.ELEMENT_NODE) {
      const names = one.getAttributeNames();
      if (names.join() !== two.getAttributeNames().join()) found.problems.push(`attributes of ${name(one)}`);
      for (const attribute of names) {
        const value = one.getAttribute(attribute);
        const place = [one.namespaceURI, one.localName, attribute, value];
        if (value.match(MARK)) found.attributes.push(place);
        if (value !== two.getAttribute(attribute)) found.changed.push(place);
      }
    } else if (one.data !== undefined) {
      if (one.data !== two.data) found.problems.push(`${name(one)}: ${one.data} became ${two.data}`);
      found.text.push(...(one.data.match(MARK) || []));
    }
    const [ones, twos] = [children(one), children(two)];
    if (ones.length !== twos.length) found.problems.push(`children of ${name(one)}`);
    for (let n = Math.min(ones.length, twos.length); n--; ) stack.push([ones[n], twos[n]]);
  }
  return found;
}

finish(pairs.map(compare));
