import { type GeneratedPlan, type GeneratedVerification, generatedPlan } from "@colloquy/schemas/generation/tutor.ts";
import { type Prompt, taggedJson } from "../prompt.ts";
import { understand } from "../question.ts";
import { rank, withoutTask } from "../ranking.ts";
import type { Passage } from "../segments.ts";
import { terms } from "../terms.ts";
import { scoresOf } from "./excerpt.ts";
import { objectivesOf, passagesOf } from "./objectives.ts";

const mostSteps = 12;
/** Of a step. */
const mostPassages = 6;
/** Kinds of passages whose own title is a label or a caption, such as a formula's: they belong to the section above them. */
const captioned = /^(?:math|code|table|figure)$/;

/** Passages that a step is taught from: those of its section that say most of its objectives, in reading order. */
function taughtFrom({ passages, objectiveIds }: { passages: Passage[]; objectiveIds: string[] }, prompt: Prompt): Passage[] {
  const wanted = objectivesOf(prompt).flatMap(({ id, text }) => (objectiveIds.includes(id) ? withoutTask(text) : []));
  const scores = scoresOf(passages, understand(wanted.join(" ")));
  const best = passages.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0)).slice(0, mostPassages);
  return passages.filter((passage) => best.includes(passage));
}

/** A path through the sections of the passages in their order, each step standing on the one before it. */
export function makePlan(prompt: Prompt): GeneratedPlan | null {
  const sections = new Map<string, Passage[]>();
  let above: { name: string; page: string } | null = null;
  for (const passage of prompt.passages) {
    const page = passage.trail.join(" › ");
    const belongsAbove: boolean = captioned.test(passage.kind ?? "") && above?.page === page;
    const name: string = (belongsAbove && above?.name) || passage.title || passage.trail.at(-1) || "The course";
    if (/^(?:solutions?|exercises?)$/i.test(name)) continue;
    above = { name, page };
    sections.set(name, [...(sections.get(name) ?? []), passage]);
  }
  const objectives = objectivesOf(prompt);
  const all = [...sections].map(([title, passages]) => ({
    title,
    passages,
    objectiveIds: [] as string[],
  }));
  if (!all.length) return null;
  // Every objective goes to the step that says most about it, on the page that does: sections of other pages only mention it.
  for (const objective of objectives) {
    const { id, text } = objective;
    const ranked = rank(passagesOf(objective, prompt.passages), understand(text)).passages;
    const pages = Map.groupBy(ranked, ({ passage }) => pageOf(passage, prompt.passages));
    const sayingMost = [...pages.values()].toSorted((one, other) => saidIn(other) - saidIn(one));
    const [best = []] = sayingMost;
    const onPage = best.map(({ passage }) => passage);
    // On its page the section that introduces its words comes before one that only says them more often; summaries have all words.
    const scores = scoresOf(
      prompt.passages.filter(
        (passage) => onPage.includes(passage) && passage.kind !== "key-points" && !opensPage(passage, prompt.passages),
      ),
      understand(withoutTask(text)),
    );
    const named = sayingMost
      .flat()
      .map(({ passage }) => passage)
      .toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
    const steps = [...named.flatMap((passage) => all.find((one) => one.passages.includes(passage)) ?? []), ...all];
    const free = steps.filter((step, place) => step.objectiveIds.length < 6 && (step.objectiveIds.length || place < mostSteps));
    free[0]?.objectiveIds.push(id);
  }
  const kept = objectives.length ? all.filter((step) => step.objectiveIds.length) : all;
  return {
    steps: (kept.length ? kept : all).slice(0, mostSteps).map((step, index) => ({
      key: `p${index + 1}`,
      title: step.title.slice(0, 200),
      objectiveIds: step.objectiveIds,
      passages: taughtFrom(step, prompt).map((passage) => passage.id),
      prerequisites: index ? [`p${index}`] : [],
      reason: index ? "It comes next in the course and stands on the step before." : "The course begins with it.",
    })),
  };
}

const trailOf = (trail: readonly string[]): string => trail.join("\n");

/** Whether a passage stands under the page itself, above its sections. */
const opensPage = ({ trail }: Passage, passages: readonly Passage[]): boolean =>
  passages.some((other) => other.trail.length > trail.length && trailOf(other.trail).startsWith(`${trailOf(trail)}\n`));

/** The course, the parts and the page of a passage, without its section. */
const pageOf = (passage: Passage, passages: readonly Passage[]): string =>
  trailOf(opensPage(passage, passages) ? passage.trail : passage.trail.slice(0, -1));

/** How much the passages of a page say, the best ones: a long page says no more by its length. */
const saidIn = (ranked: readonly { score: number }[]): number => ranked.slice(0, 3).reduce((sum, { score }) => sum + score, 0);

/** Looks at a proposed plan by rule: every step's passages exist and speak of what the step is called, prerequisites come before. */
export function makeVerification(prompt: Prompt): GeneratedVerification {
  const parsed = generatedPlan.safeParse(taggedJson(prompt, "proposal"));
  if (!parsed.success) {
    const claim = "The proposal is not a plan whose steps come in order.";
    return { unsupported: [{ step: "the plan", claim }], prerequisiteGaps: [] };
  }
  const byId = new Map(prompt.passages.map((passage) => [passage.id, passage]));
  const unsupported: GeneratedVerification["unsupported"] = [];
  const prerequisiteGaps: GeneratedVerification["prerequisiteGaps"] = [];
  for (const step of parsed.data.steps) {
    const missing = step.passages.filter((id) => !byId.has(id));
    if (missing.length)
      unsupported.push({ step: step.title, claim: `It stands on ${missing.join(", ")}, which is not among the passages.` });
    const held = new Set(step.passages.flatMap((id) => terms(`${byId.get(id)?.title ?? ""} ${byId.get(id)?.text ?? ""}`)));
    const named = [...new Set(terms(step.title))];
    if (!missing.length && named.length && !named.some((term) => held.has(term)))
      unsupported.push({ step: step.title, claim: "None of its passages speaks of what it is called." });
  }
  const taught = new Set(parsed.data.steps.flatMap((step) => step.objectiveIds));
  for (const { id, text } of objectivesOf(prompt))
    if (!taught.has(id) && prerequisiteGaps.length < 16)
      prerequisiteGaps.push({ step: "the plan", missing: `No step teaches “${text.slice(0, 400)}”.` });
  return { unsupported: unsupported.slice(0, 16), prerequisiteGaps };
}
