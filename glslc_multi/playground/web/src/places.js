// Places in the text: the compiler counts bytes of UTF-8, the editor units of UTF-16.

// A function from the one to the other, for one text.
export function placesOf(text) {
  if (/^[\x00-\x7f]*$/.test(text)) return byte => Math.min(byte, text.length);
  const starts = [];
  let unit = 0;
  for (const character of text) {
    const size = character.codePointAt(0);
    for (let byte = size < 0x80 ? 1 : size < 0x800 ? 2 : size < 0x10000 ? 3 : 4; byte; byte--) starts.push(unit);
    unit += character.length;
  }
  return byte => starts[byte] ?? text.length;
}

// The edits of a diagnostic in one file; [] where some lie in another one.
export function editsOf(diagnostic, name, text) {
  const place = placesOf(text);
  if (!diagnostic.fixes.every(fix => fix.physical_file === name)) return [];
  return diagnostic.fixes.map(fix => ({from: place(fix.start_byte), to: place(fix.end_byte), insert: fix.text}));
}

// What the edits do, in words.
export function editsInWords(edits, text) {
  const words = edits.map(({from, to, insert}) => {
    const old = text.slice(from, to).trim(), made = insert.trim();
    if (!old) return `insert '${made}'`;
    return made ? `replace '${short(old)}' by '${short(made)}'` : `remove '${short(old)}'`;
  });
  return words.join(", ");
}

const short = text => (text.length > 40 ? `${text.slice(0, 39)}…` : text);
