import { evaluationCourses } from "@colloquy/command-api/grounding/evaluation/courses.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { expect } from "chai";
import { claimWarnings, isHint } from "../claims.ts";
import { type NarratedSentence, readSentences, type SentenceKind, sentenceSets } from "./sentences.ts";

/** What an owner is shown of a sentence. */
const warningsOf = ({ text, passages }: NarratedSentence) => {
  const sourceIds = [...new Set(passages.map(({ sourceId }) => sourceId))];
  const scene = {
    layout: "points",
    sceneId: "scene-1",
    sourceIds,
    narration: text,
    content: { heading: "", points: [] },
  } as unknown as Scene;
  return claimWarnings([scene], passages).filter((one) => !isHint(one));
};

describe("claim warnings on narration in a teacher's words", () => {
  for (const set of sentenceSets) {
    let sentences: NarratedSentence[] = [];
    const shareWarned = (kind: SentenceKind): number => {
      const of = sentences.filter((one) => one.kind === kind);
      const warned = of.filter((one) => warningsOf(one).length > 0);
      console.log(`      ${set}, ${kind}: ${warned.length} of ${of.length} warned about`);
      return warned.length / of.length;
    };
    before(async () => {
      sentences = readSentences(set, await evaluationCourses());
    });

    it(`warn about less than 5 % of the true ones (${set})`, () => {
      expect(shareWarned("true")).to.be.below(0.05);
    });
    it(`warn about most false ones in words of the passage (${set})`, () => {
      expect(shareWarned("false")).to.be.above(0.7);
    });
    it(`leave false ones in other words to the reviewing model (${set})`, () => {
      expect(shareWarned("false in other words")).to.be.below(0.05);
    });
  }
});
