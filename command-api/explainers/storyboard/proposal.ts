import type { QuestionKey, Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { type AcceptedBoard, type AcceptedPart, acceptedPart } from "./accepted.ts";
import { containsQuote } from "./checks/quotes.ts";
import type { KeyedPassage } from "./choose-passages.ts";
import { type Moment, momentsOf } from "./moments.ts";

/** A storyboard for the reviewer's prompt, with the prompt's names of passages. */
export interface Proposal {
  title: string;
  scenes: {
    scene: number;
    layout: Scene["layout"];
    shows: Scene["content"];
    narration: string;
    meets: Moment[];
    passages: string[];
    quotes: { passage: string; quote: string }[];
    /** Of an edited storyboard: what of the scene was accepted before. */
    accepted?: AcceptedPart;
  }[];
  /** The right choice, counted from 1, and why; null if the owner changed the question. */
  key: { right: number; explanation: string } | null;
}

export function proposalOf(
  { title, scenes, accepted = null }: { title: string; scenes: readonly Scene[]; accepted?: AcceptedBoard | null },
  passages: readonly KeyedPassage[],
  key: QuestionKey | null,
): Proposal {
  const keysOf = (sourceId: string): string[] => passages.flatMap((passage) => (passage.sourceId === sourceId ? passage.key : []));
  return {
    title,
    scenes: scenes.map((scene, index) => {
      const { layout, content, narration, sourceIds, quotes } = scene;
      const quoted = quotes.map(({ sourceId, quote }) => ({
        passage:
          passages.find((passage) => passage.sourceId === sourceId && containsQuote(quote, passage.text))?.key ?? keysOf(sourceId)[0] ?? "",
        quote,
      }));
      const part = acceptedPart(scene, accepted);
      return {
        scene: index + 1,
        layout,
        shows: content,
        narration,
        meets: momentsOf(scene),
        quotes: quoted,
        passages: [...new Set(sourceIds.flatMap(keysOf))],
        ...(part && { accepted: part }),
      };
    }),
    key: key && { right: key.right + 1, explanation: key.explanation },
  };
}
