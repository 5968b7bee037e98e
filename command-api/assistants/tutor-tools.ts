import { eventIdFrom } from "@colloquy/infra/event-store/event-id.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { listTutorSessions as sessionsOf } from "@colloquy/projections/tutor/queries.ts";
import * as tools from "@colloquy/schemas/assistants/tools.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import type { GeneratedGrading } from "@colloquy/schemas/generation/tutor.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { Change } from "@colloquy/schemas/sync/changes.ts";
import type { TutorAction, TutorReply } from "@colloquy/schemas/tutor/requests.ts";
import { sessionView } from "@colloquy/schemas/tutor/view.ts";
import { type McpServer, requireScopes, type ServerContext } from "@modelcontextprotocol/server";
import type { AssistantRun, Proposal, ProposalOutcome } from "../tutor/assistant-proposals.ts";
import { learnerWords } from "../tutor/learner-words.ts";
import { revealedTo } from "../tutor/revealed.ts";
import { sessionIdOf } from "../tutor/turns.ts";
import { briefFor, toolOf, verificationBrief } from "./briefs.ts";
import { recordOf } from "./records.ts";
import type { ToolContext } from "./tool-context.ts";

const reads = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** A request that is sent twice is carried out once; nothing that was recorded is ever taken away. */
const writes = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false };

interface Turn {
  requestId: string;
  sessionId: string;
  expectedVersion: number;
}

/** A learner's own tutoring sessions: to look at, and to take part in. Every change is the application's own decision. */
export function tutorTools(server: McpServer, toolContext: ToolContext): void {
  const { runTool, countChange, config, library, courses, sessions, tutor, propose, token } = toolContext;
  const { accountId } = token;
  const by = { clientId: token.clientId, name: token.clientName };
  const runOf = (requestId: string, { mcpReq }: ServerContext, grading?: GeneratedGrading): AssistantRun => ({
    context: { accountId, requestId, correlationId: toolContext.correlationId },
    signal: mcpReq.signal,
    by: { ...by, ...(grading && { grading }) },
  });

  /** A session of this account as it is now. @throws {ProblemError} `not_found` */
  async function opened(sessionId: string, messages: number = connectorBounds.messages.usual) {
    const { state } = await sessions.loadOwn(accountId, sessionId);
    const texts = Object.fromEntries([...(await sessions.texts(sessionId))].map(([textId, { text }]) => [textId, text]));
    return { state, record: recordOf({ session: sessionView(state, texts), state }, config, messages) };
  }

  /** Carries a change out, and says what was recorded of it; of one that was carried out before, what was recorded then. */
  async function changed<Result extends { reply: TutorReply }>(
    { sessionId, requestId }: Pick<Turn, "sessionId" | "requestId">,
    carryOut: () => Promise<Result>,
  ) {
    await countChange();
    const { state: before } = await sessions.load(sessionId);
    const made = await carryOut();
    const { state, record } = await opened(sessionId);
    const recorded = await sessions.recordedBy(sessionId, requestId, requestId in before.requests ? 0 : before.version + 1);
    const receipt = {
      events: recorded.map(({ revision }) => revision),
      entries: recorded.flatMap(({ event }) => (event?.type === "EvidenceRecorded" ? event.data.entry.index : [])),
      position: made.reply.position,
    };
    return { ...made, state, result: { receipt, session: record } };
  }

  const take = (turn: Turn, proposal: Proposal, context: ServerContext) =>
    changed(turn, () => propose({ ...turn, proposal }, runOf(turn.requestId, context)));

  const questioned = ({ result, findings }: Awaited<ReturnType<typeof take>>) => ({ ...result, findings });

  async function act({ requestId, sessionId, expectedVersion }: Turn, action: TutorAction, run: AssistantRun) {
    // No revision: an assistant saw none, and a request that is sent again has to be the same also after a publication.
    const request = versioned({ requestId, sessionId, expectedVersion, action });
    const { result } = await changed({ sessionId, requestId }, async () => ({
      reply: await tutor.turn(request, { ...run, streamed: false, emit: () => undefined }),
    }));
    return result;
  }

  const may = { read: requireScopes("tutor:read"), write: requireScopes("tutor:write"), answer: requireScopes("tutor:answer") };
  const register = <Tool extends { input: unknown; output: unknown }>(
    title: string,
    description: string,
    tool: Tool,
    annotations: object,
  ) => ({
    title,
    description,
    inputSchema: tool.input as Tool["input"],
    outputSchema: tool.output as Tool["output"],
    annotations: { title, ...annotations },
  });

  server.registerTool(
    "list_tutor_sessions",
    {
      ...register("List tutoring sessions", "This learner's tutoring sessions, the one used last first.", tools.listTutorSessions, reads),
      scopeChallenge: may.read,
    },
    ({ courseId }) =>
      runTool("list_tutor_sessions", async () => ({
        sessions: (await sessionsOf(toolContext.database, accountId, { courseId })).map(
          ({ conversationId: _, courseRevisionId: __, position: ___, ...session }) => session,
        ),
      })),
  );
  server.registerTool(
    "open_tutor_session",
    {
      ...register(
        "Open a tutoring session",
        "One session of this learner: what it waits for, the path, the waiting question, mastery with its evidence, and the latest messages.",
        tools.openTutorSession,
        reads,
      ),
      scopeChallenge: may.read,
    },
    ({ sessionId, messages }) => runTool("open_tutor_session", async () => ({ session: (await opened(sessionId, messages)).record })),
  );
  server.registerTool(
    "next_work",
    {
      ...register(
        "What to make next",
        "The brief for what a session waits for: rules, objectives and the passages to stand on, with the ids to name them by. Make it with your own model, then propose it.",
        tools.nextWork,
        reads,
      ),
      scopeChallenge: may.read,
    },
    ({ sessionId }) =>
      runTool("next_work", async () => {
        const { state } = await opened(sessionId);
        const course = await courses.live(state.courseId);
        const learner = learnerWords(state, await sessions.texts(sessionId));
        const revealed = await revealedTo(toolContext, accountId, course, { sessionId, at: toolContext.now() });
        const { work, brief } = await briefFor(library, course, state, { learner, revealed });
        return { sessionId, version: state.version, work, tool: work === "none" ? null : toolOf[work], brief };
      }),
  );

  server.registerTool(
    "start_tutor_session",
    {
      ...register(
        "Start a tutoring session",
        "Opens a session on one course for a goal, both chosen by the learner. The course's own questions are asked first, without a proposal. See what it waits for, else call next_work.",
        tools.startTutorSession,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ requestId, courseId, goal, references, carryFrom }, context) =>
      runTool("start_tutor_session", async () => {
        const conversationId = eventIdFrom("connector conversation", accountId, requestId);
        const sessionId = sessionIdOf({ accountId }, { requestId, conversationId, goal, ...(carryFrom !== undefined && { carryFrom }) });
        const { result } = await changed({ sessionId, requestId }, async () => {
          const request = versioned({
            requestId,
            conversationId,
            courseId,
            goal,
            references,
            model: { choice: "automatic" as const },
            ...(carryFrom !== undefined && { carryFrom }),
          });
          const reply = await tutor.start(request, { ...runOf(requestId, context), streamed: false, emit: () => undefined });
          await startConversation(toolContext, conversationId, reply);
          return { reply };
        });
        return result;
      }),
  );
  server.registerTool(
    "propose_probe",
    {
      ...register(
        "Propose diagnostic questions",
        "Questions with choices on the objectives of the brief, at least one for each. They are asked one by one; the answer keys stay on the server.",
        tools.proposeProbe,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ items, ...turn }, context) =>
      runTool("propose_probe", async () => questioned(await take(turn, { work: "probe", probe: { items } }, context))),
  );
  server.registerTool(
    "propose_plan",
    {
      ...register(
        "Propose a plan",
        "The path to the objectives. It is checked here, and then verified in a second look: by this installation's own model (outcome installed or refused), or by you in a call of its own (outcome to_verify: do what the brief says, then call verify_plan with the same plan).",
        tools.proposePlan,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ plan, ...turn }, context) =>
      runTool("propose_plan", async () => {
        const made = await take(turn, { work: "plan", plan }, context);
        const brief =
          made.ticket === null ? null : await verificationBrief(library, await courses.live(made.state.courseId), made.state, plan);
        return { ...made.result, ...outcomeOf(made), brief };
      }),
  );
  server.registerTool(
    "verify_plan",
    {
      ...register(
        "Verify a plan",
        "The second look at a plan that propose_plan left to you: what its passages do not support, and what its steps need that no earlier one teaches. Judge it as somebody else's; only with nothing found is it installed.",
        tools.verifyPlan,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ plan, ticket, unsupported, prerequisiteGaps, ...turn }, context) =>
      runTool("verify_plan", async () => {
        const verification = { found: { unsupported, prerequisiteGaps }, ticket };
        const made = await take(turn, { work: "plan", plan, verification }, context);
        return { ...made.result, ...outcomeOf(made), brief: null };
      }),
  );
  server.registerTool(
    "propose_teaching",
    {
      ...register(
        "Propose a lesson",
        "The text that teaches the current step, from its passages. The learner reads it with numbered sources; what they do not carry is marked.",
        tools.proposeTeaching,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ text, ...turn }, context) => runTool("propose_teaching", async () => (await take(turn, { work: "teach", text }, context)).result),
  );
  server.registerTool(
    "propose_check",
    {
      ...register(
        "Propose a question",
        "One question on the current step, once the course has none of its own left. Its key stays on the server and comes back to nobody before the learner answered.",
        tools.proposeCheck,
        writes,
      ),
      scopeChallenge: may.write,
    },
    ({ check, ...turn }, context) => runTool("propose_check", async () => questioned(await take(turn, { work: "check", check }, context))),
  );
  server.registerTool(
    "submit_answer",
    {
      ...register(
        "Pass on an answer",
        "The learner's own answer to the waiting question, as they gave it: never yours, never a guess. It is graded here. The ledger says that it was passed on by you.",
        tools.submitAnswer,
        writes,
      ),
      scopeChallenge: may.answer,
    },
    ({ itemId, choiceIds, text, response, confirmed, ...turn }, context) =>
      runTool("submit_answer", () => {
        const given = { ...(choiceIds && { choiceIds }), ...(text !== undefined && { text }), ...(response && { response }) };
        const action = { type: "answer" as const, itemId, ...given, ...(confirmed && { confirmed }) };
        return act(turn, action, runOf(turn.requestId, context));
      }),
  );
  server.registerTool(
    "propose_grade",
    {
      ...register(
        "Propose a grade",
        "The learner's answer in their own words, with your judgement of it by each criterion of the rubric you gave the question, by number. What it comes to is decided here; the learner can dispute it.",
        tools.proposeGrade,
        writes,
      ),
      scopeChallenge: may.answer,
    },
    ({ itemId, answer: text, criteria, ...turn }, context) =>
      runTool("propose_grade", async () => {
        const { state } = await opened(turn.sessionId);
        refuseOddGrades(
          state.items[itemId]?.selection === "text" && state.current === itemId ? (state.items[itemId]?.rubric.length ?? 0) : null,
          criteria,
        );
        return act(turn, { type: "answer", itemId, text }, runOf(turn.requestId, context, { criteria }));
      }),
  );
  server.registerTool(
    "tutor_action",
    {
      ...register(
        "Do what the learner asks for",
        "At the learner's wish alone: a hint, the explanation (after either a right answer does not count towards mastery), another question, pause, resume, a report of what they know (recorded, weighs nothing), or a dispute of a model's grade.",
        tools.tutorActionTool,
        writes,
      ),
      scopeChallenge: may.answer,
    },
    ({ action, ...turn }, context) => runTool("tutor_action", () => act(turn, action, runOf(turn.requestId, context))),
  );
}

const outcomeOf = ({ findings, installed, ticket }: Pick<ProposalOutcome, "findings" | "installed" | "ticket">) => ({
  outcome: ticket !== null ? ("to_verify" as const) : installed ? ("installed" as const) : ("refused" as const),
  findings,
  ticket,
});

/** Every criterion is judged once, or the judgement is none. A question that does not wait is refused by the decider itself. */
function refuseOddGrades(count: number | null, criteria: GeneratedGrading["criteria"]): void {
  if (count === null) return;
  const judged = new Set(criteria.map(({ criterion }) => criterion));
  if (judged.size !== count || criteria.length !== count || [...judged].some((one) => one > count))
    throw new ProblemError("invalid_request", {
      detail: `Judge each criterion of the question's rubric once, by its number: 1 to ${count}.`,
    });
}

/** The conversation in which the learner finds the session on their own devices. */
async function startConversation(
  { changes, token, correlationId, now }: ToolContext,
  conversationId: string,
  { session }: TutorReply,
): Promise<void> {
  const change: Change = {
    changeId: eventIdFrom("connector conversation started", conversationId),
    domain: "conversation",
    entityId: conversationId,
    type: "started",
    at: session.startedAt || now(),
    data: {
      mode: "tutor",
      model: session.model,
      references: session.references,
      title: session.goal.slice(0, bounds.conversation.titleLength),
    },
  };
  await changes.push({ accountId: token.accountId, deviceId: "service", requestId: correlationId }, [change]);
}
