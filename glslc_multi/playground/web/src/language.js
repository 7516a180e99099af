// GLSL for the editor: colours by the compiler's own tables of words.

import {StreamLanguage, syntaxHighlighting} from "@codemirror/language";
import {Tag, tagHighlighter} from "@lezer/highlight";

const KINDS = ["keyword", "qualifier", "type", "constant", "reserved", "function", "variable", "comment", "directive",
  "number"];
// Names of tokens that begin otherwise have a meaning for the editor already.
const TAGS = Object.fromEntries(KINDS.map(kind => [`g-${kind}`, Tag.define()]));

// `words` says of each word what it is.
export function glsl(words) {
  const kinds = new Map(Object.entries(words));
  const language = StreamLanguage.define({
    name: "glsl",
    tokenTable: TAGS,
    startState: () => ({inComment: false}),
    token: (stream, state) => token(stream, state, kinds),
    languageData: {commentTokens: {line: "//", block: {open: "/*", close: "*/"}}, closeBrackets: {brackets: ["(", "[", "{"]}},
  });
  return [language, syntaxHighlighting(tagHighlighter(Object.entries(TAGS).map(([name, tag]) => ({tag, class: name}))))];
}

function token(stream, state, kinds) {
  if (state.inComment) return comment(stream, state);
  if (stream.sol() && stream.match(/^\s*#\s*[A-Za-z]*/)) return "g-directive";
  if (stream.eatSpace()) return null;
  if (stream.match("//")) {
    stream.skipToEnd();
    return "g-comment";
  }
  if (stream.match("/*")) return comment(stream, state);
  if (stream.match(/^\.?\d(?:[eE][+-]\d|[\w.])*/)) return "g-number";
  const word = stream.match(/^[A-Za-z_]\w*/);
  if (word) return kinds.has(word[0]) ? `g-${kinds.get(word[0])}` : null;
  stream.next();
  return null;
}

function comment(stream, state) {
  state.inComment = !stream.match(/^.*?\*\//);
  if (state.inComment) stream.skipToEnd();
  return "g-comment";
}
