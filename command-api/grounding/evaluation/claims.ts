import { readFileSync } from "node:fs";
import type { SearchIndex } from "@colloquy/schemas/courses/revision.ts";
import { citationWriter } from "../citations.ts";
import type { TurnPassage } from "../retrieve.ts";
import { unsupportedByWords } from "../support.ts";

/** A claim, the passages it names, and whether they carry it. */
export interface LabelledClaim {
  text: string;
  kind: string;
  supported: boolean;
  set: "tuning" | "held-out";
  course: string;
  phrases: string[];
}

/** The claims of `claims.txt`, written by hand. */
export function labelledClaims(): LabelledClaim[] {
  const claims: LabelledClaim[] = [];
  let set: LabelledClaim["set"] | undefined;
  let under: Pick<LabelledClaim, "course" | "phrases"> | undefined;
  const lines = readFileSync(new URL("claims.txt", import.meta.url), "utf8").split("\n");
  for (const [index, line] of lines.entries()) {
    const [mark, rest] = [line.slice(0, 1), line.slice(2)];
    const [, before = "", after = ""] = /^([a-z-]+): (.+)$/.exec(rest) ?? [];
    if (mark === "#" || line === "") continue;
    if (mark === "=" && (rest === "tuning" || rest === "held-out")) set = rest;
    else if (mark === "@" && after) under = { course: before, phrases: after.split(" | ") };
    else if ((mark === "+" || mark === "-") && after && set && under)
      claims.push({ text: after, kind: before, supported: mark === "+", set, ...under });
    else throw new Error(`claims.txt:${index + 1} cannot be read: ${line}`);
  }
  return claims;
}

/** The passages that hold a phrase. */
export function passagesWith(phrase: string, course: SearchIndex): SearchIndex["passages"] {
  return course.passages.filter(({ text }) => text.replaceAll(/\s+/g, " ").includes(phrase));
}

/** The passages of a claim as they stand in a turn. @throws when one cannot be found. */
export function passagesOf(claim: LabelledClaim, course: SearchIndex): TurnPassage[] {
  const { courseId, revisionId } = course;
  return claim.phrases.map((phrase, index) => {
    const passage = passagesWith(phrase, course)[0];
    const source = course.sources.find(({ sourceId }) => sourceId === passage?.sourceId);
    if (!passage || !source) throw new Error(`no passage of ${courseId} says “${phrase}”`);
    return { ...passage, source, courseId, revisionId, score: 1, key: `s${index + 1}` };
  });
}

/** Whether a claim is doubted, written the way a model writes it. */
function isDoubted(claim: LabelledClaim, course: SearchIndex): boolean {
  const passages = passagesOf(claim, course);
  const writer = citationWriter(passages);
  const [, sentence = "", end = ""] = /^(.*?)([.!?]?)$/.exec(claim.text) ?? [];
  writer.push(`${sentence} ${passages.map(({ key }) => `[${key}]`).join("")}${end}`);
  writer.end();
  return unsupportedByWords(writer.claims(), "").length > 0;
}

export interface DoubtQuality {
  claims: number;
  /** Share of what is doubted that is not carried. */
  precision: number;
  /** Share of what is not carried that is doubted. */
  recall: number;
  /** Share of what is carried that is doubted all the same. */
  falseAlarms: number;
}

export function doubtQuality(claims: readonly LabelledClaim[], courses: readonly SearchIndex[]): DoubtQuality {
  const judged = claims.flatMap((claim) => {
    const course = courses.find(({ courseId }) => courseId === claim.course);
    return course ? [{ ...claim, doubted: isDoubted(claim, course) }] : [];
  });
  const count = (holds: (claim: (typeof judged)[number]) => boolean): number => judged.filter(holds).length;
  const caught = count(({ doubted, supported }) => doubted && !supported);
  return {
    claims: judged.length,
    precision: caught / count(({ doubted }) => doubted),
    recall: caught / count(({ supported }) => !supported),
    falseAlarms: count(({ doubted, supported }) => doubted && supported) / count(({ supported }) => supported),
  };
}
