import { unmark } from "../mark.ts";

/** Nodes that scripts added to a text: custom elements, notes, the video link and template markers. */
const isBeside = (node: Node): boolean =>
  node instanceof Comment || (node instanceof Element && (node.localName.includes("-") || node.matches(".kept-note, .cited-note, .film")));

/** Elements that are replaced as a whole. */
const replacedWhole = "svg, .katex, figure.diagram, pre";

/** Attributes set by readers and scripts; a new text keeps them. */
const readerAttributes = new Set(["open", "style", "tabindex", "aria-pressed", "aria-busy", "aria-live", "data-target", "data-words"]);

/**
 * Patches an element's content to match a newer text. Equal nodes are kept, and with them selection, open disclosures, focus, drawings and
 * scroll positions.
 * @returns whether anything was different
 */
export function patchElement(standing: Element, fresh: Element | DocumentFragment): boolean {
  const known = new Map<Node, string>();
  return patchChildren(standing, fresh, known);
}

function patchChildren(standing: Element, fresh: Element | DocumentFragment, known: Map<Node, string>): boolean {
  const before = [...standing.childNodes].filter((node) => !isBeside(node));
  const after = [...fresh.childNodes].filter((node) => !isBeside(node));
  const partners = matchNodes(before, after, known);
  const kept = new Set(partners.filter((node) => node !== null));
  let changed = kept.size < before.length || kept.size < after.length;
  for (const node of before) if (!kept.has(node)) node.remove();
  const steady = longestIncreasing(partners.map((node) => (node ? before.indexOf(node) : -1)));
  // From the end, so that the reference node for each insertion is final.
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
    const differs = serialized(partner, known) !== serialized(node, known);
    next = differs ? patchNode(partner, node, known) : partner;
    changed ||= differs;
  }
  return changed;
}

/** The node after the last kept one, or else the first added element. */
function lastOf(standing: Element, kept: ReadonlySet<ChildNode>): Node | null {
  const last = [...standing.childNodes].findLast((node) => kept.has(node));
  return last ? last.nextSibling : ([...standing.childNodes].find((node) => node instanceof Element) ?? null);
}

/** Matches each new node to an old one: by id, by equal content, or else the next of its kind. */
function matchNodes(before: readonly ChildNode[], after: readonly ChildNode[], known: Map<Node, string>): (ChildNode | null)[] {
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
  for (const node of before)
    if (free.has(node)) waiting.set(serialized(node, known), [...(waiting.get(serialized(node, known)) ?? []), node]);
  after.forEach((node, at) => {
    if (!partners[at]) take(at, waiting.get(serialized(node, known))?.shift());
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

/** Patches a node that differs. @returns the resulting node */
function patchNode(standing: ChildNode, fresh: ChildNode, known: Map<Node, string>): ChildNode {
  if (standing instanceof Text && fresh instanceof Text) replaceDifference(standing, fresh.data);
  if (!(standing instanceof Element && fresh instanceof Element)) return standing;
  if (standing.matches(replacedWhole)) {
    standing.replaceWith(fresh);
    return fresh;
  }
  // A citation mark belongs to the old text. Those deeper down stay where nothing differs.
  unmark([...standing.querySelectorAll<HTMLElement>(":scope > mark.cited")]);
  standing.normalize();
  fresh.normalize();
  patchAttributes(standing, fresh);
  patchChildren(standing, fresh, known);
  return standing;
}

/** Texts with more pairs of words than this are replaced as a whole. */
const mostPairs = 250_000;

/** Replaces only words that differ, so that a selection elsewhere stays. */
function replaceDifference(text: Text, data: string): void {
  const [before, after] = [wordsOf(text.data), wordsOf(data)];
  if (before.length * after.length > mostPairs) {
    text.data = data;
    return;
  }
  const common = commonLengths(before, after);
  const [row, stop] = [after.length + 1, (words: string[], at: number) => words.slice(0, at).join("").length];
  let [one, other] = [before.length, after.length];
  // From the end, so that replacements do not shift later offsets.
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

/** Longest common subsequence lengths for all pairs of prefixes. */
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

/** Patches attributes; those of buttons belong to their scripts. */
function patchAttributes(standing: Element, fresh: Element): void {
  if (standing.hasAttribute("data-action")) return;
  for (const { name } of [...standing.attributes])
    if (!fresh.hasAttribute(name) && !readerAttributes.has(name)) standing.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (!readerAttributes.has(name) && standing.getAttribute(name) !== value) standing.setAttribute(name, value);
}

/** A node serialised as the service sends it, without changes by readers and scripts. Cached. */
function serialized(node: Node, known: Map<Node, string>): string {
  const before = known.get(node);
  if (before !== undefined) return before;
  const form = node instanceof Element ? serializePlain(node) : (node.textContent ?? "");
  known.set(node, form);
  return form;
}

function serializePlain(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  unmark([...copy.querySelectorAll<HTMLElement>("mark.cited")]);
  const comments = document.createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  const beside: ChildNode[] = [];
  while (comments.nextNode()) beside.push(comments.currentNode as Comment);
  for (const one of copy.querySelectorAll("*")) if (isBeside(one)) beside.push(one);
  for (const one of beside) one.remove();
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of readerAttributes) one.removeAttribute(name);
    if (one.matches("[data-action='copy-code']")) one.textContent = "";
    if (one.hasAttribute("data-action")) for (const { name } of [...one.attributes]) if (name !== "href") one.removeAttribute(name);
    // A drawn diagram is compared by its source, a loaded remote picture by its link.
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

/** Indices of a longest increasing subsequence: nodes that need not move. Negative values are skipped. */
function longestIncreasing(values: readonly number[]): Set<number> {
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
