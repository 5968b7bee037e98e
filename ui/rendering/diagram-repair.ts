/**
 * Mends what models commonly get wrong in Mermaid source, line by line. Only for source that its parser has refused: on valid
 * source this could change the meaning. What comes out is parsed again and drawn only if it is valid.
 */
export function repairDiagram(source: string): string {
  const lines = withoutFences(straightQuotes(source)).split("\n").map(comment);
  const kind = /^\s*(\w+)/.exec(lines.find((line) => line.trim() && !line.trim().startsWith("%%")) ?? "")?.[1] ?? "";
  if (/^classDiagram/.test(kind)) return joinNotes(lines).flatMap(classLine).join("\n");
  if (/^(?:flowchart|graph)$/.test(kind)) return lines.map(flowLine).join("\n");
  if (/^sequenceDiagram$/.test(kind)) return lines.map(sequenceLine).join("\n");
  return lines.join("\n");
}

const straightQuotes = (text: string): string => text.replace(/[“”„«»]/g, '"').replace(/[‘’‚]/g, "'");

const withoutFences = (text: string): string =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join("\n");

const comment = (line: string): string => line.replace(/^(\s*)\/\/+/, "$1%%");

const noteStart = /^\s*note\s+(?:for|over|right\s+of|left\s+of|right|left)\s+/i;

/** Notes written over several lines up to `end note` become one line each. */
function joinNotes(lines: string[]): string[] {
  const joined: string[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const end =
      noteStart.test(line) && !line.includes('"') && !/:\s*\S/.test(line.replace(/::/g, ""))
        ? lines.findIndex((later, at) => at > index && /^\s*end\s*note\s*;?\s*$/i.test(later))
        : -1;
    if (end < 0) joined.push(line);
    else {
      const text = lines
        .slice(index + 1, end)
        .map((part) => part.trim())
        .filter(Boolean);
      joined.push(`${line.replace(/:\s*$/, "").trimEnd()} : ${text.join("\\n")}`);
      index = end;
    }
  }
  return joined;
}

/** A line of a class diagram. A note for several classes becomes one note for each. */
function classLine(line: string): string[] {
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const text = line.trim().replace(/;$/, "");
  const start = noteStart.exec(text) ?? /^note\s+(?=[A-Za-z_]\w*\s+")/i.exec(text);
  if (start) {
    const rest = text.slice(start[0].length);
    const parts = /^("?[\w.`~]+"?(?:::\w+)?(?:\s*,\s*"?[\w.`~]+"?(?:::\w+)?)*)\s*(?::\s*)?(.+)$/s.exec(rest);
    if (!parts?.[1] || !parts[2]) return [line];
    const words = quoted(parts[2]);
    return parts[1].split(",").map((name) => `${indent}note for ${name.trim().replace(/^"|"$/g, "").replace(/::.*$/, "")} ${words}`);
  }
  const note = /^note\s*:?\s*(?!for\b)(.+)$/i.exec(text);
  if (note?.[1] && !/^note\s+"[^"]*"$/.test(text)) return [`${indent}note ${quoted(note[1])}`];
  return [indent + generics(relation(text))];
}

/** Text in double quotes, with quotes inside it as entities. */
function quoted(text: string): string {
  const bare = text.trim().replace(/;$/, "").trim();
  const inner = /^"(.*)"$/s.exec(bare)?.[1] ?? /^'(.*)'$/s.exec(bare)?.[1] ?? bare;
  return `"${inner.replace(/\\?"/g, "#quot;")}"`;
}

/** `Map<K,V>` is written `Map~K,V~`; arrows and `<<stereotypes>>` stay. */
const generics = (text: string): string => text.replace(/(\b[A-Za-z_]\w*)<([A-Za-z_][\w, ]*)>/g, "$1~$2~");

/** A second colon in a relation's label would end it. */
const relation = (text: string): string =>
  text.replace(
    /^([\w~"`. ]+(?:<\|--|--\|>|\*--|o--|-->|<--|--|\.\.>|<\.\.|\.\.\|>|<\|\.\.|\.\.)[^:]+:)(.*)$/,
    (_, head: string, label: string) => head + label.replaceAll(":", "#58;"),
  );

/** Labels with brackets or quotes inside are quoted; a node cannot be called `end`. */
function flowLine(line: string): string {
  if (/^\s*(?:end|subgraph\b.*|%%.*|style\b.*|classDef\b.*|linkStyle\b.*|class\b.*)$/.test(line)) return line;
  return line
    .replace(
      /(\b\w+)\[(?![[("/\\])([^\]"]*[(){}"|][^\]]*)\]/g,
      (_, id: string, label: string) => `${id}["${label.replaceAll('"', "#quot;")}"]`,
    )
    .replace(/(\b\w+)\{(?!["{])([^}"]*[()[\]"|][^}]*)\}/g, (_, id: string, label: string) => `${id}{"${label.replaceAll('"', "#quot;")}"}`)
    .replace(/(^|[\s>-])end(?=\s*(?:[[({]|-->|---|-\.|==|$))/g, "$1End");
}

/** A semicolon in a message would end it. */
const sequenceLine = (line: string): string =>
  line.replace(
    /^(\s*\S.*?:)(.*;.*)$/,
    (_, head: string, words: string) => head + words.replace(/(?<!#\w{1,8});(?=.)/g, "#59;").replace(/;\s*$/, ""),
  );
