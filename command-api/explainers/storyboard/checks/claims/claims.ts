import { reversalOf } from "@colloquy/schemas/explainers/reversals.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { type AcceptedBoard, acceptedScene } from "../../accepted.ts";
import type { TopicPassage } from "../../topics.ts";
import { bareWords } from "../quotes.ts";
import { type Comparison, compareSentences, copiedMostly, type Difference, isSignificant, type Reference } from "./compare.ts";
import { contraryHeading } from "./headings.ts";
import { isSameToken, sentencesOf, stemOf, type Token, tokensOf } from "./tokens.ts";

/** A finding of the word comparison. It may be wrong, so the reviewing model and the owner decide. */
interface Warning extends Finding {
  /** `reworded` and `scattered` may be as true as their source, and `goes-on` is true as far as it goes; everything else likely is not. */
  kind: Difference | "scattered" | "turned" | "goes-on";
}

/** A hint only tells the reviewing model to read closely: an owner could not act on it. */
export const isHint = ({ kind }: Pick<Warning, "kind">): boolean => kind === "reworded" || kind === "scattered" || kind === "goes-on";

type Source = Pick<TopicPassage, "sourceId" | "text" | "heading">;

/**
 * Warns of claims that scenes make and their sources do not: each sentence is compared with the closest sentence of its passages. Pure;
 * takes some milliseconds for a video.
 * @param passages all of the topic
 * @param accepted of an edited storyboard: what was accepted of a scene counts as its source, too
 */
export function claimWarnings(scenes: readonly Scene[], passages: readonly Source[], accepted: AcceptedBoard | null = null): Warning[] {
  const bySource = new Map<string, SourceSentence[]>();
  const sentences = (sourceId: string): SourceSentence[] => {
    const known = bySource.get(sourceId) ?? passages.filter((one) => one.sourceId === sourceId).flatMap(sentencesOfSource);
    bySource.set(sourceId, known);
    return known;
  };
  const warnings = scenes.flatMap((scene): Warning[] => {
    if (scene.layout === "question") return [];
    const before = acceptedScene(scene, accepted);
    const ofBefore = before ? [before.narration, ...pointsOf(before), texOf(before)].join("\n") : "";
    const held = [...[...new Set(scene.sourceIds)].flatMap(sentences), ...sentencesBefore(ofBefore)];
    const texts = [...passages.filter(({ sourceId }) => scene.sourceIds.includes(sourceId)).map(({ text }) => text), ofBefore];
    const said = scene.layout === "title" && isShortQuestion(scene.narration) ? [] : checkNarration(scene.narration, held);
    const headed = before
      ? checkHeading(scene, before)
      : checkNewHeading(scene, [...new Set(passages.map(({ sourceId }) => sourceId))].flatMap(sentences));
    const found = [...said, ...checkPoints(scene, held), ...checkFormulas(scene, texts), ...headed];
    return found.map((one) => ({ ...one, sceneId: scene.sceneId }));
  });
  return warnings.slice(0, filmBounds.findings);
}

interface SourceSentence extends Reference {
  text: string;
  /** Of two consecutive sentences that are read as one: each by itself. */
  halves: readonly (readonly Token[])[];
  /** The next sentence of its paragraph. */
  next: string | null;
  /** Of the accepted scene that was edited, not of a passage. */
  isOfBefore?: boolean;
}

function sentencesOfSource({ text, heading }: Pick<Source, "text" | "heading">): SourceSentence[] {
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
    // A narrated sentence may combine two consecutive sentences of the source.
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

/** What was accepted of a scene before it was edited. */
const sentencesBefore = (text: string): SourceSentence[] =>
  sentencesOfSource({ text, heading: "" }).flatMap((one) => (one.tokens.length > 0 ? { ...one, isOfBefore: true } : []));

/** A question of at most four words over a title claims nothing. */
const isShortQuestion = (text: string): boolean => /^(?:[\p{L}'’-]+\s+){0,3}[\p{L}'’-]+\?$/u.test(text);

/** Warnings for each sentence of a narration. */
function checkNarration(narration: string, held: readonly SourceSentence[]): Omit<Warning, "sceneId">[] {
  const said = sentencesOf(narration);
  return said.flatMap((sentence, index) => checkSentence(sentence, held, said[index + 1] ?? null));
}

/** The warnings that apply to a changed heading, which may be worded freely. */
const ofHeadings: ReadonlySet<Warning["kind"]> = new Set(["contrary", "opposite", "number"]);
/** The warnings that apply to labels, which may leave out more than sentences. */
const ofLabels: ReadonlySet<Warning["kind"]> = new Set(["contrary", "opposite", "number", "foreign"]);

/** A recap is learned as it stands: it may not say for all what holds for some. */
const ofRecaps: ReadonlySet<Warning["kind"]> = new Set([...ofLabels, "quantity"]);

/** Warnings for the points on screen that are long enough to claim something. */
function checkPoints(scene: Scene, held: readonly SourceSentence[]): Omit<Warning, "sceneId">[] {
  const texts = held.map(({ text }) => ` ${bareWords(text).join(" ")} `);
  // A literal part of a sentence claims nothing else.
  const stands = (point: string): boolean => texts.some((text) => text.includes(` ${bareWords(point).join(" ")} `));
  return pointsOf(scene)
    .filter((point) => tokensOf(point).filter(isSignificant).length >= 2 && !stands(point))
    .flatMap((point) =>
      checkSentence(point, held, null)
        .filter(({ kind }) => (scene.layout === "recap" ? ofRecaps : ofLabels).has(kind))
        .map((one) => onScreen(point, one)),
    );
}

const onScreen = <Found extends { detail: string }>(text: string, found: Found): Found => ({
  ...found,
  detail: `On screen, “${clipped(text, 60)}”: ${found.detail}`.slice(0, filmBounds.findingLength),
});

function pointsOf(scene: Scene): readonly string[] {
  if (scene.layout === "points" || scene.layout === "recap") return scene.content.points;
  return scene.layout === "compare" ? [...scene.content.left.points, ...scene.content.right.points] : [];
}

/** A heading that is changed must not say the contrary of what it said. */
function checkHeading(scene: Scene, before: Scene): Omit<Warning, "sceneId">[] {
  const heading = sceneTitle(scene);
  const found = checkSentence(heading, sentencesBefore(sceneTitle(before)), null).filter(({ kind }) => ofHeadings.has(kind));
  return found.map((one) => onScreen(heading, one));
}

/** A heading may be worded freely, and must not say the contrary of what the topic says of the same things. */
function checkNewHeading(scene: Scene, held: readonly SourceSentence[]): Omit<Warning, "sceneId">[] {
  const heading = sceneTitle(scene);
  const sentences = held.filter(({ halves, tokens, named }) => halves.length === 0 && tokens.length + named.length > 0);
  const found = contraryHeading(heading, sentences);
  if (!found) return [];
  const { kind, words, text } = found;
  return [onScreen(heading, warning(kind, `${reason({ kind, words, isSure: true })} The source says: “${clipped(text, 150)}”`))];
}

/** A formula must be in the source, sign by sign; spacing does not count. */
function checkFormulas(scene: Scene, texts: readonly string[]): Omit<Warning, "sceneId">[] {
  if (scene.layout !== "formula") return [];
  const tex = texOf(scene);
  if (texts.some((text) => bareTex(text).includes(bareTex(tex)))) return [];
  return [warning("foreign", `This formula does not stand so in its sources: ${clipped(tex, 150)}`)];
}

const texOf = ({ layout, content }: Scene): string => (layout === "formula" ? content.terms.map(({ tex }) => tex).join(" ") : "");
const bareTex = (text: string): string => text.replace(/\\(?:q?quad(?![A-Za-z])|[,;:! ])|\s+/g, "");

/** Whether a sentence shares two words with each of two source sentences; else it is compared with one of them. */
const takesOfBoth = (tokens: readonly Token[], halves: readonly (readonly Token[])[]): boolean =>
  halves.every((half, index) => {
    const other = halves[1 - index] ?? [];
    const of = (held: readonly Token[], token: Token) => held.some((one) => isSameToken(one, token));
    return tokens.filter((token) => isSignificant(token) && of(half, token) && !of(other, token)).length >= 2;
  });

/** How many source sentences are compared word by word. */
const candidates = 6;

/** The sentences that share most word stems with a sentence: a cheap preselection, so that long topics do not take longer. */
function nearest(tokens: readonly Token[], held: readonly SourceSentence[]): SourceSentence[] {
  const begins = (of: readonly Token[]) => new Set(of.filter(isSignificant).map(({ text }) => stemOf(text)));
  const own = begins(tokens);
  const shares = held.map((source) => {
    const others = begins(source.tokens);
    return { source, shared: [...own].filter((word) => others.has(word)).length - others.size / 1_000 };
  });
  const sorted = shares.toSorted((a, b) => b.shared - a.shared).map(({ source }) => source);
  return [0, 2].flatMap((count) => sorted.filter(({ halves }) => halves.length === count).slice(0, candidates));
}

function checkSentence(sentence: string, held: readonly SourceSentence[], following: string | null): Omit<Warning, "sceneId">[] {
  const tokens = tokensOf(sentence);
  if (!tokens.some(isSignificant)) return [];
  const near = nearest(tokens, held);
  const one = near.filter(({ halves }) => halves.length === 0).map((source) => ({ source, ...compareSentences(tokens, source) }));
  // Two sentences are only combined if neither matches alone.
  const isSaid = one.some((each) => weight(each) < 2);
  const two = isSaid
    ? []
    : near
        .filter(({ halves }) => halves.length > 0 && takesOfBoth(tokens, halves))
        .map((source) => ({ source, ...compareSentences(tokens, source) }));
  const all = [...one, ...two].toSorted(byFit);
  const [best] = all;
  if (!best) return [];
  const [difference] = best.differences.toSorted((a, b) => grave.indexOf(a.kind) - grave.indexOf(b.kind));
  const { source } = best;
  if (!difference) return missingReversal(source, following);
  if (difference.kind === "reworded")
    return [...missingReversal(source, following), warning("reworded", `These are not the source's own words. ${quoteOfSource(source)}`)];
  // A person is shown the sentence with most words in common.
  const closest =
    all.toSorted(
      (a, b) =>
        b.closeness + b.copied - a.closeness - a.copied ||
        a.differences.length - b.differences.length ||
        a.source.text.length - b.source.text.length,
    )[0] ?? best;
  const [worst] = closest.differences.filter(({ isSure }) => isSure).toSorted((a, b) => grave.indexOf(a.kind) - grave.indexOf(b.kind));
  if (!worst || !isClose(closest, tokens.filter(isSignificant).length))
    return [
      warning(
        "scattered",
        `No sentence of its passages says “${clipped(sentence, 80)}”. The closest: “${clipped(closest.source.text, 150)}”`,
      ),
    ];
  return [warning(worst.kind, `${reason(worst)} ${quoteOfSource(closest.source)}`)];
}

/** The share of the source's own words from which on a difference is one of claims. */
const closely = 0.82;

/** Whether a sentence follows its source's wording; of a free paraphrase, words alone tell nothing. */
const isClose = ({ closeness, copied, differences }: Comparison, significant: number): boolean =>
  copied >= copiedMostly || (closeness >= closely && (significant > 3 || differences.every(({ kind }) => kind !== "partial")));

const grave: readonly Difference[] = ["contrary", "opposite", "number", "quantity", "order", "condition", "foreign", "partial", "reworded"];
const weight = ({ differences }: Comparison): number =>
  differences.length === 0 ? 0 : differences.every(({ kind }) => kind === "reworded") ? 1 : 2;
const byFit = (a: Comparison & { source: SourceSentence }, b: Comparison & { source: SourceSentence }): number =>
  weight(a) - weight(b) ||
  b.coverage - a.coverage ||
  a.differences.length - b.differences.length ||
  a.source.text.length - b.source.text.length;

function missingReversal({ next, text }: SourceSentence, following: string | null): Omit<Warning, "sceneId">[] {
  const turn = next === null ? null : reversalOf(next);
  if (next === null || turn === null || (following !== null && reversalOf(following) !== null)) return [];
  if (turn === "but") return [warning("goes-on", `The source goes on: “${clipped(next, 200)}”`)];
  return [warning("turned", `The source says this only to turn it round: “${clipped(text, 90)} ${clipped(next, 130)}”`)];
}

const warning = (kind: Warning["kind"], detail: string): Omit<Warning, "sceneId"> => ({
  kind,
  problem: kind === "turned" ? "misquoted" : "unsupported",
  by: "application",
  detail: detail.slice(0, filmBounds.findingLength),
});

const quoteOfSource = ({ text, isOfBefore }: SourceSentence): string =>
  `${isOfBefore ? "Before, it said" : "The source says"}: “${clipped(text, 200)}”`;
const clipped = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1).trimEnd()}…`);

function reason({ kind, words: [said, held] }: Comparison["differences"][number]): string {
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
