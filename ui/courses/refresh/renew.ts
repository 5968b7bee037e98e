import { unmark } from "../mark.ts";

/** What stands in a text without being of it: elements of ours that were put there, notes, the way to a film, and the marks of templates. */
const isBeside = (node: Node): boolean =>
  node instanceof Comment || (node instanceof Element && (node.localName.includes("-") || node.matches(".kept-note, .cited-note, .film")));

/** Drawn as a whole, so replaced as a whole. */
const whole = "svg, .katex, figure.diagram, pre";

/** What readers and scripts do to elements; a new text does not take it back. */
const ofTheReader = new Set(["open", "style", "tabindex", "aria-pressed", "aria-busy", "aria-live", "data-target", "data-words"]);

/**
 * Turns a text into a newer one. Every element and every piece of text that is the same stays the very node it is, so that what is
 * selected, unfolded, focused, drawn or scrolled in it stays, too.
 * @returns whether anything was different
 */
export function renew(standing: Element, fresh: Element | DocumentFragment): boolean {
  const known = new Map<Node, string>();
  return renewChildren(standing, fresh, known);
}

function renewChildren(standing: Element, fresh: Element | DocumentFragment, known: Map<Node, string>): boolean {
  const before = [...standing.childNodes].filter((node) => !isBeside(node));
  const after = [...fresh.childNodes].filter((node) => !isBeside(node));
  const partners = paired(before, after, known);
  const kept = new Set(partners.filter((node) => node !== null));
  let changed = kept.size < before.length || kept.size < after.length;
  for (const node of before) if (!kept.has(node)) node.remove();
  const steady = risingRun(partners.map((node) => (node ? before.indexOf(node) : -1)));
  // From the end, so that the place before which something goes is settled already; what is beside the text stays behind it.
  let next: Node | null = lastOf(standing, kept);
  for (let at = after.length - 1; at >= 0; at -= 1) {
    const [partner, node] = [partners[at], after[at]];
    if (!node) continue;
    if (!partner || !steady.has(at)) {
      standing.insertBefore(partner ?? node, next);
      changed = true;
    }
    next = node;
    if (!partner) continue;
    const differs = formOf(partner, known) !== formOf(node, known);
    next = differs ? renewNode(partner, node, known) : partner;
    changed ||= differs;
  }
  return changed;
}

/** What comes behind the last of the kept nodes, or else the first thing beside the text. */
function lastOf(standing: Element, kept: ReadonlySet<ChildNode>): Node | null {
  const last = [...standing.childNodes].findLast((node) => kept.has(node));
  return last ? last.nextSibling : ([...standing.childNodes].find((node) => node instanceof Element) ?? null);
}

/** For each node of the new text the standing one it goes on from: of the same id, the same in all, or else the next of its kind. */
function paired(before: readonly ChildNode[], after: readonly ChildNode[], known: Map<Node, string>): (ChildNode | null)[] {
  const free = new Set(before);
  const partners: (ChildNode | null)[] = after.map(() => null);
  const take = (at: number, partner: ChildNode | undefined): void => {
    if (!partner || !free.delete(partner)) return;
    partners[at] = partner;
  };
  const byId = new Map(before.flatMap((node) => (idOf(node) ? [[idOf(node), node] as const] : [])));
  after.forEach((node, at) => {
    const same = byId.get(idOf(node));
    if (idOf(node) && same?.nodeName === node.nodeName) take(at, same);
  });
  const waiting = new Map<string, ChildNode[]>();
  for (const node of before) if (free.has(node)) waiting.set(formOf(node, known), [...(waiting.get(formOf(node, known)) ?? []), node]);
  after.forEach((node, at) => {
    if (!partners[at]) take(at, waiting.get(formOf(node, known))?.shift());
  });
  const rest = [...free];
  after.forEach((node, at) => {
    if (partners[at] || idOf(node)) return;
    const index = rest.findIndex((one) => one.nodeName === node.nodeName && !idOf(one));
    if (index >= 0) take(at, rest.splice(index, 1)[0]);
  });
  return partners;
}

const idOf = (node: Node): string => (node instanceof Element ? node.id : "");

/** Renews a node that is different; gives back the one that stands there then. */
function renewNode(standing: ChildNode, fresh: ChildNode, known: Map<Node, string>): ChildNode {
  if (standing instanceof Text && fresh instanceof Text) replaceDifference(standing, fresh.data);
  if (!(standing instanceof Element && fresh instanceof Element)) return standing;
  if (standing.matches(whole)) {
    standing.replaceWith(fresh);
    return fresh;
  }
  // A mark belongs to the words it was put on.
  unmark([...standing.querySelectorAll<HTMLElement>("mark.cited")]);
  standing.normalize();
  fresh.normalize();
  renewAttributes(standing, fresh);
  renewChildren(standing, fresh, known);
  return standing;
}

/** Texts with more pairs of words than this are replaced as one piece. */
const mostPairs = 250_000;

/** Replaces only the words that are different: a selection among the others stays where it is. */
function replaceDifference(text: Text, data: string): void {
  const [before, after] = [wordsOf(text.data), wordsOf(data)];
  if (before.length * after.length > mostPairs) {
    text.data = data;
    return;
  }
  const common = commonLengths(before, after);
  const [row, stop] = [after.length + 1, (words: string[], at: number) => words.slice(0, at).join("").length];
  let [one, other] = [before.length, after.length];
  // From the end, so that what is replaced moves nothing that is still to come.
  while (one > 0 || other > 0) {
    const [endOne, endOther] = [one, other];
    while ((one > 0 || other > 0) && !(one > 0 && other > 0 && before[one - 1] === after[other - 1])) {
      const up = one > 0 ? (common[(one - 1) * row + other] ?? 0) : -1;
      const left = other > 0 ? (common[one * row + other - 1] ?? 0) : -1;
      if (up >= left) one -= 1;
      else other -= 1;
    }
    const from = stop(before, one);
    if (one < endOne || other < endOther) text.replaceData(from, stop(before, endOne) - from, after.slice(other, endOther).join(""));
    while (one > 0 && other > 0 && before[one - 1] === after[other - 1]) [one, other] = [one - 1, other - 1];
  }
}

const wordsOf = (text: string): string[] => text.match(/\s+|[^\s\p{P}]+|\p{P}/gu) ?? [];

/** How many words the beginnings of two texts have in common, for each pair of lengths. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint32Array {
  const row = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * row);
  for (let one = 1; one <= before.length; one += 1)
    for (let other = 1; other < row; other += 1) {
      const [up, left, corner] = [(one - 1) * row + other, one * row + other - 1, (one - 1) * row + other - 1];
      lengths[one * row + other] =
        before[one - 1] === after[other - 1] ? (lengths[corner] ?? 0) + 1 : Math.max(lengths[up] ?? 0, lengths[left] ?? 0);
    }
  return lengths;
}

/** Attributes of what can be pressed are its script's. */
function renewAttributes(standing: Element, fresh: Element): void {
  if (standing.hasAttribute("data-action")) return;
  for (const { name } of [...standing.attributes]) if (!fresh.hasAttribute(name) && !ofTheReader.has(name)) standing.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (!ofTheReader.has(name) && standing.getAttribute(name) !== value) standing.setAttribute(name, value);
}

/** What a node is as the service sends it: without what readers and scripts have done to it since. */
function formOf(node: Node, known: Map<Node, string>): string {
  const before = known.get(node);
  if (before !== undefined) return before;
  const form = node instanceof Element ? plain(node) : (node.textContent ?? "");
  known.set(node, form);
  return form;
}

function plain(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  unmark([...copy.querySelectorAll<HTMLElement>("mark.cited")]);
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const beside: ChildNode[] = [];
  while (comments.nextNode()) beside.push(comments.currentNode as Comment);
  for (const one of copy.querySelectorAll("*")) if (isBeside(one)) beside.push(one);
  for (const one of beside) one.remove();
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of ofTheReader) one.removeAttribute(name);
    if (one.matches("[data-action='copy-code']")) one.textContent = "";
    if (one.hasAttribute("data-action")) for (const { name } of [...one.attributes]) if (name !== "href") one.removeAttribute(name);
    // A drawing stands for its source, a picture that was asked for stands for its link.
    if (one.matches("figure.diagram"))
      one.replaceChildren(one.querySelector(".diagram-source code")?.textContent ?? "", one.querySelector("figcaption")?.innerHTML ?? "");
    if (one.matches("figure.diagram")) one.removeAttribute("data-drawn");
    if (one.matches(".remote-image")) one.replaceWith(pictureMark(one.querySelector("a")?.href));
    else if (one instanceof HTMLImageElement && one.referrerPolicy === "no-referrer") one.replaceWith(pictureMark(one.src));
  }
  copy.normalize();
  return copy.outerHTML;
}

const pictureMark = (address = ""): Text => new Text(`[${address}]`);

/** The places of a longest run of rising values: those who need not move when the others do. Values below 0 take no part. */
function risingRun(values: readonly number[]): Set<number> {
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  values.forEach((value, at) => {
    if (value < 0) return;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] as number] as number) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1];
    ends[low] = at;
  });
  const run = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) run.add(at);
  return run;
}
