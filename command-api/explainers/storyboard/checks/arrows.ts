import type { SceneOf } from "@colloquy/schemas/explainers/storyboard.ts";
import { readFlowchart } from "@colloquy/schemas/text/flowchart.ts";
import type { TopicPassage } from "../topics.ts";
import { isSameToken, sentencesOf, type Token, tokensOf } from "./claims/tokens.ts";
import type { Found } from "./found.ts";
import { containsQuote } from "./quotes.ts";

/** Words between two things that turn round which of them leads to the other: "sound is made by strings". */
const turns = new Set(["by", "from", "because", "durch", "aus", "von", "weil", "من", "بواسطة", "لأن"]);

const telling = (tokens: readonly Token[]): Token[] => {
  const strong = tokens.filter(({ kind }) => kind !== "light");
  return strong.length > 0 ? strong : [...tokens];
};
const has = (tokens: readonly Token[], wanted: Token): boolean => tokens.some((one) => isSameToken(one, wanted));

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

/** Whether a quote names what an arrow leads from, and then what it leads to, or both turned round by a word between. */
function tells(quote: string, from: string, to: string): boolean {
  const tokens = tokensOf(quote);
  const [starts, ends] = [placesOf(from, tokens), placesOf(to, tokens)];
  const isTurned = (one: Place, other: Place): boolean => tokens.slice(one.to + 1, other.from).some(({ text }) => turns.has(text));
  return starts.some((start) =>
    ends.some((end) => (start.to < end.from && !isTurned(start, end)) || (end.to < start.from && isTurned(end, start))),
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
    const said = [quote, ...drawn].flatMap(tokensOf);
    const isNamed = label === "" || telling(tokensOf(label)).every((word) => has(said, word));
    if (!isNamed && (quote !== "" || drawn.length > 0))
      return [
        { problem: "unsupported", detail: `“${label}” at the arrow ${arrow} stands neither in its quote nor at that arrow of a diagram.` },
      ];
    if (drawn.length > 0) return [];
    if (quote === "") return [{ problem: "unsupported", detail: `No quote, and no diagram of its passages, has the arrow ${arrow}.` }];
    if (!texts.some((text) => containsQuote(quote, text)))
      return [{ problem: "misquoted", detail: `“${quote}” does not stand so in the passages of the scene.` }];
    if (from === to ? placesOf(start, tokensOf(quote)).length > 0 : tells(quote, start, end)) return [];
    return [{ problem: "unsupported", detail: `“${quote}” does not name both ends of the arrow ${arrow}, in this direction.` }];
  });
}

/** The messages of a sequence diagram: who sends to whom, by the names that are shown. */
function messagesIn(mermaid: string): { from: string; to: string }[] {
  if (!/^\s*sequenceDiagram/m.test(mermaid)) return [];
  const shown = new Map(
    [...mermaid.matchAll(/^\s*(?:participant|actor)\s+(\S+)\s+as\s+(.+?)\s*$/gm)].map(([, name = "", label = ""]) => [name, label]),
  );
  return [...mermaid.matchAll(/^\s*([^\s:>-]+)\s*-{1,2}>{1,2}[+-]?\s*([^\s:]+)\s*:/gm)].map(([, from = "", to = ""]) => ({
    from: shown.get(from) ?? from,
    to: shown.get(to) ?? to,
  }));
}

const isNamed = (label: string, shown: string): boolean => {
  const own = tokensOf(shown);
  return telling(tokensOf(label)).every((word) => has(own, word));
};

/** Each arrow of a diagram is one of a diagram of its passages, or a sentence there names both its ends in its direction. */
export function toldFindings(
  { content: { nodes, edges }, sourceIds }: SceneOf<"diagram">,
  texts: readonly string[],
  passages: readonly Pick<TopicPassage, "sourceId" | "diagram">[],
): Found[] {
  const labels = new Map(nodes.map(({ key, label }) => [key, label]));
  const diagrams = passages.flatMap(({ sourceId, diagram }) => (diagram !== undefined && sourceIds.includes(sourceId) ? [diagram] : []));
  const messages = diagrams.flatMap(messagesIn);
  const sentences = texts.flatMap(sentencesOf);
  const isTold = (from: string, to: string): boolean =>
    diagrams.some((diagram) => drawnAs(diagram, from, to).length > 0) ||
    messages.some((message) => isNamed(from, message.from) && isNamed(to, message.to)) ||
    sentences.some((sentence) => (from === to ? placesOf(from, tokensOf(sentence)).length > 0 : tells(sentence, from, to)));
  return edges.flatMap(({ from, to }): Found[] => {
    const [start, end] = [labels.get(from) ?? from, labels.get(to) ?? to];
    if (isTold(start, end)) return [];
    const detail = isTold(end, start)
      ? `The passages of the scene lead from “${end}” to “${start}”, and the arrow the other way.`
      : `No sentence and no diagram of the scene's passages leads from “${start}” to “${end}”.`;
    return [{ problem: "unsupported", detail }];
  });
}
