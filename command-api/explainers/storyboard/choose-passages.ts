import type { Passage } from "@colloquy/schemas/courses/revision.ts";
import type { Emphasis } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import { estimateTokens } from "../../grounding/retrieve.ts";
import type { FilmTopic, TopicPassage } from "./topics.ts";

/** A passage in a prompt. `key` ("s1", "s2", …) is the only name that a model knows. */
export type KeyedPassage = TopicPassage & { key: string };

/** The roles of passages that serve an emphasis, by rank; others come last. */
const wanted: Record<Emphasis, Partial<Record<Passage["role"], number>>> = {
  intuition: { prose: 2, callout: 1.5, figure: 1.5, math: 1, "key-points": 1.5 },
  "worked-example": { code: 2.5, math: 2.5, table: 2, prose: 1.5 },
  "common-mistakes": { callout: 2.5, prose: 1.5, "key-points": 1 },
  "exam-recap": { "key-points": 3, table: 2, math: 2, prose: 1.5, callout: 1 },
};
const cues: Record<Emphasis, RegExp> = {
  intuition: /\b(?:because|like|imagine|picture|think of|means?|idea|in words|in other words)\b/gi,
  "worked-example": /\b(?:for example|for instance|example|step|suppose|let us|compute|run|output|result)\b/gi,
  "common-mistakes":
    /\b(?:mistakes?|careful|caution|wrong|not the same|instead|however|only if|unless|never|cannot|error|confus\w+|avoid|bad idea|lose|loss|fails?)\b/gi,
  "exam-recap": /\b(?:is called|means|exactly when|always|every|must|rule|definition|theorem|in general|key)\b/gi,
};

/**
 * The passages for a prompt, in reading order: all of a short topic; of a long one its key points, then the sections that serve the
 * emphasis best, early ones first, up to the token limit.
 */
export function passagesFor(topic: FilmTopic, emphasis: Emphasis): KeyedPassage[] {
  const { passages: most, passageTokens } = filmBounds;
  const sections = sectionsOf(topic.passages);
  const ranked = sections.toSorted((a, b) => worth(b, emphasis, sections) - worth(a, emphasis, sections));
  const chosen = new Set<TopicPassage>();
  let spent = 0;
  // Key points are short and say what matters.
  const kept = topic.passages.filter(({ role }) => role === "key-points");
  for (const passage of new Set([...kept, ...ranked.flat()])) {
    const tokens = estimateTokens(passage.text);
    if (chosen.size >= most || spent + tokens > passageTokens) break;
    chosen.add(passage);
    spent += tokens;
  }
  return keyed(topic.passages.filter((passage) => chosen.has(passage)));
}

/** The passages that scenes cite and those around them, as many as fit into a reviewer's prompt. */
export function passagesAround(topic: FilmTopic, emphasis: Emphasis, sourceIds: ReadonlySet<string>): KeyedPassage[] {
  const cited = topic.passages.filter(({ sourceId }) => sourceIds.has(sourceId));
  const others = passagesFor(topic, emphasis).map(({ passageId }) => passageId);
  const room = filmBounds.passages - Math.min(cited.length, filmBounds.passages);
  const near = new Set([...cited.slice(0, filmBounds.passages).map(({ passageId }) => passageId), ...others.slice(0, room)]);
  return keyed(topic.passages.filter(({ passageId }) => near.has(passageId)));
}

const keyed = (passages: readonly TopicPassage[]): KeyedPassage[] =>
  passages.map((passage, index) => ({ ...passage, key: `s${index + 1}` }));

/** Passages grouped by heading. */
function sectionsOf(passages: readonly TopicPassage[]): TopicPassage[][] {
  const sections: TopicPassage[][] = [];
  for (const passage of passages) {
    const last = sections.at(-1);
    // A callout or code block has its own heading and belongs to the section around it.
    if (last && (passage.role !== "prose" || last.some(({ role, heading }) => role === "prose" && heading === passage.heading)))
      last.push(passage);
    else sections.push([passage]);
  }
  return sections;
}

function worth(section: TopicPassage[], emphasis: Emphasis, sections: readonly TopicPassage[][]): number {
  const length = section.reduce((sum, { text }) => sum + text.length, 0);
  const fits =
    section.reduce((sum, { role, text }) => sum + (wanted[emphasis][role] ?? 0.3) * Math.min(text.length, 600), 0) / (length + 200);
  const cued = section.reduce((sum, { text }) => sum + (text.match(cues[emphasis])?.length ?? 0), 0) / (1 + length / 800);
  const early = 1 / (1 + sections.indexOf(section) / 4);
  return fits + Math.min(cued, 2) * 0.6 + early;
}
