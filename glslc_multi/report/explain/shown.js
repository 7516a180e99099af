// What the page and the playground show in the same way: the bits of a word, and the lines of a step.

// A new element at the end of `parent`.
export function make(parent, tag, text, facts) {
  const element = parent.appendChild(document.createElement(tag));
  if (text !== undefined) element.textContent = text;
  for (const [name, value] of Object.entries(facts || {})) element.setAttribute(name, value);
  return element;
}

// A word with all its parts, as `data.py` has them.
export function showWord(place, [address, text, parts], formats) {
  place.replaceChildren();
  make(place, "code", `${address}  ${text}`);
  for (const [format, hex, values] of parts) showPart(place, formats[format], hex, values);
}

// The bits in rows of 32, coloured by their fields, and what each field says.
function showPart(place, format, hex, values) {
  make(place, "h3", `${format.name}, ${format.size} bits: ${hex}`);
  const bits = BigInt("0x" + hex).toString(2).padStart(format.size, "0");
  const owner = new Array(format.size).fill(-1);
  format.fields.forEach(([, low, width], index) => owner.fill(index, low, low + width));
  const row = Math.min(32, format.size);
  for (let high = format.size - 1; high >= 0; high -= high % row + 1) {
    const line = make(place, "div", undefined, {class: "bitrow"});
    for (let start = high, last = high - high % row; start >= last;) {
      let end = start;
      while (end > last && owner[end - 1] === owner[start]) end--;
      const width = start - end + 1, index = owner[start];
      const digits = bits.slice(format.size - 1 - start, format.size - end);
      const cell = make(line, "span", digits, {style: `flex:${width};--hue:${hue(index)}`});
      if (index < 0) cell.className = "free";
      else cell.title = `${format.fields[index][0]} = ${values[index]}`;
      start = end - 1;
    }
  }
  const table = make(place, "table");
  format.fields.forEach(([name, low, width, doc], index) => {
    const line = make(table, "tr"), first = make(line, "td");
    make(first, "span", undefined, {class: "swatch", style: `--hue:${hue(index)}`});
    first.append(name);
    make(line, "td", width > 1 ? `${low + width - 1}:${low}` : `${low}`);
    make(line, "td", `${values[index]}`);
    make(line, "td", doc);
  });
}

function hue(index) { return (index * 137.5 + 200) % 360; }

// The lines of a step; those that the step before did not have are marked.
export function showStep(place, data, number) {
  const [, lines] = data.steps[number], before = new Map();
  if (number) for (const line of data.steps[number - 1][1]) before.set(line, (before.get(line) || 0) + 1);
  place.replaceChildren();
  for (const line of lines) {
    const [text, keys] = data.lines[line], left = before.get(line) || 0;
    before.set(line, left - 1);
    const element = make(place, "div", text || " ", {class: number && left <= 0 ? "new" : "old"});
    if (keys) element.dataset.k = keys;
  }
}
