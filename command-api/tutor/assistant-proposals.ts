import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { canonicalText, sha256 } from "@colloquy/infra/ledger/chain.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedCheck, GeneratedPlan, GeneratedProbe, GeneratedVerification } from "@colloquy/schemas/generation/tutor.ts";
import type { SessionObjective, TutorEvent, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TutorReply, TutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import { askAuthored, authoredProbes } from "./authored.ts";
import { passagesFor, type TutorCourse, type TutorCourses } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { type ActingAssistant, occasionOf, type TurnRun, writtenBy } from "./handlers.ts";
import { type ItemMaker, itemFrom } from "./items.ts";
import { learnerWords } from "./learner-words.ts";
import { checkedPlan } from "./plans.ts";
import { type ModelTask, nextTask } from "./policy.ts";
import { withoutNothingElse } from "./prompts.ts";
import { findingsOf, itemsAsked, lessonWriter, nothingElseFrom, verifyPlan } from "./proposals.ts";
import { questionGate, refusal } from "./question-gate.ts";
import { type QuizzesOf, revealedTo, type SessionsOf } from "./revealed.ts";
import { foundLine } from "./second-look.ts";
import type { SessionTurn, TutorSessions } from "./sessions.ts";
import { isCopied, type ShownTexts, shownIn, statementsIn, statementsShown } from "./shown-texts.ts";
import { checkInput, lessonInput, planInput } from "./task-inputs.ts";
import { checkTurn, idsOf, replyOf } from "./turns.ts";

/** The work of an assistant's own model. */
export type Proposal =
  | { work: "probe"; probe: GeneratedProbe }
  /** `verification`: what the assistant found in a call of its own; `ticket`: that this plan was proposed before. */
  | { work: "plan"; plan: GeneratedPlan; verification?: { found: GeneratedVerification; ticket: string } }
  | { work: "teach"; text: string }
  /** Null: nothing more can be asked about the step, which is left for later, not mastered. */
  | { work: "check"; check: GeneratedCheck | null };

export type ProposalRequest = Pick<TutorTurnRequest, "sessionId" | "requestId" | "expectedVersion"> & { proposal: Proposal };

export interface ProposalOutcome {
  reply: TutorReply;
  /** Why a plan was not installed, or questions were refused. */
  findings: string[];
  /** Whether a plan was installed by this request, now or when it first came. */
  installed: boolean;
  /** The plan waits for a verification, which names this. Nothing was recorded. */
  ticket: string | null;
}

/** Says that a plan was proposed for a session as it stood then, so that its verification is a call of its own. */
export interface PlanTickets {
  issue(of: PlannedFor): Promise<string>;
  isFor(ticket: string, of: PlannedFor): Promise<boolean>;
}
export interface PlannedFor {
  sessionId: string;
  version: number;
  clientId: string;
  /** SHA-256 of the plan. */
  plan: string;
}

interface Needs {
  gateway: ModelGateway;
  library: PassageLibrary;
  courses: TutorCourses;
  sessions: TutorSessions;
  quizzesOf?: QuizzesOf;
  sessionsOf?: SessionsOf;
  tickets: PlanTickets;
  /** Who verifies plans. */
  verifier: "own" | "assistant";
  clock(): number;
  random(): number;
}

/** What a turn of an assistant is carried out with. */
export type AssistantRun = Omit<TurnRun, "by" | "streamed" | "emit"> & { by: ActingAssistant };

/**
 * Takes in what an assistant's model proposes, by the checks that the work of our own models goes through, and decides alone what comes
 * of it. A proposal that cannot be taken changes nothing, but for a plan that was found wanting: that is recorded, as ours are.
 * @throws {ProblemError} `wrong_phase` for work that is not wanted now; `invalid_request` with what is wrong with the proposal
 */
export function assistantProposals(needs: Needs): (request: ProposalRequest, run: AssistantRun) => Promise<ProposalOutcome> {
  const { library, courses, sessions, random } = needs;

  return async ({ proposal, ...request }, run) => {
    const { context } = run;
    const { sessionId, requestId } = request;
    const digest = sha256(canonicalText({ ...request, proposal }));
    const session = await sessions.takeTurn(context, sessionId, async (turn, at) => {
      const { isDone, courseRevisionId } = await checkTurn(courses, turn.state, context, request, digest);
      if (isDone) return { ...(await earlierOutcome(sessions, request, proposal.work)), ticket: null };
      const occasion = occasionOf(run, at);
      turn.decide({ type: "take proposal", ...occasion, digest, ...(courseRevisionId && { courseRevisionId }) });
      const wanted = nextTask(turn.state);
      if (wanted !== proposal.work) throw new ProblemError("wrong_phase", { detail: awaitedProposal(wanted) });
      const course = await courses.live(turn.state.courseId);
      const newId = idsOf(sessionId, requestId)("made");
      const { replies } = learnerWords(turn.state, await sessions.texts(sessionId));
      const revealed = await revealedTo(needs, context.accountId, course, { sessionId, at });
      const askOwn = () => askAuthored(turn, occasion, { course, shown: shownIn(turn.state, replies, revealed) });
      askOwn();
      if (turn.state.current !== null) return { findings: [ownFirst], installed: false, ticket: null };
      const shown = shownIn(turn.state, replies, revealed);
      const take: Take = { needs, run, course, occasion, state: turn.state, shown, decide: turn.decide };
      let findings: string[] = [];
      switch (proposal.work) {
        case "probe": {
          const { own, without } = authoredProbes(turn.state, newId, { course, shown });
          const statements = [...shown.statements, ...own.flatMap(statementsIn)];
          const made = await probesFrom(take, proposal.probe, without, { course, newId, random, library, shown: { ...shown, statements } });
          const looked = await lookedOver(take, made);
          findings = looked.findings;
          const probes = [...own, ...looked.items];
          if (probes.length > 0) turn.decide({ type: "prepare probes", ...occasion, probes });
          break;
        }
        case "plan": {
          const taken = await takePlan(take, proposal, newId);
          // A plan that waits for its verification is not recorded.
          if (taken.ticket !== null) turn.discard();
          if (taken.ticket !== null) return { ...taken, installed: false };
          findings = taken.findings;
          break;
        }
        case "teach":
          await takeLesson(take, proposal.text);
          break;
        case "check":
          if (proposal.check === null) turn.decide({ type: "leave step", ...occasion });
          else {
            const made = await checkFrom(take, proposal.check, { course, newId, random, shown });
            const looked = await lookedOver(take, made);
            findings = looked.findings;
            for (const item of looked.items) turn.decide({ type: "ask", ...occasion, item });
          }
      }
      askOwn();
      run.signal.throwIfAborted();
      return { findings, installed: turn.events.some(isInstallation), ticket: null };
    });
    return { reply: await replyOf(sessions, session), ...session.result };
  };
}

const ownFirst = "A question of the course's own is asked first. This proposal was not needed.";

const isInstallation = (event: TutorEvent | null): boolean => event?.type === "PlanInstalled";

/** The outcome of a proposal that was taken before: the assistant that sends it again may never have had the answer. */
async function earlierOutcome(
  sessions: TutorSessions,
  { sessionId, requestId }: Pick<ProposalRequest, "sessionId" | "requestId">,
  work: Proposal["work"],
): Promise<Pick<ProposalOutcome, "findings" | "installed">> {
  const events = (await sessions.recordedBy(sessionId, requestId)).map(({ event }) => event);
  const findings = events.flatMap((event) => {
    if (event?.type === "QuestionRejected") return foundLine(event.data);
    return event?.type === "PlanRejected" ? event.data.findings : [];
  });
  const asked = events.flatMap((event) => {
    if (event?.type === "CheckAsked") return event.data.item;
    return event?.type === "ProbesPrepared" ? event.data.items : [];
  });
  const wasOwn =
    (work === "probe" || work === "check") && findings.length === 0 && asked.length > 0 && asked.every((item) => item.authored);
  return { findings: wasOwn ? [ownFirst] : findings, installed: events.some(isInstallation) };
}

interface Take {
  needs: Needs;
  run: AssistantRun;
  course: TutorCourse;
  occasion: Occasion;
  state: TutorState;
  /** What the learner was shown until now. */
  shown: ShownTexts;
  decide: SessionTurn["decide"];
}

const wrong = (detail: string): ProblemError => new ProblemError("invalid_request", { detail });

/** Which proposal a session waits for, as a sentence. */
function awaitedProposal(work: ModelTask | null): string {
  if (work === null)
    return "No proposal is wanted now: a question waits for the learner, or the session is paused or complete. Open the session.";
  const words = {
    probe: "diagnostic questions (propose_probe)",
    plan: "a plan (propose_plan)",
    teach: "a lesson (propose_teaching)",
    check: "a question (propose_check)",
  };
  return `The session waits for ${words[work]}. Ask next_work for what it has to be made from.`;
}

/** Questions and the passages that they were made from. */
interface Made {
  items: TutorItem[];
  passages: readonly TurnPassage[];
}

/** The gate that our own questions pass, by a model of this installation; what it refuses is recorded, and the assistant is told why. */
async function lookedOver(
  { needs, run, state, shown, occasion, decide }: Take,
  { items, passages }: Made,
): Promise<{ items: TutorItem[]; findings: string[] }> {
  const gate = questionGate(ownModel(needs, run, state), {
    objectives: state.objectives,
    revealed: () => statementsShown(shown),
    refuse: (refused) => decide(refusal(occasion, refused)),
  });
  const looked = await gate.look(passages, items);
  return {
    items: looked.flatMap((one) => (one.fit ? one.item : [])),
    findings: looked.flatMap((one) => (one.fit ? [] : foundLine({ ...one, prompt: one.item.prompt }))),
  };
}

async function probesFrom(
  { run }: Take,
  { items }: GeneratedProbe,
  objectives: readonly SessionObjective[],
  { library, ...maker }: Omit<ItemMaker, "passages"> & { library: PassageLibrary },
): Promise<Made> {
  const passages = await passagesFor(library, maker.course, objectives);
  const faults: string[] = [];
  const taken: TutorItem[] = [];
  for (const [index, { objectiveId, breadth, ...proposal }] of items.entries()) {
    const known = objectives.some((objective) => objective.objectiveId === objectiveId);
    const place = { kind: "probe" as const, objectiveId, stepId: null, breadth };
    const made = known
      ? itemFrom(
          { ...maker, shown: { ...maker.shown, statements: [...maker.shown.statements, ...taken.flatMap(statementsIn)] }, passages },
          { ...proposal, rubric: [], modelAnswer: "" },
          place,
          writtenBy(run.by),
          null,
        )
      : { ok: false as const, why: "its objective is not one that questions are wanted on" };
    if (!made.ok) faults.push(`Question ${index + 1}: ${made.why}.`);
    else if (taken.some(({ sameness }) => sameness === made.item.sameness)) faults.push(`Question ${index + 1} repeats another.`);
    else taken.push(made.item);
  }
  if (taken.length === 0) throw wrong(faults.join(" "));
  return { items: taken, passages };
}

async function takePlan(
  { needs, run, course, occasion, state, decide }: Take,
  { plan, verification }: Extract<Proposal, { work: "plan" }>,
  newId: () => string,
): Promise<{ findings: string[]; ticket: string | null }> {
  const { objectives, passages } = await planInput(needs.library, course, state);
  const { steps, findings: own } = checkedPlan(plan, passages, objectives, newId);
  const by = writtenBy(run.by);
  const planned: PlannedFor = {
    sessionId: state.sessionId,
    version: state.version,
    clientId: run.by.clientId,
    plan: sha256(canonicalText(plan)),
  };
  const refuse = (findings: string[]) => {
    const last = state.messages.findLastIndex((message) => message.kind !== "plan" || message.verified);
    decide({ type: "refuse plan", ...occasion, attempt: state.messages.length - last, steps, findings, by });
    return { findings, ticket: null };
  };
  if (own.length > 0) return refuse(own);
  if (needs.verifier === "own" && verification) throw wrong("Plans are verified by this installation itself. Use propose_plan alone.");
  if (needs.verifier === "assistant" && !verification) return { findings: [], ticket: await needs.tickets.issue(planned) };
  if (verification && !(await needs.tickets.isFor(verification.ticket, planned)))
    throw wrong("This plan was not proposed for the session as it stands, or too long ago. Propose it again, then verify it.");
  const looked = verification
    ? { findings: findingsOf(verification.found), by }
    : await verifyPlan(ownModel(needs, run, state), passages, objectives, plan);
  if (looked.findings.length > 0) return refuse(looked.findings);
  decide({ type: "install plan", ...occasion, steps, by, verifiedBy: looked.by });
  return { findings: [], ticket: null };
}

const ownModel = ({ gateway, clock }: Needs, { signal }: AssistantRun, { model }: TutorState) => {
  const began = clock();
  return { gateway, model, signal, streamed: false, emit: () => undefined, elapsedMs: () => Math.round(clock() - began) };
};

async function takeLesson({ needs, run, course, occasion, state, decide }: Take, text: string): Promise<void> {
  const wanted = await lessonInput(needs.library, course, state);
  if (!wanted) throw new ProblemError("wrong_phase", { detail: awaitedProposal(nextTask(state)) });
  const { step, passages, shown, focus } = wanted;
  const lesson = lessonWriter(passages);
  lesson.take(text);
  lesson.end();
  const taught = { type: "teach", ...occasion, stepId: step.stepId, outcome: "finished", by: writtenBy(run.by) } as const;
  if (shown.length > 0 && withoutNothingElse(lesson.text()).isSigned)
    return decide({ ...taught, ...nothingElseFrom(passages, focus, step) });
  if (!lesson.isGrounded())
    throw wrong("The lesson names no passage that was given. Write [s1], the id of the passage, after each sentence that stands on it.");
  if (isCopied(lesson.text(), shown))
    throw wrong("The lesson repeats one that the learner has read on this step. Teach it from another side, with another example.");
  decide({ ...taught, text: lesson.text(), citations: lesson.citations(step.title) });
}

async function checkFrom({ needs, run, course, state }: Take, check: GeneratedCheck, maker: Omit<ItemMaker, "passages">): Promise<Made> {
  const wanted = await checkInput(needs.library, course, state);
  if (!wanted) throw new ProblemError("wrong_phase", { detail: awaitedProposal(nextTask(state)) });
  const { objective, stepId, selection, passages } = wanted;
  if (check.selection === "text" && selection !== "text")
    throw wrong("A question with choices is wanted now: selection single or multiple.");
  const before = itemsAsked(state);
  const place = { kind: "check" as const, objectiveId: objective.objectiveId, stepId, breadth: "narrow" as const };
  const made = itemFrom({ ...maker, passages }, check, place, writtenBy(run.by), before.at(-1)?.sameness ?? null);
  if (!made.ok) throw wrong(`The question cannot be asked: ${made.why}.`);
  // One that was asked earlier may come again where there is nothing new: it counts as aided, for its key was shown.
  return { items: [made.item], passages };
}
