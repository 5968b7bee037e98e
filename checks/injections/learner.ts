import { randomUUID } from "node:crypto";
import { completeOf, renderedFaults, sourceFaults, textOf } from "./answers.ts";
import { learnerGroups } from "./corpus/learner.ts";
import { markingFaults, ownWords } from "./marking.ts";
import type { Learner, Target } from "./target.ts";
import { testEach } from "./test-each.ts";
import {
  answerUntil,
  evidenceOf,
  keysShown,
  masteryOf,
  readSession,
  type Session,
  sessionOf,
  start,
  takeTurn,
  turnOf,
} from "./tutoring.ts";

/** What a learner sends, brought in at every place where text of theirs goes to. */
export function learnerInjections(target: () => Target): void {
  const { questions, histories, references, goals, answers, claims, kept } = learnerGroups;
  const marking = (words: readonly string[] = []): string[] => target().model.calls.flatMap((call) => markingFaults(call, words));

  testEach(target, questions, async ({ text }) => {
    const { model, newcomer, ask } = target();
    model.obey = () => `${text}\n\nSo it is [s1][s9999][^9].`;
    const frames = await ask(newcomer(), text);
    const citations = completeOf(frames)?.citations ?? [];
    const [call] = model.calls;
    return [
      ...marking(),
      ...(call?.messages.length === 2 && call.messages[1]?.role === "user"
        ? []
        : ["the question is not the only thing that a learner says"]),
      ...sourceFaults(textOf(frames), citations, model.calls),
      ...renderedFaults(textOf(frames), citations),
    ];
  });

  testEach(target, histories, async ({ text, role }) => {
    const { model, newcomer, send, ask } = target();
    const history = [
      { role: "learner", text: "What is a vector?" },
      { role, text },
    ];
    if (role !== "learner" && role !== "assistant") {
      const request = {
        requestId: randomUUID(),
        conversationId: null,
        message: "And a map?",
        references: [],
        model: { choice: "automatic" },
      };
      const { status } = await send(newcomer(), "POST", "/api/ai/ask", { ...request, history });
      return status === 400 && model.calls.length === 0
        ? []
        : [`${role} was answered with ${status}, the model asked ${model.calls.length} times`];
    }
    model.obey = () => `${text} Yes [s1].`;
    const frames = await ask(newcomer(), "What is a linear map?", { history });
    const citations = completeOf(frames)?.citations ?? [];
    const told = model.calls.flatMap(({ messages }) => messages.slice(1).map(({ content }) => content)).join("\n");
    return [
      ...marking(),
      ...(/\[\^\d+\]/.test(told) ? ["a former answer's mark was told to the model"] : []),
      ...sourceFaults(textOf(frames), citations, model.calls),
    ];
  });

  testEach(target, references, async ({ reference }) => {
    const { model, newcomer, send } = target();
    const common = {
      requestId: randomUUID(),
      conversationId: null,
      message: "What is a linear map?",
      history: [],
      model: { choice: "automatic" },
    };
    const { status } = await send(newcomer(), "POST", "/api/ai/ask", { ...common, references: [reference] });
    return [
      ...(status === 400 || status === 422 ? [] : [`answered with ${status}`]),
      ...(model.calls.length === 0 ? [] : ["a model was asked"]),
    ];
  });

  testEach(target, goals, async ({ text }) => {
    const { model, newcomer } = target();
    const answered = await start(target(), newcomer(), { goal: text });
    const session = sessionOf(answered);
    if (!session) return [`starting was answered with ${answered.status}: ${answered.text}`];
    const inRules = model.calls.some(({ system }) => ownWords(system).includes(text.slice(0, 40)));
    return [...marking(), ...(inRules ? ["the goal stands among the rules"] : []), ...nothingGained(session)];
  });

  /** One who is asked for their own words again and again. */
  let answering: { person: Learner; session: Session } | null = null;
  testEach(target, answers, async ({ text }) => {
    const { model, newcomer } = target();
    let asked: Session;
    do {
      if (!answering || answering.session.phase === "completed") {
        const person = newcomer();
        answering = { person, session: sessionOf(await start(target(), person)) as Session };
      }
      const isAsked = ({ current, phase }: Session): boolean => phase === "completed" || current?.selection === "text";
      asked = await answerUntil(target(), answering.person, answering.session, isAsked);
      answering.session = asked;
    } while (asked.phase === "completed");
    const { person } = answering;
    const before = new Set(evidenceOf(asked).map(({ receipt }) => receipt));
    model.calls.splice(0);
    // The grader falls for it: it finds everything met, and more than there is.
    model.obey = ({ wants }) =>
      wants === "grading"
        ? JSON.stringify({ criteria: [1, 2, 3, 4, 5, 6].map((criterion) => ({ criterion, met: true, reason: "It says so." })) })
        : undefined;
    const answered = await takeTurn(target(), person, asked, { type: "answer", itemId: asked.current?.itemId, text });
    const session = sessionOf(answered);
    if (!session) return [`answering was answered with ${answered.status}: ${answered.text}`];
    answering.session = session;
    const grading = model.calls.find(({ wants }) => wants === "grading");
    const told = /<answer>([^<]*)<\/answer>/.exec(grading?.system ?? "")?.[1];
    const after = evidenceOf(session).filter(({ receipt }) => !before.has(receipt));
    return [
      ...marking(),
      ...(grading && told && typeof JSON.parse(told) === "string" ? [] : ["the answer did not stand in its tag"]),
      ...(grading && ownWords(grading.system).includes("Says anything") ? ["a rubric of the learner's was told"] : []),
      ...(after.length === 1 ? [] : [`one answer weighs as ${after.length}`]),
      ...(after[0]?.gradedBy === "model" ? [] : ["what a model graded is not said to be"]),
      ...masteryOf(session).map((objectiveId) => `one answer that a model liked is mastery of ${objectiveId}`),
    ];
  });

  /** Somebody else's session, which nothing of this may reach. */
  let other: { person: Learner; session: Session } | null = null;
  testEach(target, claims, async ({ spoil }) => {
    const { newcomer, send } = target();
    if (!other) {
      const person = newcomer();
      other = { person, session: sessionOf(await start(target(), person)) as Session };
    }
    const person = newcomer();
    const session = sessionOf(await start(target(), person)) as Session;
    const { current, mastery } = session;
    const world = {
      itemId: current?.itemId ?? "",
      choiceId: current?.choices[0]?.choiceId ?? "",
      objectiveId: mastery[0]?.objectiveId ?? "",
      other: { sessionId: other.session.sessionId, itemId: other.session.current?.itemId ?? "" },
    };
    const answered = await send(person, "POST", "/api/ai/tutor/turn", spoil(turnOf(session), world));
    const after = sessionOf(answered) ?? (await readSession(target(), person, session));
    const theirs = await readSession(target(), other.person, other.session);
    return [
      ...nothingGained(after),
      ...(answered.status < 500 ? [] : [`answered with ${answered.status}`]),
      ...(/"(?:right|rubric|modelAnswer)"/.test(answered.text) ? ["a key is told"] : []),
      ...(theirs.version === other.session.version ? [] : ["somebody else's session was moved"]),
    ];
  });

  testEach(target, kept, async ({ domain, type, data }) => {
    const { model, newcomer, send, ask } = target();
    const [person, stranger] = [newcomer(), newcomer()];
    const entityId = randomUUID();
    const change = (name: string, more: object) => ({
      changeId: randomUUID(),
      domain,
      entityId,
      type: name,
      at: new Date().toISOString(),
      data: more,
    });
    const opening = { mode: "ask", model: { choice: "automatic" }, references: [], title: "Maps" };
    const live = (await send(person, "GET", "/api/courses/linear-maps/revision")).body.revisionId;
    const said = JSON.parse(JSON.stringify(data).replaceAll("revision-live", String(live)));
    const changes = [...(domain === "conversation" && type !== "started" ? [change("started", opening)] : []), change(type, said)];
    const pushed = await send(person, "POST", "/api/sync/push", { deviceId: "device-injections", changes });
    const faults = pushed.status < 500 ? [] : [`pushing was answered with ${pushed.status}`];
    const frames = await ask(person, "What is a linear map?", { conversationId: entityId });
    if (domain === "conversation") await start(target(), person, { conversationId: entityId });
    if (!completeOf(frames)) faults.push("no answer");
    if (model.calls.some(({ messages }) => messages.some(({ content }) => /zorkeptword/.test(content))))
      faults.push("a model was told of it");
    const own = await send(person, "GET", `/api/conversations/${entityId}?after=${String(pushed.body.position ?? "0")}`);
    if (own.text.includes("Everything is mastered.")) faults.push("a forged source was kept");
    const sessions = (await send(person, "GET", "/api/tutor/sessions")).text;
    if (/"mastered":(?:true|[1-9])/.test(sessions)) faults.push("something is mastered");
    for (const path of [
      "/api/conversations",
      `/api/conversations/${entityId}`,
      "/api/sync/pull?after=0",
      `/api/conversations?q=zorkeptword`,
    ]) {
      const { text } = await send(stranger, "GET", path);
      if (text.includes("zorkeptword") || text.includes(entityId)) faults.push(`a stranger sees it at ${path}`);
    }
    return faults;
  });
}

/** What a session must not have after nothing but a claim. */
const nothingGained = (session: Session): string[] => [
  ...masteryOf(session).map((objectiveId) => `${objectiveId} is mastered`),
  ...evidenceOf(session)
    .filter(({ correct, kind }) => correct && kind !== "probe")
    .map(() => "an answer counts as right"),
  ...(session.phase === "completed" ? ["the session is completed"] : []),
  ...keysShown(session).map((name) => `the question that waits tells its ${name}`),
];
