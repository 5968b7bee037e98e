import { filmBounds } from "../film-bounds.ts";
import { labelsOf, type Shown } from "./labels.ts";
import { numberLineFacts } from "./number-line.ts";
import { planeFacts } from "./plane.ts";
import type { Scene } from "./storyboard.ts";

const { wordsPerMinute, readWordsPerMinute, signsPerWord, holds, sceneSecondsLeast, leadSeconds, silence } = filmBounds.timing;
const { charactersPerSecond } = filmBounds.captions;

/** How many words a text has, as they are spoken: what stands between white space and has a letter or a digit. */
export const wordsOf = (text: string): number => text.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

/** A scene as far as its length goes. */
export type Timed = Scene extends infer One ? (One extends Scene ? Pick<One, "layout" | "content" | "narration"> : never) : never;

/** A place of a narration, as an index of its text, and when it is said, in milliseconds. */
export interface SaidPlace {
  at: number;
  ms: number;
}

/** Milliseconds of a scene in which its words are said. */
export interface Speech {
  from: number;
  to: number;
  /** Where the voice's own times are known: in the order of the narration. */
  places?: readonly SaidPlace[];
}

/** A word of a narration: its index there, and when it is said, in milliseconds of the scene. */
export interface SaidWord extends SaidPlace {
  text: string;
}

/** When each word of a narration is said. Between places whose time is known, a word takes as long as it is long. Pure. */
export function saidWords(narration: string, { from, to, places = [] }: Speech): SaidWord[] {
  const words = [...narration.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map(({ 0: text, index }) => ({ at: index, text }));
  const known = [...(places[0]?.at === 0 ? [] : [{ at: 0, ms: from }]), ...places];
  return known.flatMap((begin, index) => {
    const end = known[index + 1] ?? { at: narration.length, ms: to };
    const own = words.filter(({ at }) => at >= begin.at && at < end.at);
    const whole = own.reduce((sum, { text }) => sum + paceOf(text), 0);
    let before = 0;
    return own.map((word) => {
      const ms = begin.ms + ((end.ms - begin.ms) * before) / whole;
      before += paceOf(word.text);
      return { ...word, ms };
    });
  });
}
/** How long a word takes, beside others. */
const paceOf = (word: string): number => word.length + 2;

/** Before the words of a scene and after them there is so much time to read in a film that is heard, when the scenes beside it take none. */
const pauseSeconds = silence.most - silence.least + (silence.most - leadSeconds);

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** The signs of a formula: a command is one as a rule; braces are none. */
const signsOf = (tex: string): string => tex.replace(/\\[A-Za-z]+/gu, "x").replace(/[{}\s]/gu, "");

/** What is read of a scene's picture. */
function textsOf(scene: Shown): string[] {
  const labels = labelsOf(scene);
  switch (scene.layout) {
    case "formula":
      return [...labels, ...scene.content.terms.map(({ tex }) => signsOf(tex))];
    case "derive":
      return [...labels, ...scene.content.steps.map(({ tex }) => signsOf(tex))];
    case "code":
      return [...labels, scene.content.code];
    case "trace":
      return [...labels, scene.content.code, scene.content.start, scene.content.start === "" ? scene.content.printed : ""];
    case "plane":
      return [...labels, ...planeFacts(scene.content).map(({ states }) => (states.at(-1) ?? "").replace(/\\[A-Za-z]+|[{}&\\\s]/gu, ""))];
    case "number-line":
      return [...labels, ...numberLineFacts(scene.content).map(signsOf)];
    default:
      return labels;
  }
}

/** How many signs of a text are read: a run of white space as one. */
const signsIn = (text: string): number => [...text.replace(/\s+/gu, " ").trim()].length;

/** How long it takes to read a question or a choice, as captions are read: it is to be understood at the first reading. Pure. */
export const askedSeconds = (text: string): number => signsIn(text) / charactersPerSecond;

/** How long it takes to read what a scene's picture shows, in seconds: its signs, five for a word. Pure. */
export function screenSeconds(scene: Shown): number {
  const texts = textsOf(scene);
  if (scene.layout === "question") return texts.reduce((sum, text) => sum + askedSeconds(text), 0);
  return (texts.reduce((sum, text) => sum + signsIn(text), 0) / signsPerWord / readWordsPerMinute) * 60;
}

/** How long its narration takes to say, in seconds, as the words rule reckons it. */
const saidSeconds = (narration: string): number => (wordsOf(narration) / wordsPerMinute) * 60;

/**
 * How long a scene of a silent film takes, in seconds with one decimal: its words at 150 a minute (the pace of calm speech, which captions
 * can follow) and a hold for its layout; and never less than it takes to read captions and picture one after the other. Pure.
 */
export function sceneSeconds(scene: Timed): number {
  const asks = scene.layout === "question";
  const read = (asks ? askedSeconds(scene.narration) : (wordsOf(scene.narration) / readWordsPerMinute) * 60) + screenSeconds(scene);
  return tenths(Math.max(sceneSecondsLeast, saidSeconds(scene.narration) + holds[scene.layout], read));
}

/** How long a film takes, in seconds with one decimal. Pure. */
export const filmSeconds = (scenes: readonly Timed[]): number => tenths(scenes.reduce((sum, scene) => sum + sceneSeconds(scene), 0));

/**
 * How many seconds it takes to read more than there is time for, in a film that is heard: while the words are said, and in the pauses about
 * them. 0 where there is time enough, and for the closing question, which stands until it is read. Pure.
 */
export function unreadSeconds(scene: Timed): number {
  if (scene.layout === "question") return 0;
  const over = screenSeconds(scene) - saidSeconds(scene.narration) - pauseSeconds;
  return over > unnoticed ? over : 0;
}
/** Nobody reads to a fraction of a second. */
const unnoticed = 0.25;

/** Seconds that what comes last is left at most: a picture does not stand still for longer. */
const readLast = 2.5;

/** When a scene of a silent film is spoken, as it were: what comes last is left the time it takes to read it. Pure. */
export function silentSpeech(scene: Timed, milliseconds: number): Speech {
  if (scene.layout === "question") return { from: leadMs(milliseconds), to: leadMs(milliseconds) + saidSeconds(scene.narration) * 1_000 };
  const hold = Math.max(holds[scene.layout], Math.min(readLast, screenSeconds(scene) / 4)) * 1_000;
  return { from: leadMs(milliseconds), to: Math.round(Math.max(milliseconds / 2, milliseconds - hold)) };
}

const leadMs = (milliseconds: number): number => Math.min(leadSeconds * 1_000, milliseconds / 10);

/** A scene of a film that is heard, in seconds of its own: when its voice begins, and how long it takes in all. */
export interface Spoken {
  lead: number;
  seconds: number;
}

/**
 * How long the scenes of a film that is heard take: as long as their voice, a moment before it and one after. Where there is more to read,
 * the pauses about the voice grow, first the one behind it, but nowhere does the film fall silent for longer than `silence.most`, save
 * after the closing question, which leaves time to read it and to answer. Pure.
 * @param audio seconds of each scene's voice
 */
export function spokenScenes(scenes: readonly Timed[], audio: readonly number[]): Spoken[] {
  let before = 0;
  return scenes.map((scene, index) => {
    const voice = audio[index] ?? 0;
    const least = Math.max(sceneSecondsLeast, screenSeconds(scene)) - voice;
    const isLast = index === scenes.length - 1;
    const rest = least - leadSeconds;
    const tail = isLast ? Math.max(holds[scene.layout], rest) : between(silence.least, rest, silence.most - leadSeconds);
    const lead = between(leadSeconds, least - tail, silence.most - before);
    before = tail;
    return { lead, seconds: lead + voice + tail };
  });
}

const between = (least: number, value: number, most: number): number => Math.max(least, Math.min(value, most));
