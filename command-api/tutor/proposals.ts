import { ProblemError } from "@colloquy/infra/http/problem.ts";
import type { Citation } from "@colloquy/schemas/ai/citations.ts";
import type { ModelSelection } from "@colloquy/schemas/ai/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { SessionObjective, TutorItem, WrittenBy } from "@colloquy/schemas/events/tutor.ts";
import { type Generated, type GenerationName, generationSchemas } from "@colloquy/schemas/generation/index.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorFrame, TutorWork } from "@colloquy/schemas/tutor/requests.ts";
import type { Criterion, Selection, Step } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { citationWriter } from "../grounding/citations.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { doubtful, withDoubts } from "../grounding/support.ts";
import type { ModelGateway, RunInfo } from "../model-gateway/gateway.ts";
import { askedAgain, type ItemMaker, itemFrom } from "./items.ts";
import { checkedPlan, type ProposedStep } from "./plans.ts";
import { checkPrompt, gradingPrompt, planPrompt, probePrompt, teachingPrompt, verificationPrompt } from "./prompts.ts";

/** What a call to a model needs beside its prompt. */
export interface Asking {
  gateway: ModelGateway;
  model: ModelSelection;
  signal: AbortSignal;
  streamed: boolean;
  tell(frame: TutorFrame): void;
  elapsedMs(): number;
}

export const byOf = ({ provider, model, fallbackDepth }: RunInfo): WrittenBy => ({ provider, model, fallbackDepth });

const statusOf = (asking: Asking, phase: TutorWork) => (run: RunInfo) =>
  asking.tell(versioned({ kind: "status" as const, phase, elapsedMs: asking.elapsedMs(), detail: byOf(run) }));

/** One bounded call for an object. @throws {ProblemError} as `ModelGateway.generateObject` */
async function object<Name extends GenerationName>(
  asking: Asking,
  name: Name,
  phase: TutorWork,
  system: string,
  task: string,
  maxOutputTokens: number,
): Promise<{ object: Generated<Name>; by: WrittenBy }> {
  const { object: made, run } = await asking.gateway.generateObject({
    ...{ model: asking.model, need: "tutor" as const, name, schema: generationSchemas[name] as never, system },
    messages: [{ role: "user", content: task }],
    ...{ maxOutputTokens, signal: asking.signal, onAttempt: statusOf(asking, phase) },
  });
  return { object: made as Generated<Name>, by: byOf(run) };
}

/** Diagnostic items for the objectives: those the application can take. @throws {ProblemError} `ai_unavailable` when there is none */
export async function proposeProbes(asking: Asking, maker: ItemMaker, objectives: readonly SessionObjective[]): Promise<TutorItem[]> {
  for (let tries = 1; tries <= bounds.tutor.itemTries; tries += 1) {
    const prompt = probePrompt(maker.passages, objectives);
    const { object: proposed, by } = await object(
      asking,
      "probe",
      "probing",
      prompt,
      "Write the diagnostic questions.",
      bounds.tutor.outputTokens.probe,
    );
    const items: TutorItem[] = [];
    for (const { objectiveId, breadth, ...proposal } of proposed.items) {
      if (!objectives.some((objective) => objective.objectiveId === objectiveId)) continue;
      const place = { kind: "probe" as const, objectiveId, stepId: null, breadth };
      const taken = itemFrom(maker, { ...proposal, rubric: [], modelAnswer: "" }, place, by, null);
      if (taken.ok && !items.some(({ sameness }) => sameness === taken.item.sameness)) items.push(taken.item);
    }
    if (items.length > 0) return items;
  }
  throw new ProblemError("ai_unavailable", {
    detail: "No question could be made from the course's text. Try again, or choose another model.",
  });
}

/** Prompts a model is shown so that it asks something else. */
const rememberedPrompts = 60;

/**
 * A question on one objective. When models come to nothing new, one that was asked before comes again, and counts as aided; null when
 * there is none but the one that was asked last.
 */
export async function proposeCheck(
  asking: Asking,
  maker: ItemMaker,
  state: TutorState,
  target: { objective: SessionObjective; stepId: string; selection: Selection; focus: readonly string[] },
): Promise<TutorItem | null> {
  const { objective, stepId, selection, focus } = target;
  const before = state.asked.flatMap((itemId) => state.items[itemId] ?? []);
  const previous = before.at(-1)?.sameness ?? null;
  // Objectives of one topic share its passages, and so their questions.
  const alike = new Set(state.objectives.flatMap(({ topicId, objectiveId }) => (topicId === objective.topicId ? objectiveId : [])));
  const asked = before.flatMap(({ objectiveId, prompt }) => (alike.has(objectiveId) ? prompt : [])).slice(-rememberedPrompts);
  const place = { kind: "check" as const, objectiveId: objective.objectiveId, stepId, breadth: "narrow" as const };
  let repeated: TutorItem | undefined;
  let wanted = selection;
  for (let tries = 1; tries <= bounds.tutor.itemTries; tries += 1) {
    const system = checkPrompt(maker.passages, objective, wanted, asked, focus);
    const task = `Write one question on: ${objective.title}${wanted === "text" ? " It is answered in the learner's own words." : ""}`;
    const { object: proposal, by } = await object(asking, "check", "checking", system, task, bounds.tutor.outputTokens.check);
    const fits = (proposal.selection === "text") === (wanted === "text");
    const taken = fits ? itemFrom(maker, proposal, place, by, previous) : { ok: false as const };
    if (taken.ok && !before.some(({ sameness }) => sameness === taken.item.sameness)) return taken.item;
    if (taken.ok) repeated ??= taken.item;
    asked.push(proposal.prompt);
    // Another kind of question may be had where this one is not.
    wanted = "single";
  }
  const again = before.find(({ objectiveId, sameness }) => objectiveId === objective.objectiveId && sameness !== previous);
  return repeated ?? (again ? askedAgain(again, maker, stepId) : null);
}

/** A plan for objectives, and what was found wrong with it, by the application and, in a call of its own, by a model. */
export async function proposePlan(
  asking: Asking,
  state: TutorState,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  newId: () => string,
): Promise<{ steps: ProposedStep[]; findings: string[]; by: WrittenBy; verifiedBy: WrittenBy }> {
  const known = objectives.map(({ objectiveId, title }) => ({ text: title, probability: probabilityIn(state.ledger, objectiveId) }));
  const prompt = planPrompt(passages, objectives, state.findings, known);
  const { object: plan, by } = await object(asking, "plan", "planning", prompt, "Plan the path.", bounds.tutor.outputTokens.plan);
  const { steps, findings } = checkedPlan(plan, passages, objectives, newId);
  const looked = await object(
    asking,
    "verification",
    "verifying",
    verificationPrompt(passages, objectives, plan),
    "Check the proposed plan.",
    bounds.tutor.outputTokens.verification,
  );
  const { unsupported, prerequisiteGaps } = looked.object;
  const found = [
    ...unsupported.map(({ step, claim }) => `“${step}”: ${claim}`),
    ...prerequisiteGaps.map(({ step, missing }) => `“${step}” lacks: ${missing}`),
  ];
  return { steps, findings: [...findings, ...found], by, verifiedBy: looked.by };
}

export interface Taught {
  text: string;
  citations: Citation[];
  outcome: "finished" | "stopped";
  by: WrittenBy;
}

/**
 * Teaches a step: its text as it arrives, each source before the first text that has its number. Stopped in the middle it gives what
 * there is. @throws {ProblemError} as `ModelGateway.streamText`; the signal's reason when it was stopped before anything came
 */
export async function teachStep(
  asking: Asking,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  step: Step,
  { focus, ...how }: { angle: number; missed: string | null; focus: readonly string[] },
): Promise<Taught> {
  const { gateway, model, signal, tell } = asking;
  const run = await gateway.streamText({
    ...{ model, need: "tutor", signal, maxOutputTokens: bounds.tutor.outputTokens.teaching, onAttempt: statusOf(asking, "teaching") },
    system: teachingPrompt(passages, objectives, { title: step.title, ...how }, focus),
    messages: [{ role: "user", content: `Teach this step: ${step.title}` }],
  });
  const writer = citationWriter(passages);
  let text = "";
  let known = 0;
  const say = (piece: string): void => {
    const fits = piece.slice(0, bounds.tutor.teachingLength - text.length);
    if (!fits) return;
    for (const citation of writer.citations().slice(known)) tell(versioned({ kind: "citation" as const, citation }));
    known = writer.citations().length;
    text += fits;
    tell(versioned({ kind: "text_delta" as const, text: fits }));
  };
  let outcome: Taught["outcome"] = "finished";
  try {
    for await (const piece of run.text) say(writer.push(piece));
    say(writer.end());
  } catch (error) {
    if (!signal.aborted || !asking.streamed || text.trim() === "") throw error;
    outcome = "stopped";
  }
  if (text.trim() === "")
    throw new ProblemError("ai_unavailable", { detail: "The model taught nothing. Try again, or choose another model." });
  const claims = writer.claims();
  if (claims.length === 0 && outcome === "finished")
    throw new ProblemError("ai_unavailable", {
      detail: "The model named no source for what it taught. Try again, or choose another model.",
    });
  return { text, citations: withDoubts(writer.citations(), claims, doubtful(claims, step.title)), outcome, by: byOf(run) };
}

/** How many of a rubric's criteria make a text answer correct. */
const share = 2 / 3;

/** A model's judgement of a text answer. Every criterion has to be judged once; what the application makes of them is its own. */
export async function gradeText(
  asking: Asking,
  passages: readonly TurnPassage[],
  item: TutorItem,
  answer: string,
): Promise<{ correct: boolean; criteria: Criterion[]; by: WrittenBy }> {
  const prompt = gradingPrompt(passages, item, answer);
  const { object: grading, by } = await object(
    asking,
    "grading",
    "grading",
    prompt,
    "Grade the answer.",
    bounds.tutor.outputTokens.grading,
  );
  const judged = new Map(grading.criteria.map((one) => [one.criterion, one]));
  const criteria = item.rubric.map((criterion, index) => {
    const one = judged.get(index + 1);
    return { criterion, met: one?.met ?? false, reason: one?.reason ?? "This was not judged, and counts as not met." };
  });
  const met = criteria.filter((one) => one.met).length;
  return { correct: met >= Math.ceil(criteria.length * share), criteria, by };
}
