/**
 * Finds the place in a block's source of a point in its rendered text, so that the caret stands on the word that was clicked. Words are compared,
 * because the source has signs and addresses that the text does not show, and the text has labels that the source does not have.
 */

interface Word {
  text: string;
  from: number;
  to: number;
}

/** Words compared on each side of a candidate, and how many words of the source may stand between two of them. */
const context = { words: 8, gap: 12 };

const word = /[\p{L}\p{N}]+/gu;
const wordsOf = (text: string): Word[] =>
  [...text.matchAll(word)].map((found) => ({ text: found[0].toLowerCase(), from: found.index, to: found.index + found[0].length }));

/** Code, or what the text does not show: an anchor (`{#id}`), the address of a link, the definition of one. */
const hidden =
  /(`+)[^`]+\1|\{#[^{}\n]*\}|(?<=\])\((?:<[^<>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"\n]*")?\)|^ {0,3}\[(?!\^)[^\]\n]+\]:.*$/gm;

/** The words of a source that are shown. */
const sourceWords = (source: string): Word[] =>
  wordsOf(source.replaceAll(hidden, (part: string, code?: string) => (code ? part : " ".repeat(part.length))));

/** Elements that show nothing of the source. */
const beside = ".katex-html, .anchor, .block-anchor, .code > figcaption, script, style";

/** The words of rendered text, and the one at or before a point of it; -1 for a point before the first word. */
function renderedWords(root: Element, node: Node, offset: number): { words: Word[]; at: number; within: number } {
  const words: Word[] = [];
  let [at, within] = [-1, 0];
  const add = (text: string, isClicked: boolean, place: number): void => {
    // A point before the first word of its text stands after the word before.
    if (isClicked) [at, within] = [words.length - 1, Number.POSITIVE_INFINITY];
    for (const found of wordsOf(text)) {
      if (isClicked && found.from <= place) [at, within] = [words.length, place - found.from];
      words.push(found);
    }
  };
  const walk = (one: Node): void => {
    if (one instanceof Text) add(one.data, one === node, offset);
    if (!(one instanceof Element) || one.matches(beside)) return;
    // A typeset formula is compared by its source.
    if (one.matches(".katex")) add(one.querySelector("annotation")?.textContent ?? "", one.contains(node), 0);
    else one.childNodes.forEach(walk);
  };
  walk(root);
  return { words, at, within };
}

/** How well the words around two places agree. */
function agreement(shown: readonly Word[], at: number, source: readonly Word[], candidate: number): number {
  let score = 0;
  for (const step of [-1, 1]) {
    let last = candidate;
    for (let distance = 1; distance <= context.words; distance += 1) {
      const wanted = shown[at + step * distance]?.text;
      if (wanted === undefined) break;
      for (let gap = 1; gap <= context.gap; gap += 1) {
        if (source[last + step * gap]?.text !== wanted) continue;
        last += step * gap;
        score += 1 / distance;
        break;
      }
    }
  }
  return score;
}

/** @returns the offset in the source; null if no word of the text is in it */
export function sourceOffset(root: Element, node: Node, offset: number, source: string): number | null {
  const { words, at, within } = renderedWords(root, node, offset);
  const inSource = sourceWords(source);
  const places = new Map<string, number[]>();
  for (const [index, { text }] of inSource.entries()) places.set(text, [...(places.get(text) ?? []), index]);
  // The word itself, or the nearest one before that the source has: labels such as "Solution" are no part of it.
  for (let index = Math.max(at, 0); index >= 0; index -= 1) {
    const candidates = places.get(words[index]?.text ?? "") ?? [];
    const share = (index + 0.5) / words.length;
    const distanceOf = (candidate: number): number => Math.abs((candidate + 0.5) / inSource.length - share);
    const [best] = candidates
      .map((candidate) => ({ candidate, score: agreement(words, index, inSource, candidate) }))
      .sort((one, other) => other.score - one.score || distanceOf(one.candidate) - distanceOf(other.candidate));
    const found = best && inSource[best.candidate];
    if (found) return index === at ? Math.min(found.from + within, found.to) : at < 0 ? found.from : found.to;
  }
  return null;
}
