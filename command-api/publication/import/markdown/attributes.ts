/** What stands in `{#id .class key="value"}` (Pandoc) or `{: #id .class key='value'}` (kramdown). */
export interface Attributes {
  id?: string;
  classes: string[];
  values: Record<string, string>;
}

const item =
  /\s*(?:#([^\s{}#.="']+)|\.([^\s{}#."'=,]+)|([A-Za-z][\w:.-]*)\s*=\s*(?:"((?:[^"\\]|\\[\s\S])*)"|'((?:[^'\\]|\\[\s\S])*)'|([^\s{}"']+))|-(?=[\s}]))/y;

/**
 * Reads attributes that begin at `start` of a text with `{`.
 * @returns what they say and the index after `}`, or null when these are not attributes.
 */
export function readAttributes(text: string, start: number): { attributes: Attributes; end: number } | null {
  if (text[start] !== "{") return null;
  const attributes: Attributes = { classes: [], values: {} };
  let at = start + 1;
  if (text[at] === ":") at += 1;
  for (let found = 0; ; found += 1) {
    item.lastIndex = at;
    const match = item.exec(text);
    if (!match) {
      const rest = /^\s*\}/.exec(text.slice(at, at + 200));
      return rest && found > 0 ? { attributes, end: at + rest[0].length } : null;
    }
    const [, id, name, key, double, single, bare] = match;
    if (id) attributes.id = id;
    else if (name) attributes.classes.push(name);
    else if (key) attributes.values[key.toLowerCase()] = unescapeMarkdown(double ?? single ?? bare ?? "").replaceAll(/\s*\n\s*/g, " ");
    at = item.lastIndex;
  }
}

/** Takes back the backslashes before punctuation. */
export function unescapeMarkdown(text: string): string {
  return text.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
}
