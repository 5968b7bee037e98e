/** A tag, or a comment, of HTML as it stands in a text. */
export interface Tag {
  name: string;
  closing: boolean;
  attributes: Record<string, string>;
}

/** Reads one tag. `null` for comments, declarations and what is no tag. */
export function readTag(html: string): Tag | null {
  const match = /^<(\/?)([A-Za-z][A-Za-z0-9-]*)([\s\S]*?)\/?>$/.exec(html.trim());
  if (!match) return null;
  const attributes: Record<string, string> = {};
  for (const [, key, double, single, bare] of (match[3] ?? "").matchAll(/([^\s=/"'<>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+)))?/g))
    if (key) attributes[key.toLowerCase()] = decodeEntities(double ?? single ?? bare ?? "");
  return { name: (match[2] ?? "").toLowerCase(), closing: match[1] === "/", attributes };
}

const named: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  larr: "←",
  uarr: "↑",
  rarr: "→",
  darr: "↓",
};

/** The characters that entities stand for: numbered ones and the few names that code and attributes need. */
export function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? "", 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Code in backticks, with as many as it needs. */
export function codeSpan(code: string): string {
  const longest = Math.max(0, ...(code.match(/`+/g) ?? []).map((run) => run.length));
  const mark = "`".repeat(longest + 1);
  const padded = code.startsWith("`") || code.endsWith("`") || /^ .* $/.test(code) ? ` ${code} ` : code;
  return `${mark}${padded}${mark}`;
}
