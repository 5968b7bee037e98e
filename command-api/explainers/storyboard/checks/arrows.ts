import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { readFlowchart } from "@colloquy/schemas/text/flowchart.ts";
import type { TopicPassage } from "../topics.ts";
import { isSameToken, sentencesOf, type Token, tokensOf } from "./claims/tokens.ts";
import { isPronoun, quantityOf, subordinating } from "./claims/words.ts";
import type { Found } from "./found.ts";
import { containsQuote } from "./quotes.ts";

/** Words between two things that turn round which of them leads to the other: "sound is made by strings". */
const turns = new Set(["by", "from", "because", "durch", "aus", "von", "weil", "من", "بواسطة", "لأن"]);
/** Words that do so right before the second: "forgetting comes after learning", and not "runs after a while into". */
const followed = /^(?:after|follows?|nach|auf|بعد)$/u;

/** Verbs whose arrow some draw from what depends and some from what it depends on: only an arrow that says the verb can be told. */
const twoWays = /^(?:depend(?:s|ed|ing|ent)?|rel(?:y|ies|ied|ying)|abhäng(?:t|en|ig)|hängt|hängen|تعتمد|يعتمد)$/u;

const isSmall = ({ kind, text }: Token): boolean => kind === "light" && !subordinating.test(text);

/** Whether a word between two places turns round which of them leads to the other. */
function isTurn(tokens: readonly Token[], at: number, next: Place): boolean {
  const [before = "", word = "", after = ""] = [-1, 0, 1].map((step) => tokens[at + step]?.text);
  if (turns.has(word)) return !/^(?:followed|gefolgt)$/.test(before);
  if (!followed.test(word) || !tokens.slice(at + 1, next.from).every(isSmall)) return false;
  // "Nach" and "auf" also say where something goes.
  if (word === "auf") return /^folg(?:t|en)$/.test(before);
  if (word === "nach") return /^(?:folg|komm)(?:t|en)$/.test(before) || /^(?:dem|der|den|einem|einer)$/.test(after);
  return !isPronoun(after);
}

/** Words that leave out a thing or a property, and do not deny what the sentence says. */
const without = /^(?:without|ohne|بدون|دون|بلا|غير)$/u;
const parts = /^(?:but|and|or|aber|und|oder|sondern|لكن|بل)$/u;

/** Whether the clause that has two places denies what it says, but for words of the labels. */
function isDenied(tokens: readonly Token[], { from, to }: Place, labels: readonly Token[]): boolean {
  const begins = ({ opens, text }: Token): boolean => opens || parts.test(text) || subordinating.test(text);
  const start = tokens.findLastIndex((token, at) => at <= from && begins(token));
  const end = tokens.findIndex((token, at) => at > to && begins(token));
  return tokens.slice(Math.max(0, start), end < 0 ? tokens.length : end).some((token, at, clause) => {
    const isNotOnly = quantityOf(clause[at + 1]?.text ?? "") === "only";
    return token.kind === "negation" && !isNotOnly && !without.test(token.text) && !has(labels, token);
  });
}

const telling = (tokens: readonly Token[]): Token[] => {
  const strong = tokens.filter(({ kind }) => kind !== "light");
  return strong.length > 0 ? strong : [...tokens];
};
const has = (tokens: readonly Token[], wanted: Token): boolean => tokens.some((one) => isSameToken(one, wanted));

/** Whether a text has all that a label says. */
function isNamed(label: string, shown: string): boolean {
  const own = tokensOf(shown);
  return telling(tokensOf(label)).every((word) => has(own, word));
}

interface Place {
  from: number;
  to: number;
}
/** Where all words of a label stand near to each other. */
function placesOf(label: string, quote: readonly Token[]): Place[] {
  const words = telling(tokensOf(label));
  return quote.flatMap((token, from): Place[] => {
    if (!has(words, token)) return [];
    const near = quote.slice(from, from + words.length * 2 + 1);
    const last = near.findIndex((_, index) => words.every((word) => has(near.slice(0, index + 1), word)));
    return last < 0 ? [] : [{ from, to: from + last }];
  });
}

/** Whether two places are told of with a verb that leaves open which of them an arrow begins at. With it on the arrow, the subject begins. */
function isOpen(tokens: readonly Token[], { start, end }: Record<"start" | "end", Place>, labels: readonly Token[]): boolean {
  const [from, to] = [Math.min(start.to, end.to) + 1, Math.max(start.from, end.from)];
  const verb = tokens.slice(from, to).find(({ text }) => twoWays.test(text));
  return verb !== undefined && !(start.to < end.from && has(labels, verb));
}

/** Whether a quote says, and does not deny, that one thing leads to another: it names both, or both turned round by a word between. */
function tells(quote: string, from: string, to: string, label: string): boolean {
  const tokens = tokensOf(quote);
  const labels = tokensOf(`${from}\n${to}\n${label}`);
  const [starts, ends] = [placesOf(from, tokens), placesOf(to, tokens)];
  const isTurned = (one: Place, other: Place): boolean =>
    tokens.slice(one.to + 1, other.from).some((_, index) => isTurn(tokens, one.to + 1 + index, other));
  return starts.some((start) =>
    ends.some((end) => {
      const isForward = start.to < end.from && !isTurned(start, end);
      const isBackward = end.to < start.from && isTurned(end, start);
      const whole = { from: Math.min(start.from, end.from), to: Math.max(start.to, end.to) };
      return (isForward || isBackward) && !isDenied(tokens, whole, labels) && !isOpen(tokens, { start, end }, labels);
    }),
  );
}

/** The words at the arrows of a flowchart between boxes that say what two labels do; more only where no box says just that. */
function drawnAs(mermaid: string, from: string, to: string): string[] {
  const chart = readFlowchart(mermaid);
  if (!chart) return [];
  const boxes = [...chart.labels].map(([name, text]) => ({ name, words: telling(tokensOf(text)) }));
  const named = (label: string): ReadonlySet<string> => {
    const words = telling(tokensOf(label));
    const whole = boxes.filter((box) => words.every((word) => has(box.words, word)));
    const equal = whole.filter((box) => box.words.every((word) => has(words, word)));
    return new Set((equal.length > 0 ? equal : whole).map(({ name }) => name));
  };
  const [starts, ends] = [named(from), named(to)];
  return chart.edges.flatMap((edge) => (edge.directed && starts.has(edge.from) && ends.has(edge.to) ? edge.label : []));
}

/** Each arrow has a quote of the scene's passages with both its ends in its direction, or stands in a diagram of the course that it names. */
export function arrowFindings(
  { content: { nodes, edges }, sourceIds }: SceneOf<"build">,
  texts: readonly string[],
  passages: readonly Pick<TopicPassage, "sourceId" | "diagram">[],
): Found[] {
  const labels = new Map(nodes.map(({ key, label }) => [key, label]));
  const diagrams = passages.flatMap(({ sourceId, diagram }) => (diagram !== undefined && sourceIds.includes(sourceId) ? [diagram] : []));
  return edges.flatMap(({ from, to, quote, label }): Found[] => {
    const [start, end] = [labels.get(from) ?? from, labels.get(to) ?? to];
    const arrow = `from “${start}” to “${end}”`;
    const drawn = diagrams.flatMap((diagram) => drawnAs(diagram, start, end));
    if (!isNamed(label, [quote, ...drawn].join("\n")) && (quote !== "" || drawn.length > 0))
      return [
        { problem: "unsupported", detail: `“${label}” at the arrow ${arrow} stands neither in its quote nor at that arrow of a diagram.` },
      ];
    if (drawn.length > 0) return [];
    if (quote === "") return [{ problem: "unsupported", detail: `No quote, and no diagram of its passages, has the arrow ${arrow}.` }];
    if (!texts.some((text) => containsQuote(quote, text)))
      return [{ problem: "misquoted", detail: `“${quote}” does not stand so in the passages of the scene.` }];
    if (from === to ? placesOf(start, tokensOf(quote)).length > 0 : tells(quote, start, end, label)) return [];
    const detail = `“${quote}” does not name both ends of the arrow ${arrow}, in this direction, or denies it.`;
    return [{ problem: "unsupported", detail }];
  });
}

/** The messages of a sequence diagram: who sends what to whom, by the names that are shown. */
function messagesIn(mermaid: string): { from: string; to: string; text: string }[] {
  if (!/^\s*sequenceDiagram/m.test(mermaid)) return [];
  const shown = new Map(
    [...mermaid.matchAll(/^[^\S\n]*(?:participant|actor)\s+(\S+)\s+as\s+(.+?)\s*$/gm)].map(([, name = "", label = ""]) => [name, label]),
  );
  return [...mermaid.matchAll(/^[^\S\n]*([^\s:>-]+)\s*-{1,2}>{1,2}[+-]?\s*([^\s:]+)\s*:(.*)$/gm)].map(
    ([, from = "", to = "", text = ""]) => ({
      from: shown.get(from) ?? from,
      to: shown.get(to) ?? to,
      text,
    }),
  );
}

/**
 * Each arrow of a diagram is one of a diagram of its passages, or a sentence there names both its ends in its direction; what stands at the
 * arrow is said there too.
 */
export function toldFindings(
  { content: { nodes, edges }, sourceIds }: SceneOf<"diagram">,
  texts: readonly string[],
  passages: readonly Pick<TopicPassage, "sourceId" | "diagram">[],
): Found[] {
  const labels = new Map(nodes.map(({ key, label }) => [key, label]));
  const diagrams = passages.flatMap(({ sourceId, diagram }) => (diagram !== undefined && sourceIds.includes(sourceId) ? [diagram] : []));
  const messages = diagrams.flatMap(messagesIn);
  const sentences = texts.flatMap(sentencesOf);
  const saidOf = (from: string, to: string, label: string): string[] => [
    ...diagrams.flatMap((diagram) => drawnAs(diagram, from, to)),
    ...messages.filter((message) => isNamed(from, message.from) && isNamed(to, message.to)).map(({ text }) => text),
    ...sentences.filter((sentence) => (from === to ? placesOf(from, tokensOf(sentence)).length > 0 : tells(sentence, from, to, label))),
  ];
  return edges.flatMap(({ from, to, label }): Found[] => {
    const [start, end] = [labels.get(from) ?? from, labels.get(to) ?? to];
    const said = saidOf(start, end, label);
    if (said.length > 0 && isNamed(label, said.join("\n"))) return [];
    const detail =
      said.length > 0
        ? `“${label}” at the arrow from “${start}” to “${end}” stands neither in a sentence with both nor at that arrow of a diagram.`
        : saidOf(end, start, label).length > 0
          ? `The passages of the scene lead from “${end}” to “${start}”, and the arrow the other way.`
          : `No sentence and no diagram of the scene's passages leads from “${start}” to “${end}”.`;
    return [{ problem: "unsupported", detail }];
  });
}
