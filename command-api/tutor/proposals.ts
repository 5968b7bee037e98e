import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type GeneratedGrading, type GeneratedPlan, type GeneratedVerification, itemOf } from "@colloquy/schemas/generation/tutor.ts";
import type { WrittenBy } from "@colloquy/schemas/models.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import type { AskedBefore, SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import { helpOf } from "@colloquy/schemas/tutor/help.ts";
import { meetsRubric } from "@colloquy/schemas/tutor/recompute.ts";
import { probabilityIn } from "@colloquy/schemas/tutor/replay.ts";
import type { TutorFrame } from "@colloquy/schemas/tutor/requests.ts";
import type { Criterion, Step } from "@colloquy/schemas/tutor/session.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { followUpTail } from "../ask/follow-up-tail.ts";
import { citationOf, citationWriter } from "../grounding/citations.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import { markUnsupported, unsupportedByWords } from "../grounding/support.ts";
import { askedAgain, type ItemMaker, itemFrom } from "./items.ts";
import { generate, type ModelContext, statusOf, writerOf } from "./model-calls.ts";
import { checkedPlan, type ProposedStep } from "./plans.ts";
import {
  checkPrompt,
  type ForLearner,
  gradingPrompt,
  planPrompt,
  probePrompt,
  teachingPrompt,
  verificationPrompt,
  withoutNothingElse,
} from "./prompts.ts";
import type { QuestionGate } from "./question-gate.ts";
import { foundLine } from "./second-look.ts";
import { isCopied, statementsIn } from "./shown-texts.ts";
import type { CheckInput, LessonInput } from "./task-inputs.ts";

/** Where questions come from, and where else when a model says that those passages give none. */
export interface QuestionMaker extends ItemMaker {
  /** Other passages of the same topics; none when there are no others. */
  elsewhere(): Promise<readonly TurnPassage[]>;
  /** The second look, without which no question is asked. */
  gate: QuestionGate;
}

/**
 * Diagnostic items for the objectives: those the application can take. A model that says that the passages give none is asked about
 * others of the same topics, and one whose questions a second look refused is asked once more. What was asked in an earlier session comes
 * again only where nothing new does, and counts as aided.
 * @throws {ProblemError} `nothing_to_ask` when those give none either; `ai_unavailable` when what was proposed cannot be taken
 */
export async function proposeProbes(
  context: ModelContext,
  first: QuestionMaker,
  objectives: readonly SessionObjective[],
  askedBefore: readonly AskedBefore[] = [],
): Promise<TutorItem[]> {
  const asked = new Set(askedBefore.map(({ sameness }) => sameness));
  const prompts = askedBefore.map(({ prompt }) => prompt).slice(-rememberedPrompts);
  const kept: TutorItem[] = [];
  let repeated: TutorItem[] = [];
  let found: string[] = [];
  let wanted = objectives;
  let maker: ItemMaker = first;
  let refused = first.passages.length === 0;
  for (let tries = 1; tries <= bounds.tutor.itemTries && maker.passages.length > 0; tries += 1) {
    const prompt = probePrompt(maker.passages, wanted, prompts, found);
    const { object: proposed, by } = await generate(
      context,
      "probe",
      "probing",
      prompt,
      "Write the diagnostic questions.",
      bounds.tutor.outputTokens.probe,
    );
    refused = proposed.items.length === 0;
    if (refused) {
      maker = { ...first, passages: await first.elsewhere() };
      continue;
    }
    const items: TutorItem[] = [];
    for (const { objectiveId, breadth, ...proposal } of proposed.items) {
      if (!wanted.some((objective) => objective.objectiveId === objectiveId)) continue;
      const place = { kind: "probe" as const, objectiveId, stepId: null, breadth };
      const statements = [...maker.shown.statements, ...[...kept, ...items].flatMap(statementsIn)];
      const shown = { ...maker.shown, statements };
      const taken = itemFrom({ ...maker, shown }, { ...proposal, rubric: [], modelAnswer: "" }, place, by, null);
      if (taken.ok && ![...kept, ...items].some(({ sameness }) => sameness === taken.item.sameness)) items.push(taken.item);
    }
    const fresh = items.filter(({ sameness }) => !asked.has(sameness));
    if (fresh.length === 0) {
      if (items.length > 0) repeated = items;
      continue;
    }
    const looked = await first.gate.look(maker.passages, fresh);
    kept.push(...looked.flatMap((one) => (one.fit ? one.item : [])));
    wanted = wanted.filter(({ objectiveId }) => !kept.some((item) => item.objectiveId === objectiveId));
    if (wanted.length === 0 || looked.every(({ fit }) => fit)) return kept;
    found = looked.flatMap((one) => (one.fit ? [] : foundLine({ ...one, prompt: one.item.prompt })));
  }
  if (kept.length > 0) return kept;
  if (repeated.length > 0) {
    const looked = await first.gate.look(maker.passages, repeated);
    const fit = looked.flatMap((one) => (one.fit ? one.item : []));
    if (fit.length > 0) return fit;
  }
  if (refused || found.length > 0)
    throw new ProblemError("nothing_to_ask", { detail: "Choose another goal, or another course. Nothing was begun or changed." });
  throw new ProblemError("ai_unavailable", {
    detail: "No question could be made from the course's text. Try again, or choose another model.",
  });
}

/** Prompts a model is shown so that it asks something else. */
const rememberedPrompts = 60;

/** The questions of a session so far, in their order. */
export const itemsAsked = (state: TutorState): TutorItem[] => state.asked.flatMap((itemId) => state.items[itemId] ?? []);

/** What was asked about an objective, and about those it shares its topic's passages, and so their questions, with. */
export function promptsAsked(state: TutorState, { topicId }: SessionObjective): string[] {
  const alike = new Set(state.objectives.flatMap((one) => (one.topicId === topicId ? one.objectiveId : [])));
  // A film's question was asked in other words: what it asked about stands in its choices.
  const ofFilms = Object.values(state.items)
    .filter(({ film }) => film !== undefined)
    .map(({ objectiveId, prompt, choices }) => ({ objectiveId, prompt: [prompt, ...choices.map(({ text }) => text)].join(" ") }));
  return [...(state.askedBefore ?? []), ...ofFilms, ...itemsAsked(state)]
    .flatMap(({ objectiveId, prompt }) => (alike.has(objectiveId) ? prompt : []))
    .slice(-rememberedPrompts);
}

/**
 * A question on one objective. A model that says that the passages give none is asked about others of the objective's topic, and one whose
 * question a second look refused is asked for another once. When models come to nothing new, one that was asked before comes again, and
 * counts as aided; null when there is none but the one asked last.
 */
export async function proposeCheck(
  context: ModelContext,
  first: QuestionMaker,
  state: TutorState,
  target: Omit<CheckInput, "passages"> & { learner: ForLearner },
): Promise<TutorItem | null> {
  const { objective, stepId, selection, learner } = target;
  let maker: ItemMaker = first;
  let { focus, nearest } = target;
  const before = itemsAsked(state);
  const previous = before.at(-1)?.sameness ?? null;
  const asked = promptsAsked(state, objective);
  const place = { kind: "check" as const, objectiveId: objective.objectiveId, stepId, breadth: "narrow" as const };
  const known = new Set([...(state.askedBefore ?? []), ...before].map(({ sameness }) => sameness));
  let repeated: TutorItem | undefined;
  const found: string[] = [];
  let wanted = selection;
  // A question that was refused is repaired once, whatever was tried before.
  for (let tries = 1; tries <= bounds.tutor.itemTries || (tries <= bounds.tutor.itemTries + 1 && found.length === 1); tries += 1) {
    const system = checkPrompt(maker.passages, objective, { selection: wanted, focus, nearest }, asked, learner, found);
    // The objective stands in the material: a course's words never speak for us.
    const task = `Write one question on the objective.${wanted === "text" ? " It is answered in the learner's own words." : ""}`;
    const { object: answer, by } = await generate(context, "check", "checking", system, task, bounds.tutor.outputTokens.check);
    const proposal = itemOf(answer);
    if (!proposal) {
      const passages = await first.elsewhere();
      if (passages.length === 0 && wanted === "single") break;
      if (passages.length > 0) [maker, focus, nearest] = [{ ...first, passages }, [], []];
      wanted = "single";
      continue;
    }
    const fits = (proposal.selection === "text") === (wanted === "text");
    const taken = fits ? itemFrom(maker, proposal, place, by, previous) : { ok: false as const };
    // Practice proves nothing, whatever was seen before.
    const isUsable = taken.ok && (taken.item.evidence?.counts === false || helpOf(state, taken.item) === null);
    if (isUsable && !known.has(taken.item.sameness)) {
      const [looked] = await first.gate.look(maker.passages, [taken.item]);
      if (looked?.fit) return looked.item;
      if (looked) found.push(foundLine({ ...looked, prompt: looked.item.prompt }));
      if (found.length > 1) break;
    } else if (taken.ok) repeated ??= taken.item;
    asked.push(proposal.prompt);
    // Another kind of question may be had where this one is not.
    if (found.length === 0) wanted = "single";
  }
  const again = before.find(
    ({ objectiveId, sameness }) => objectiveId === objective.objectiveId && sameness !== previous && !first.course.written.has(sameness),
  );
  const [looked] = repeated ? await first.gate.look(maker.passages, [repeated]) : [];
  if (looked?.fit) return looked.item;
  return again ? askedAgain(again, maker, stepId) : null;
}

/** How probable it is that each objective is mastered already. */
export const probabilitiesOf = (state: TutorState, objectives: readonly SessionObjective[]): { text: string; probability: number }[] =>
  objectives.map(({ objectiveId, title }) => ({ text: title, probability: probabilityIn(state.ledger, objectiveId) }));

/** A plan for objectives, and what was found wrong with it, by the application and, in a call of its own, by a model. */
export async function proposePlan(
  context: ModelContext,
  state: TutorState,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  newId: () => string,
  learner: ForLearner,
): Promise<{ steps: ProposedStep[]; findings: string[]; by: WrittenBy; verifiedBy: WrittenBy }> {
  const prompt = planPrompt(passages, objectives, state.findings, probabilitiesOf(state, objectives), learner);
  const { object: plan, by } = await generate(context, "plan", "planning", prompt, "Plan the path.", bounds.tutor.outputTokens.plan);
  const { steps, findings } = checkedPlan(plan, passages, objectives, newId);
  const looked = await verifyPlan(context, passages, objectives, plan);
  return { steps, findings: [...findings, ...looked.findings], by, verifiedBy: looked.by };
}

/** The second look at a plan: a call of its own, which sees the plan and the passages and nothing else. */
export async function verifyPlan(
  context: ModelContext,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  plan: GeneratedPlan,
): Promise<{ findings: string[]; by: WrittenBy }> {
  const { object: looked, by } = await generate(
    context,
    "verification",
    "verifying",
    verificationPrompt(passages, objectives, plan),
    "Check the proposed plan.",
    bounds.tutor.outputTokens.verification,
  );
  return { findings: findingsOf(looked), by };
}

/** What a verification found, a line each. */
export const findingsOf = ({ unsupported, prerequisiteGaps }: GeneratedVerification): string[] => [
  ...unsupported.map(({ step, claim }) => `“${step}”: ${claim}`),
  ...prerequisiteGaps.map(({ step, missing }) => `“${step}” lacks: ${missing}`),
];

export interface Taught {
  text: string;
  citations: Citation[];
  outcome: "finished" | "stopped";
  by: WrittenBy;
}

/** What stands where the course holds nothing on a step that was not shown: the passage to read again. */
export function nothingElseFrom(
  passages: readonly TurnPassage[],
  focus: readonly string[],
  { title }: Pick<Step, "title">,
): Pick<Taught, "text" | "citations"> & { nothingElse: true } {
  const again = passages.filter(({ key }) => focus.includes(key)).slice(0, 1);
  return { text: "", citations: again.map((passage, index) => citationOf(passage, index + 1, title)), nothingElse: true };
}

/**
 * Teaches a step: its text as it arrives, each source before the first text that has its number. Stopped in the middle it gives what
 * there is. A lesson that may repeat an earlier one is read before it is shown: one that does is refused and asked for once more, then the
 * learner is told that there is no other.
 * @throws {ProblemError} as `ModelGateway.streamText`; the signal's reason when it was stopped before anything came
 */
export async function teachStep(
  context: ModelContext,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  step: Step,
  { shown, ...how }: Omit<LessonInput, "step" | "objectives" | "passages"> & { learner: ForLearner },
): Promise<Taught & { nothingElse?: true }> {
  if (shown.length === 0) return streamedLesson(context, passages, objectives, step, { shown, ...how });
  const held: TutorFrame[] = [];
  const holding = { ...context, emit: (frame: TutorFrame) => void held.push(frame) };
  const before = [...shown];
  for (let tries = 1; ; tries += 1) {
    const taught = await streamedLesson(holding, passages, objectives, step, { ...how, shown: before });
    // What was held has not been read.
    context.signal.throwIfAborted();
    if (taught.text !== "" && !isCopied(taught.text, before)) {
      for (const frame of held) context.emit(frame);
      return taught;
    }
    if (taught.text === "" || tries === bounds.tutor.lessonTries) {
      return { ...nothingElseFrom(passages, how.focus, step), outcome: "finished", by: taught.by };
    }
    held.length = 0;
    before.push(taught.text);
  }
}

/** One lesson as a model writes it; its text is empty where the model says that there is nothing else to teach. */
async function streamedLesson(
  context: ModelContext,
  passages: readonly TurnPassage[],
  objectives: readonly SessionObjective[],
  step: Step,
  { focus, next, shown, learner, ...how }: Omit<LessonInput, "step" | "objectives" | "passages"> & { learner: ForLearner },
): Promise<Taught> {
  const { gateway, model, signal, emit } = context;
  const run = await gateway.streamText({
    model,
    need: "tutor",
    signal,
    maxOutputTokens: bounds.tutor.outputTokens.teaching,
    onAttempt: statusOf(context, "teaching"),
    system: teachingPrompt(passages, objectives, { title: step.title, ...how }, { focus, next, shown, learner }),
    messages: [{ role: "user", content: "Teach this step." }],
  });
  const lesson = lessonWriter(passages, emit);
  let outcome: Taught["outcome"] = "finished";
  try {
    for await (const piece of run.text) lesson.take(piece);
    lesson.end();
  } catch (error) {
    if (!signal.aborted || !context.streamed || lesson.text().trim() === "") throw error;
    outcome = "stopped";
  }
  if (shown.length > 0 && withoutNothingElse(lesson.text()).isSigned) return { text: "", citations: [], outcome, by: writerOf(run) };
  if (lesson.text().trim() === "")
    throw new ProblemError("ai_unavailable", { detail: "The model taught nothing. Try again, or choose another model." });
  if (!lesson.isGrounded() && outcome === "finished")
    throw new ProblemError("ai_unavailable", {
      detail: "The model named no source for what it taught. Try again, or choose another model.",
    });
  return { text: lesson.text(), citations: lesson.citations(step.title), outcome, by: writerOf(run) };
}

/** A lesson in the making: markers of passages become numbered citations, in what arrives piece by piece. */
export function lessonWriter(passages: readonly TurnPassage[], emit: ModelContext["emit"] = () => undefined) {
  const writer = citationWriter(passages);
  // Models that are used to Ask list questions here, too, which a lesson does not show.
  const tail = followUpTail();
  let text = "";
  let known = 0;
  const say = (piece: string): void => {
    const fits = piece.slice(0, bounds.tutor.teachingLength - text.length);
    if (!fits) return;
    for (const citation of writer.citations().slice(known)) emit(versioned({ kind: "citation" as const, citation }));
    known = writer.citations().length;
    text += fits;
    emit(versioned({ kind: "text_delta" as const, text: fits }));
  };
  return {
    take: (piece: string): void => say(writer.push(tail.push(piece))),
    end: (): void => {
      say(writer.push(tail.end()));
      say(writer.end());
    },
    text: (): string => text,
    /** Whether anything in it stands on a passage. */
    isGrounded: (): boolean => writer.claims().length > 0,
    /** Its sources, with what of the text they do not carry. */
    citations(title: string): Citation[] {
      const claims = writer.claims();
      return markUnsupported(writer.citations(), claims, unsupportedByWords(claims, title));
    },
  };
}

/** A model's judgement of a text answer. Every criterion has to be judged once; what the application makes of them is its own. */
export async function gradeText(
  context: ModelContext,
  passages: readonly TurnPassage[],
  item: TutorItem,
  answer: string,
): Promise<{ correct: boolean; criteria: Criterion[]; by: WrittenBy }> {
  const prompt = gradingPrompt(passages, item, answer);
  const { object: grading, by } = await generate(
    context,
    "grading",
    "grading",
    prompt,
    "Grade the answer.",
    bounds.tutor.outputTokens.grading,
  );
  return { ...gradeOf(item, grading), by };
}

/** What the application makes of a judgement: a criterion that was not judged is not met, and enough of them have to be. */
export function gradeOf(item: Pick<TutorItem, "rubric">, grading: GeneratedGrading): { correct: boolean; criteria: Criterion[] } {
  const byNumber = new Map(grading.criteria.map((one) => [one.criterion, one]));
  const criteria = item.rubric.map((criterion, index) => {
    const one = byNumber.get(index + 1);
    return { criterion, met: one?.met ?? false, reason: one?.reason ?? "This was not judged, and counts as not met." };
  });
  return { correct: meetsRubric(criteria.map(({ met }) => met)), criteria };
}
