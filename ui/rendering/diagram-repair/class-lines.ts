const noteStart = /^\s*note\s+(?:for|over|right\s+of|left\s+of|right|left)\s+/i;

/** Notes written over several lines up to `end note` become one line each. */
export function joinNotes(lines: string[]): string[] {
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
export function classLine(line: string): string[] {
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
  return declared(generics(relation(text))).map((part) => indent + part);
}

/** Text in double quotes, with quotes inside it as entities. */
function quoted(text: string): string {
  const bare = text.trim().replace(/;$/, "").trim();
  const inner = /^"(.*)"$/s.exec(bare)?.[1] ?? /^'(.*)'$/s.exec(bare)?.[1] ?? bare;
  return `"${inner.replace(/\\?"/g, "#quot;")}"`;
}

/** `Map<K,V>` is written `Map~K,V~`; arrows and `<<stereotypes>>` stay. */
const generics = (text: string): string => text.replace(/(\b[A-Za-z_]\w*)<([A-Za-z_][\w, ]*)>/g, "$1~$2~");

/** A second colon in a relation's label would end it; a single arrow has two dashes here; `::` in a name is none of its signs. */
const relation = (text: string): string =>
  text
    .replace(/(^|\s)->(?=\s)/, "$1-->")
    .replace(/(\w)::(?=\w)/g, "$1_")
    .replace(
      /^([\w~"`. ]+(?:<\|--|--\|>|\*--|o--|-->|<--|--|\.\.>|<\.\.|\.\.\|>|<\|\.\.|\.\.)[^:]+:)(.*)$/,
      (_, head: string, label: string) => head + label.replaceAll(":", "#58;"),
    );

/** Rewrites `interface`, `abstract class`, `enum` and quoted class names to Mermaid's syntax. */
function declared(text: string): string[] {
  const [, kind, name, body] = /^(interface|abstract(?:\s+class)?|enum)\s+([A-Za-z_][\w~]*)\s*(\{?)\s*$/i.exec(text) ?? [];
  if (kind && name) {
    const word = kind.toLowerCase() === "enum" ? "enumeration" : kind.toLowerCase().split(/\s/)[0];
    return body ? [`class ${name} {`, `  <<${word}>>`] : [`class ${name}`, `<<${word}>> ${name}`];
  }
  return [text.replace(/^class\s+"([^"]+)"/, (_, title: string) => `class ${title.replace(/\W+/g, "_")}["${title}"]`)];
}

/** Moves notes out of class bodies; a note without a class belongs to the surrounding one. */
export function notesOutOfBodies(lines: string[]): string[] {
  const out: string[] = [];
  let within: string | null = null;
  let notes: string[] = [];
  for (const line of lines) {
    const [, name] = /^\s*class\s+([\w~`.-]+).*\{\s*$/.exec(line) ?? [];
    const [, words] = /^\s*note\s+(?:for\s+\S+\s+)?("[^"]*")\s*$/.exec(line) ?? [];
    if (within && words) {
      notes.push(/\bfor\b/.test(line.slice(0, line.indexOf('"'))) ? line.trim() : `note for ${within} ${words}`);
      continue;
    }
    if (name) within = name.replace(/~.*$/, "");
    out.push(line);
    if (within && /^\s*\}\s*$/.test(line)) {
      out.push(...notes);
      notes = [];
      within = null;
    }
  }
  return out;
}
