/** Terms of a query that are looked for; the rest of a longer one is left out. */
const termsAtMost = 8;
const marks = /\p{M}+/gu;

/** A text as the search compares it: case, accents and compatibility forms do not matter. */
export const searchText = (text: string): string => text.normalize("NFKD").replace(marks, "").toLowerCase();

/** The terms of a query, each of which has to occur. */
export const searchTerms = (query: string): string[] => searchText(query).split(/\s+/u).filter(Boolean).slice(0, termsAtMost);

/** A LIKE pattern (escape character `!`) for texts that contain a term, whatever signs it has. */
export const containing = (term: string): string => `%${term.replace(/[!%_]/g, "!$&")}%`;

/** The stretch of `text` around the first of `terms` that occurs in it, cut at spaces where it can be; undefined when none occurs. */
export function excerptAround(text: string, terms: readonly string[], length = 160): string | undefined {
  const { folded, origins } = foldWithOrigins(text);
  const found = terms.map((term) => folded.indexOf(term)).filter((index) => index >= 0);
  if (found.length === 0) return undefined;
  // Where words begin comes first: that is what is marked.
  const at = matchRanges(text, terms)[0]?.[0] ?? origins[Math.min(...found)] ?? 0;
  const start = at <= length / 3 ? 0 : afterSpace(text, at - Math.floor(length / 3), at);
  const end = start + length >= text.length ? text.length : beforeSpace(text, start + length, at);
  return `${start > 0 ? "…" : ""}${text.slice(start, end).trim().replace(/\s+/gu, " ")}${end < text.length ? "…" : ""}`;
}

/** The first words of a text, on one line. */
export function beginningOf(text: string, length = 160): string {
  const end = length >= text.length ? text.length : beforeSpace(text, length, 0);
  return `${text.slice(0, end).trim().replace(/\s+/gu, " ")}${end < text.length ? "…" : ""}`;
}

/** Where the beginnings of words are that a query's words begin, as stretches of the text as written, in order, none within another. */
export function matchRanges(text: string, terms: readonly string[]): [start: number, end: number][] {
  const { folded, origins } = foldWithOrigins(text);
  const found: [number, number][] = [];
  for (const term of terms)
    for (let at = folded.indexOf(term); at >= 0; at = folded.indexOf(term, at + term.length))
      if (!/[\p{L}\p{N}]/u.test(folded.charAt(at - 1)) || !/[\p{L}\p{N}]/u.test(term.charAt(0)))
        found.push([origins[at] ?? 0, origins[at + term.length] ?? text.length]);
  const ranges: [number, number][] = [];
  for (const [start, end] of found.toSorted((one, other) => one[0] - other[0] || other[1] - one[1])) {
    const last = ranges.at(-1);
    if (last && start < last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** The folded text, and for each of its units where it came from: folding changes lengths. */
function foldWithOrigins(text: string): { folded: string; origins: number[] } {
  let folded = "";
  const origins: number[] = [];
  let index = 0;
  for (const character of text) {
    const piece = searchText(character);
    for (let unit = 0; unit < piece.length; unit += 1) origins.push(index);
    folded += piece;
    index += character.length;
  }
  return { folded, origins };
}

function afterSpace(text: string, from: number, limit: number): number {
  const space = text.slice(from, limit).search(/\s/u);
  return space < 0 ? whole(text, from) : from + space + 1;
}

function beforeSpace(text: string, to: number, limit: number): number {
  const stretch = text.slice(limit, to);
  const space = Math.max(stretch.lastIndexOf(" "), stretch.lastIndexOf("\n"));
  return space <= 0 ? whole(text, to) : limit + space;
}

/** Never between the halves of a surrogate pair. */
const whole = (text: string, index: number): number => (/[\uDC00-\uDFFF]/.test(text.charAt(index)) ? index - 1 : index);
