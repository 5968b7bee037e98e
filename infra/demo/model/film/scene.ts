import { sceneSeconds, unreadSeconds } from "@colloquy/schemas/explainers/timing.ts";
import { emptyScene, type GeneratedScene, sceneContent } from "@colloquy/schemas/generation/storyboard.ts";
import type { Passage } from "../segments.ts";
import { wordsOf } from "../select.ts";
import { terms } from "../terms.ts";

export type Content = Partial<Omit<GeneratedScene, "layout" | "heading" | "narration" | "passages" | "quotes">>;

/** A scene that could be in the film. */
export interface Candidate {
  layout: GeneratedScene["layout"];
  heading: string;
  content: Content;
  narration: string;
  quotes: { passage: Passage; quote: string }[];
  /** Where it stands among the passages, for the order of the film. */
  at: number;
  words: number;
  terms: readonly string[];
  /** Sentences of the course that it says. */
  says: readonly string[];
  /** What it shows stands so in the course, and was written to be read by itself. */
  whole?: boolean;
  /** Names of code that its narration speaks of. */
  names?: readonly string[];
  /** Code that has to be shown right before it: what is said goes on with that. */
  after?: Passage | undefined;
}

export function candidate(of: Omit<Candidate, "words" | "terms">): Candidate {
  return { ...of, words: wordsOf(of.narration), terms: terms(of.narration) };
}

export function sceneOf({ layout, heading, content, narration, quotes }: Candidate): GeneratedScene {
  return {
    ...emptyScene,
    ...content,
    layout,
    heading: heading.slice(0, 80),
    narration,
    passages: [...new Set(quotes.map(({ passage }) => passage.id))],
    quotes: quotes.slice(0, 4).map(({ passage, quote }) => ({ passage: passage.id, quote })),
  };
}

/** Seconds that it takes to read more than there is time for. */
export const unread = (one: Candidate): number => unreadSeconds(sceneContent(sceneOf(one)));

const knownSeconds = new WeakMap<Candidate, number>();
/** How long a scene takes: it is asked for each of the films that it could be in. */
export function secondsOf(one: Candidate): number {
  const seconds = knownSeconds.get(one) ?? sceneSeconds(sceneContent(sceneOf(one)));
  knownSeconds.set(one, seconds);
  return seconds;
}

/** Where a segment stands: passages in their order, then what stands in them. */
export const placeOf = (passages: readonly Passage[], passage: Passage, order: number): number => passages.indexOf(passage) * 1_000 + order;
