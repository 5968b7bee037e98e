const reserved = /(^|[\s>-])(class|style|graph|click|default|subgraph)(?=\s*(?:-->|---|-\.|==))/g;
/** A node name of two words, outside labels. */
const twoWordName = /(^\s*|[>&|-]\s+)([A-Za-z]+) (\w+)(?=[[({])/g;
const arrow = "(?:--+>|---+|-\\.+->|==+>)";

/** A line of a flowchart. */
export function flowLine(line: string): string {
  if (
    /^\s*(?:end|%%.*|style\b.*|classDef\b.*|linkStyle\b.*|class\s+[\w,]+\s+\w+|click\b.*|direction\b.*|accTitle\b.*|accDescr\b.*)$/.test(
      line,
    )
  )
    return line;
  const title = /^(\s*subgraph\s+)([^"[]*[(){}|:].*)$/.exec(line);
  if (title?.[1] && title[2]) return `${title[1]}"${entities(title[2].trim())}"`;
  if (/^\s*subgraph\b(?!\s*-)/.test(line)) return line;
  const arrows = line
    .replace(/\s+(?:#|\/\/)\s.*$/, "")
    .replace(/\s*(?:→|⟶|➔|–>|—>)\s*/g, " --> ")
    .replace(/-->>/g, "-->")
    .replace(/(?<=\s)->(?=\s)/g, "-->");
  const labelled = quoteLabels(arrows.replace(twoWordName, "$1$2_$3"));
  return labelled
    .replace(/\|(?!")([^|"]*[()[\]{}][^|"]*)\|/g, (_, label: string) => `|"${entities(label.trim())}"|`)
    .replace(
      new RegExp(`^(\\s*\\S+\\s*${arrow})\\s*(\\w+)\\s*:\\s*(\\S.*)$`),
      (_, from: string, to: string, label: string) => `${from}|"${entities(label)}"| ${to}`,
    )
    .replace(
      /(--\s+)(?!")([^">|-][^"|]*[()[\]{},][^"|]*?)(\s+--+>)/g,
      (_, open: string, label: string, close: string) => `${open}"${entities(label)}"${close}`,
    )
    .replace(/(^|[\s>-])end(?=\s*(?:[[({]|-->|---|-\.|==|$))/g, "$1End")
    .replace(reserved, (_, before: string, word: string) => before + word.charAt(0).toUpperCase() + word.slice(1));
}

const entities = (text: string): string => text.replaceAll('"', "#quot;");

const closers: Record<string, string> = { "[": "]", "(": ")", "{": "}" };
/** Shapes by their brackets, the longer first. */
const shapes = [
  ["([", "])"],
  ["[(", ")]"],
  ["[[", "]]"],
  ["((", "))"],
  ["{{", "}}"],
  ["[/", "/]"],
  ["[/", "\\]"],
  ["[\\", "\\]"],
  ["[\\", "/]"],
  ["[", "]"],
  ["(", ")"],
  ["{", "}"],
] as const;

/** Quotes labels that contain syntax characters: `A[call f(x)]`, `B((g(y)))`, `C[list: [1, 2]]`. */
export function quoteLabels(line: string): string {
  let out = "";
  let at = 0;
  for (const found of line.matchAll(/[\w-]*\w(?=[[({])/g)) {
    const open = found.index + found[0].length;
    if (found.index < at) continue;
    const close = closing(line, open);
    if (close < 0) continue;
    out += line.slice(at, open) + quotedShape(line.slice(open, close + 1));
    at = close + 1;
  }
  return out + line.slice(at);
}

/** The index of the closing bracket, or -1. */
function closing(line: string, open: number): number {
  const stack: string[] = [];
  for (let at = open; at < line.length; at++) {
    const sign = line[at] ?? "";
    if (closers[sign]) stack.push(closers[sign]);
    else if (sign === stack.at(-1)) {
      stack.pop();
      if (stack.length === 0) return at;
    }
  }
  return -1;
}

function quotedShape(raw: string): string {
  const [open, close] = shapes.find(
    ([left, right]) => raw.startsWith(left) && raw.endsWith(right) && raw.length >= left.length + right.length,
  ) ?? ["", ""];
  const label = raw.slice(open.length, raw.length - close.length);
  const inner = /^"(.*)"$/s.exec(label)?.[1];
  if (inner !== undefined) return inner.includes('"') ? `${open}"${entities(inner)}"${close}` : raw;
  if (label.trim() === "") return `${open}" "${close}`;
  return /[()[\]{}"|/\\<>;]/.test(label) ? `${open}"${entities(label)}"${close}` : raw;
}
