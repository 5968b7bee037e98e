/**
 * Marks a quote in rendered text, also across emphasis, links, code and formulas. Only letters and digits are compared, so that typographic
 * quotes, line breaks and Markdown or TeX syntax make no difference.
 */

/** The position of a letter or digit. A formula is one piece and is marked as a whole. */
interface Place {
  node: Text | Element;
  offset: number;
}

interface Letters {
  text: string;
  places: Place[];
  /** Positions in `text` before which something else stands: white space, punctuation or the edge of a piece. */
  borders: Set<number>;
  /** All text nodes and formulas, also those without letters. */
  pieces: (Text | Element)[];
}

const letter = /[\p{L}\p{N}]/u;
/** Elements that are not part of the text. */
const beside = ".katex-html, .anchor, .block-anchor, .footnote-ref, .diagram-details, script, style";
/** The heads of code: a quote that goes over code leaves them out, and one may be the title of code itself. */
const heads = { none: ".code > figcaption", titles: ".code-language, .code-copy" } as const;

/** Elements within a word or a line; all others begin and end words. */
const inline = "a, abbr, b, code, del, em, i, ins, kbd, mark, s, samp, small, span, strong, sub, sup, u, var, wbr";

/** Letters and digits, normalised for comparison. */
function folded(text: string): string {
  return [...text.normalize("NFKD").toLowerCase()].filter((character) => letter.test(character)).join("");
}

function lettersOf(root: Element, headsOfCode: keyof typeof heads): Letters {
  const left = `${beside}, ${heads[headsOfCode]}`;
  let text = "";
  const places: Place[] = [];
  const pieces: (Text | Element)[] = [];
  const borders = new Set([0]);
  const add = (node: Text | Element, value: string): void => {
    pieces.push(node);
    let offset = 0;
    for (const character of value) {
      const plain = folded(character);
      if (plain === "" && !/\p{M}/u.test(character)) borders.add(text.length);
      text += plain;
      for (let count = 0; count < plain.length; count++) places.push({ node, offset });
      offset += character.length;
    }
  };
  const walk = (node: Node): void => {
    if (node instanceof Text) add(node, node.data);
    if (!(node instanceof Element) || node.matches(left)) return;
    const isBlock = !node.matches(inline);
    if (isBlock) borders.add(text.length);
    // A typeset formula is compared by its source.
    if (node.matches(".katex")) add(node, node.querySelector("annotation")?.textContent ?? node.textContent ?? "");
    else node.childNodes.forEach(walk);
    if (isBlock) borders.add(text.length);
  };
  walk(root);
  borders.add(text.length);
  return { text, places, borders, pieces };
}

/** Shortest prefix or suffix of a quote that counts as found: letters, and share of the quote. */
const enough = { letters: 24, share: 0.5 };

/** Scripts that put nothing between words. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** The first place of a quote that begins and ends with a word; -1 without one. */
function placeOf({ text, borders }: Pick<Letters, "text" | "borders">, quote: string): number {
  const first = text.indexOf(quote);
  for (let at = first; at >= 0; at = text.indexOf(quote, at + 1)) if (borders.has(at) && borders.has(at + quote.length)) return at;
  return unspaced.test(quote) ? first : -1;
}

/** The range of a quote; if only a part of it is there, of its longest prefix or suffix in whole words, unless `wholeOnly`. */
function find(letters: Pick<Letters, "text" | "borders">, quote: string, wholeOnly: boolean): [start: number, end: number] | null {
  if (!quote) return null;
  const { text, borders } = letters;
  const whole = placeOf(letters, quote);
  if (whole >= 0) return [whole, whole + quote.length];
  if (wholeOnly) return null;
  const head = longest(quote.length, (length) => text.includes(quote.slice(0, length)));
  const tail = longest(quote.length, (length) => text.includes(quote.slice(quote.length - length)));
  const part = head >= tail ? quote.slice(0, head) : quote.slice(quote.length - tail);
  let start = text.indexOf(part);
  let end = start + part.length;
  if (!unspaced.test(part)) {
    while (end > start && !borders.has(end)) end -= 1;
    while (start < end && !borders.has(start)) start += 1;
  }
  return end - start < Math.max(Math.min(enough.letters, quote.length), enough.share * quote.length) ? null : [start, end];
}

/** Binary search for the largest length that passes a monotonic test. */
function longest(limit: number, holds: (length: number) => boolean): number {
  let low = 0;
  let high = limit;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * Wraps the quote in `<mark class="cited">` elements below `root`. Returns them in order; none when it is not there.
 * @param options `whole`: a part of the quote does not count, because other sentences may share it
 */
export function markQuote(root: Element, quote: string, { whole = false } = {}): HTMLElement[] {
  const sought = folded(quote);
  let letters = lettersOf(root, "none");
  let found = find(letters, sought, whole);
  if (!found) {
    letters = lettersOf(root, "titles");
    found = find(letters, sought, true);
  }
  const { places, pieces } = letters;
  const first = found && places[found[0]];
  const last = found && places[found[1] - 1];
  if (!first || !last) return [];
  return pieces
    .slice(pieces.indexOf(first.node), pieces.indexOf(last.node) + 1)
    .filter((node) => !isLayout(node))
    .map((node) => {
      if (!(node instanceof Text)) return wrapElement(node);
      const end = node === last.node ? endOfQuote(node.data, last.offset) : node.data.length;
      return wrapText(node, node === first.node ? first.offset : 0, end);
    });
}

/** Invisible whitespace between blocks, items or cells. */
const isLayout = (node: Text | Element): boolean =>
  node instanceof Text &&
  !node.data.trim() &&
  !node.parentElement?.matches(
    "p, li, td, th, a, em, strong, b, i, s, code, span, h1, h2, h3, h4, h5, h6, figcaption, caption, summary, dd, dt, label",
  );

/** The end of the quote, including closing punctuation. */
function endOfQuote(data: string, lastLetter: number): number {
  const end = lastLetter + String.fromCodePoint(data.codePointAt(lastLetter) ?? 0).length;
  return end + (/^[.,;:!?)”’"']+/.exec(data.slice(end))?.[0].length ?? 0);
}

function wrapText(node: Text, from: number, to: number): HTMLElement {
  const piece = from > 0 ? node.splitText(from) : node;
  if (to - from < piece.data.length) piece.splitText(to - from);
  return wrapElement(piece);
}

function wrapElement(node: ChildNode): HTMLElement {
  const mark = document.createElement("mark");
  mark.className = "cited";
  node.replaceWith(mark);
  mark.append(node);
  return mark;
}

/** Removes marks and restores the text nodes. */
export function unmark(marks: readonly HTMLElement[]): void {
  for (const mark of marks) {
    const parent = mark.parentNode;
    mark.replaceWith(...mark.childNodes);
    parent?.normalize();
  }
}
