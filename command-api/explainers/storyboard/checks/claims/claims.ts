import { bounds } from "@colloquy/schemas/bounds.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { turnOf } from "@colloquy/schemas/explainers/turns.ts";
import type { TopicPassage } from "../../topics.ts";
import { bareWords } from "../quotes.ts";
import { type Compared, carries, compared, type Difference, type Held } from "./compare.ts";
import { beginning, same, sentencesOf, type Token, tokensOf } from "./tokens.ts";

/** What comparing words alone finds: nothing that is sure, so a reviewer is told, and whoever owns the film. */
export interface Warning extends Finding {
  /** `reworded` may be as true as its source, and `goes-on` is true as far as it goes; everything else likely is not. */
  kind: Difference | "scattered" | "turned" | "goes-on";
}

type Source = Pick<TopicPassage, "sourceId" | "text" | "heading">;

/**
 * What the narration of scenes claims that their sources do not, as far as words tell: each sentence is laid beside the sentence of its
 * passages that is closest. Pure; some milliseconds for a film.
 * @param passages all of the topic
 */
export function claimWarnings(scenes: readonly Scene[], passages: readonly Source[]): Warning[] {
  const bySource = new Map<string, SourceSentence[]>();
  const sentences = (sourceId: string): SourceSentence[] => {
    const known = bySource.get(sourceId) ?? passages.filter((one) => one.sourceId === sourceId).flatMap(heldIn);
    bySource.set(sourceId, known);
    return known;
  };
  const warnings = scenes.flatMap((scene): Warning[] => {
    if (scene.layout === "question") return [];
    const held = [...new Set(scene.sourceIds)].flatMap(sentences);
    const texts = passages.filter(({ sourceId }) => scene.sourceIds.includes(sourceId)).map(({ text }) => text);
    const found = [...narrated(scene.narration, held), ...shown(scene, held), ...set(scene, texts)];
    return found.map((one) => ({ ...one, sceneId: scene.sceneId }));
  });
  return warnings.slice(0, bounds.explainer.findings);
}

interface SourceSentence extends Held {
  text: string;
  /** Of two sentences that follow each other, read as one: each by itself. */
  halves: readonly (readonly Token[])[];
  /** The sentence that follows in its paragraph. */
  next: string | null;
}

function heldIn({ text, heading }: Source): SourceSentence[] {
  const title = tokensOf(heading);
  // A displayed formula is one line.
  const whole = text.replace(/\\\[[\s\S]*?\\\]/g, (tex) => tex.replaceAll("\n", " "));
  const ofLines = whole.split("\n").flatMap((line): SourceSentence[] => {
    const texts = sentencesOf(line);
    const tokens = texts.map(tokensOf);
    const one = texts.map((sentence, index) => ({
      text: sentence,
      halves: [],
      next: texts[index + 1] ?? null,
      tokens: tokens[index] ?? [],
      named: [...title, ...(tokens[index - 1] ?? [])],
    }));
    // What is said in one sentence may stand in two that follow each other.
    const two = texts.slice(1).map((sentence, index) => ({
      text: `${texts[index]} ${sentence}`,
      halves: [tokens[index] ?? [], tokens[index + 1] ?? []],
      next: texts[index + 2] ?? null,
      tokens: [...(tokens[index] ?? []), ...(tokens[index + 1] ?? []).map((token, at) => (at === 0 ? { ...token, opens: true } : token))],
      named: [...title, ...(tokens[index - 1] ?? [])],
    }));
    return [...one, ...two];
  });
  return [...ofLines, { text: heading, halves: [], next: null, tokens: title, named: [] }];
}

/** What is wrong with each sentence of a narration. */
function narrated(narration: string, held: readonly SourceSentence[]): Omit<Warning, "sceneId">[] {
  const said = sentencesOf(narration);
  return said.flatMap((sentence, index) => claimed(sentence, held, said[index + 1] ?? null));
}

/** What labels may not do; they may leave out what a sentence could not. */
const ofLabels: ReadonlySet<Warning["kind"]> = new Set(["contrary", "opposite", "number", "foreign"]);

/** What is wrong with the points on screen that are long enough to claim something. */
function shown(scene: Scene, held: readonly SourceSentence[]): Omit<Warning, "sceneId">[] {
  const texts = held.map(({ text }) => ` ${bareWords(text).join(" ")} `);
  // Words that stand so in a sentence are part of what it says.
  const stands = (point: string): boolean => texts.some((text) => text.includes(` ${bareWords(point).join(" ")} `));
  return pointsOf(scene)
    .filter((point) => tokensOf(point).filter(carries).length >= 2 && !stands(point))
    .flatMap((point) =>
      claimed(point, held, null)
        .filter(({ kind }) => ofLabels.has(kind))
        .map((one) => ({ ...one, detail: `On screen, “${clipped(point, 60)}”: ${one.detail}`.slice(0, bounds.explainer.findingLength) })),
    );
}

function pointsOf(scene: Scene): readonly string[] {
  if (scene.layout === "points" || scene.layout === "recap") return scene.content.points;
  return scene.layout === "compare" ? [...scene.content.left.points, ...scene.content.right.points] : [];
}

/** A formula is the source's, sign by sign, however it is spaced. */
function set(scene: Scene, texts: readonly string[]): Omit<Warning, "sceneId">[] {
  if (scene.layout !== "formula") return [];
  const tex = scene.content.terms.map((term) => term.tex).join(" ");
  if (texts.some((text) => bareTex(text).includes(bareTex(tex)))) return [];
  return [warning("foreign", `This formula does not stand so in its sources: ${clipped(tex, 150)}`)];
}

const bareTex = (text: string): string => text.replace(/\\(?:q?quad(?![A-Za-z])|[,;:! ])|\s+/g, "");

/** Whether a sentence has two words of each of two that the other has not: else it stands beside one of them. */
const takesOfBoth = (tokens: readonly Token[], halves: readonly (readonly Token[])[]): boolean =>
  halves.every((half, index) => {
    const other = halves[1 - index] ?? [];
    const of = (held: readonly Token[], token: Token) => held.some((one) => same(one, token));
    return tokens.filter((token) => carries(token) && of(half, token) && !of(other, token)).length >= 2;
  });

/** How many sentences, and pairs of them, are looked at word by word. */
const lookedAt = 6;

/** The sentences that share most words with one, by how the words begin: cheap, so that long topics take no longer than short ones. */
function nearest(tokens: readonly Token[], held: readonly SourceSentence[]): SourceSentence[] {
  const begins = (of: readonly Token[]) => new Set(of.filter(carries).map(({ text }) => beginning(text)));
  const own = begins(tokens);
  const shares = held.map((source) => {
    const others = begins(source.tokens);
    return { source, shared: [...own].filter((word) => others.has(word)).length - others.size / 1_000 };
  });
  const sorted = shares.toSorted((a, b) => b.shared - a.shared).map(({ source }) => source);
  return [0, 2].flatMap((count) => sorted.filter(({ halves }) => halves.length === count).slice(0, lookedAt));
}

function claimed(sentence: string, held: readonly SourceSentence[], following: string | null): Omit<Warning, "sceneId">[] {
  const tokens = tokensOf(sentence);
  if (!tokens.some(carries)) return [];
  const near = nearest(tokens, held);
  const one = near.filter(({ halves }) => halves.length === 0).map((source) => ({ source, ...compared(tokens, source) }));
  // Two sentences are only read together where neither says it alone.
  const isSaid = one.some((each) => weight(each) < 2);
  const two = isSaid
    ? []
    : near
        .filter(({ halves }) => halves.length > 0 && takesOfBoth(tokens, halves))
        .map((source) => ({ source, ...compared(tokens, source) }));
  const all = [...one, ...two].toSorted(byFit);
  const [best] = all;
  if (!best) return [];
  const [difference] = best.differences.toSorted((a, b) => grave.indexOf(a.kind) - grave.indexOf(b.kind));
  const { source } = best;
  if (!difference) return turnedRound(source, following);
  if (difference.kind === "reworded")
    return [...turnedRound(source, following), warning("reworded", `These are not the source's own words. ${told(source)}`)];
  // What is shown to a person is the sentence that has most of the words.
  const closest =
    all.toSorted(
      (a, b) => b.coverage - a.coverage || a.differences.length - b.differences.length || a.source.text.length - b.source.text.length,
    )[0] ?? best;
  if (closest.coverage < 0.6)
    return [
      warning(
        "scattered",
        `No sentence of its passages says “${clipped(sentence, 80)}”. The closest: “${clipped(closest.source.text, 150)}”`,
      ),
    ];
  const [worst = difference] = closest.differences.toSorted((a, b) => grave.indexOf(a.kind) - grave.indexOf(b.kind));
  return [warning(worst.kind, `${reason(worst)} ${told(closest.source)}`)];
}

const grave: readonly Difference[] = ["contrary", "opposite", "number", "quantity", "order", "condition", "foreign", "partial", "reworded"];
const weight = ({ differences }: Compared): number =>
  differences.length === 0 ? 0 : differences.every(({ kind }) => kind === "reworded") ? 1 : 2;
const byFit = (a: Compared & { source: SourceSentence }, b: Compared & { source: SourceSentence }): number =>
  weight(a) - weight(b) ||
  b.coverage - a.coverage ||
  a.differences.length - b.differences.length ||
  a.source.text.length - b.source.text.length;

function turnedRound({ next, text }: SourceSentence, following: string | null): Omit<Warning, "sceneId">[] {
  const turn = next === null ? null : turnOf(next);
  if (next === null || turn === null || (following !== null && turnOf(following) !== null)) return [];
  if (turn === "but") return [warning("goes-on", `The source goes on: “${clipped(next, 200)}”`)];
  return [warning("turned", `The source says this only to turn it round: “${clipped(text, 90)} ${clipped(next, 130)}”`)];
}

const warning = (kind: Warning["kind"], detail: string): Omit<Warning, "sceneId"> => ({
  kind,
  problem: kind === "turned" ? "misquoted" : "unsupported",
  by: "application",
  detail: detail.slice(0, bounds.explainer.findingLength),
});

const told = ({ text }: SourceSentence): string => `The source says: “${clipped(text, 200)}”`;
const clipped = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`);

function reason({ kind, words: [said, held] }: Compared["differences"][number]): string {
  switch (kind) {
    case "contrary":
      return "It says yes where its source says no, or no where that says yes.";
    case "opposite":
      return `“${said}” stands where its source has “${held}”.`;
    case "number":
      return `The number ${said} does not stand there.`;
    case "quantity":
      return said && held
        ? `“${said}” stands where its source has “${held}”.`
        : said
          ? `“${said}” does not stand there.`
          : `It leaves out “${held}”.`;
    case "order":
      return `The words stand in another order (“${said}”), which may turn round who does what.`;
    case "condition":
      return `It leaves out on which condition that holds (“${held} …”).`;
    case "foreign":
      return `It has words that do not stand there: ${clipped(said, 60)}.`;
    default:
      return "It leaves out so much that it may say something else.";
  }
}
