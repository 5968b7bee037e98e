import { randomUUID } from "node:crypto";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { someAnswer } from "../harness/some-answer.ts";
import type { Random } from "./distributions.ts";
import { answerTimeoutMs, type Kind } from "./goals.ts";
import { type Answer, followEvents, type RequestOptions, sendRequest } from "./http.ts";
import type { Step } from "./plan.ts";
import type { createRecorder } from "./recorder.ts";

/** What all learners share. */
export interface LoadContext {
  url: string;
  courseId: string;
  pages: readonly Page[];
  recorder: ReturnType<typeof createRecorder>;
  random: Random;
  /** Ends every session where it is. */
  signal: AbortSignal;
}
export interface Page {
  href: string;
  topicId: string;
  title: string;
}
/** Who learns: an account's cookie, and the address they come from. */
export interface Person {
  cookie: string;
  address: string;
}

interface Frame {
  kind: string;
  code?: string;
  text?: string;
  [name: string]: unknown;
}
interface Tutoring {
  sessionId: string;
  version: number;
  courseRevisionId: string;
  phase: string;
  current: Parameters<typeof someAnswer>[0] | null;
}
interface Quiz {
  quizId: string;
  questions: { questionId: string; choices: { choiceId: string }[]; correct: string[] }[];
}

const model = { choice: "automatic" };
const reconnectMs = 1_000;

/** One session, from signing in to leaving. Never fails: what fails is recorded, and the learner goes on with what comes next. */
export async function runSession(world: LoadContext, { cookie, address }: Person, steps: readonly Step[]): Promise<void> {
  const { url, courseId, recorder, random, signal } = world;
  const headers = { cookie, "x-forwarded-for": address, accept: "application/json" };
  const deviceId = randomUUID();
  const conversationId = randomUUID();
  let started = false;
  let quiz: Quiz | null = null;
  let tutoring: Tutoring | null = null;
  let page: Page | undefined;
  let stopPolls = (): void => undefined;
  /** When each change was sent that the live stream has not brought back. */
  const expected = new Map<string, { sent: number; timer: NodeJS.Timeout }>();

  /** One request, timed from when it was due. Null when it failed, which is recorded. */
  async function send(kind: Kind | null, path: string, due: number, sending: Partial<RequestOptions> = {}): Promise<Answer | null> {
    try {
      const answer = await sendRequest(url + path, { ...sending, headers: { ...headers, ...sending.headers } });
      if (signal.aborted) return null;
      if (answer.status >= 400) {
        if (kind) recorder.failed(kind, String(answer.status));
        return null;
      }
      if (kind) recorder.took(kind, performance.now() - due);
      return answer;
    } catch (error) {
      if (kind && !signal.aborted) recorder.failed(kind, error instanceof Error ? error.message : "unknown");
      return null;
    }
  }
  const get = (kind: Kind, path: string, due = performance.now(), more: Record<string, string> = {}): Promise<Answer | null> =>
    send(kind, path, due, { headers: more });

  /** Whether all of it was taken in. A browser sends again what was not; here it is counted, and nothing is built on it. */
  async function push(changes: readonly { domain: string; entityId: string; type: string; data: object }[], due: number): Promise<boolean> {
    const at = new Date().toISOString();
    const named = changes.map((change) => ({ ...change, changeId: randomUUID(), at }));
    for (const { changeId } of named) {
      const timer = setTimeout(() => {
        expected.delete(changeId);
        recorder.failed("live", `not there within ${answerTimeoutMs / 1_000} s`);
      }, answerTimeoutMs);
      expected.set(changeId, { sent: due, timer });
    }
    const answer = await send("push", "/api/sync/push", due, { method: "POST", body: { schemaVersion: 1, deviceId, changes: named } });
    const accepted = answer ? (JSON.parse(answer.text) as { results: { changeId: string; outcome: string; code?: string }[] }).results : [];
    for (const { code, outcome } of accepted) if (outcome === "refused") recorder.failed("push", `refused: ${code}`);
    // What was not taken in will not come back.
    for (const { changeId } of named)
      if (!accepted.some((result) => result.changeId === changeId && result.outcome === "accepted")) arrived(changeId, false);
    return accepted.length > 0 && accepted.every(({ outcome }) => outcome === "accepted");
  }
  function arrived(changeId: string, counts = true): void {
    const change = expected.get(changeId);
    if (!change) return;
    expected.delete(changeId);
    clearTimeout(change.timer);
    if (counts) recorder.took("live", performance.now() - change.sent);
  }

  function listen(cursor: string): () => void {
    let hangUp = (): void => undefined;
    let over = false;
    let last = cursor;
    const open = (): void => {
      if (over) return;
      hangUp = followEvents(
        `${url}/api/sync/stream?after=${last}`,
        headers,
        (data) => {
          const change = JSON.parse(data) as { changeId: string; cursor: string };
          last = change.cursor;
          arrived(change.changeId);
        },
        (reason) => {
          if (over || signal.aborted) return;
          recorder.failed("live", `stream ${reason}`);
          setTimeout(open, reconnectMs);
        },
      );
    };
    open();
    return () => {
      over = true;
      hangUp();
    };
  }

  /** Polls as an open page does, each from when it was due, whether or not the one before was answered. */
  function poll(): () => void {
    let due = performance.now() + bounds.reading.revisionCheckMs;
    let tag = "";
    let timer: NodeJS.Timeout;
    const next = (): void => {
      timer = setTimeout(
        async () => {
          const at = due;
          due += bounds.reading.revisionCheckMs;
          next();
          const answer = await get("revision", `/api/courses/${courseId}/revision`, at, tag ? { "if-none-match": tag } : {});
          tag = answer?.headers.etag ?? tag;
        },
        Math.max(0, due - performance.now()),
      );
    };
    next();
    return () => clearTimeout(timer);
  }

  async function arrive(): Promise<() => void> {
    // The demonstration's own way in, for its cost; what follows is done by the learner's own account.
    await send("sign in", "/auth/demo?as=learner&return=/ai", performance.now());
    await get("workspace", "/ai", performance.now(), { accept: "text/html" });
    const [, , pulled] = await Promise.all([
      get("list", "/api/me"),
      get("list", "/api/conversations"),
      get("pull", "/api/sync/pull?after=0"),
    ]);
    return listen(pulled ? (JSON.parse(pulled.text) as { cursor: string }).cursor : "0");
  }

  /** A question or a quiz: to its last frame, then recorded, then let go of. */
  async function ask(due: number, command?: "quiz"): Promise<void> {
    const [requestId, turnId] = [randomUUID(), randomUUID()];
    const question = command ? `Quiz me on ${page?.title ?? "linear maps"}` : `What does ${page?.title ?? "a linear map"} mean, and why?`;
    const references = page ? [{ href: page.href }] : [];
    const opening = { mode: "ask", model, references: [], title: question };
    let text = "";
    let artifact: Quiz | undefined;
    let complete: Frame | undefined;
    const onLine = (line: string): void => {
      const frame = JSON.parse(line) as Frame;
      if (frame.kind === "text_delta") {
        if (text === "") recorder.took("first word", performance.now() - due);
        text += frame.text ?? "";
      }
      if (frame.kind === "artifact") artifact = frame.artifact as Quiz;
      if (frame.kind === "complete") complete = frame;
      if (frame.kind === "error") recorder.failed(command ? "quiz" : "answer", frame.code ?? "error");
    };
    const keep = { conversationId, turnId, at: new Date().toISOString(), ...(!started && { started: opening }) };
    const body = {
      schemaVersion: 1,
      requestId,
      conversationId,
      message: question,
      history: [],
      references,
      model,
      keep,
      ...(command && { command }),
    };
    const sending = { method: "POST" as const, body, onLine, headers: { accept: "application/x-ndjson" } };
    await send(command ?? "answer", "/api/ai/ask", due, sending);
    if (!complete || signal.aborted) return;
    const { citations, provider, model: written, fallbackDepth } = complete;
    const change = { domain: "conversation", entityId: conversationId };
    const turn = { turnId, question, answer: text, citations, outcome: "finished", provider, model: written, fallbackDepth };
    const taken = await push(
      [
        ...(started ? [] : [{ ...change, type: "started", data: opening }]),
        { ...change, type: "turn_recorded", data: { ...turn, ...(artifact && { artifact }) } },
      ],
      performance.now(),
    );
    if (taken) {
      started = true;
      quiz = artifact ?? quiz;
    }
    await send("release", `/api/ai/ask/${requestId}`, performance.now(), { method: "DELETE" });
  }

  async function score(due: number): Promise<void> {
    if (!quiz) return;
    const answers = Object.fromEntries(quiz.questions.map(({ questionId, choices }) => [questionId, [pick(choices).choiceId]]));
    const right = quiz.questions.filter(({ questionId, correct }) => correct.length === 1 && answers[questionId]?.[0] === correct[0]);
    const data = { quizId: quiz.quizId, answers, score: right.length / quiz.questions.length };
    await push([{ domain: "conversation", entityId: conversationId, type: "quiz_attempted", data }], due);
  }
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;

  async function tutor(due: number): Promise<void> {
    const common = { schemaVersion: 1, requestId: randomUUID() };
    if (!tutoring) {
      const goal = `Understand ${page?.title ?? "linear maps"}`;
      const own = randomUUID();
      await push(
        [{ domain: "conversation", entityId: own, type: "started", data: { mode: "tutor", model, references: [], title: goal } }],
        due,
      );
      const body = { ...common, conversationId: own, courseId, goal, references: page ? [{ href: page.href }] : [], model };
      const answer = await send("tutor start", "/api/ai/tutor/start", due, { method: "POST", body });
      tutoring = answer ? (JSON.parse(answer.text) as { session: Tutoring }).session : null;
      return;
    }
    const { sessionId, version, courseRevisionId, current, phase } = tutoring;
    if (phase === "completed") return;
    let said = false;
    const onLine = (line: string): void => {
      const frame = JSON.parse(line) as Frame;
      if (!said && (frame.kind === "text_delta" || frame.kind === "complete")) {
        said = true;
        recorder.took("tutor turn", performance.now() - due);
      }
      if (frame.kind === "complete") tutoring = frame.session as Tutoring;
      if (frame.kind === "error") recorder.failed("tutor turn", frame.code ?? "error");
    };
    const body = { ...common, sessionId, expectedVersion: version, courseRevisionId, action: actionFor(current) };
    const headers = { accept: "application/x-ndjson" };
    const sent = await send(null, "/api/ai/tutor/turn", due, { method: "POST", body, onLine, headers });
    if (!sent && !signal.aborted) recorder.failed("tutor turn", "refused or broken off");
  }
  function actionFor(current: Tutoring["current"]): object {
    if (!current) return { type: "resume" };
    const words = "It sends sums to sums and multiples to multiples.";
    return someAnswer(current, words, (count) => pick(Array.from({ length: count }, (_, index) => index)));
  }

  const stopListening = await arrive();
  for (const step of steps) {
    const due = performance.now() + step.thinkMs;
    await wait(step.thinkMs, signal);
    if (signal.aborted) break;
    const left = page;
    stopPolls();
    switch (step.act) {
      case "page": {
        page = world.pages[step.page ?? 0];
        await get("page", page?.href ?? "/", due, { accept: "text/html" });
        stopPolls = poll();
        if (left) {
          const data = { courseId, place: 1 };
          await push([{ domain: "progress", entityId: left.topicId, type: "read_to", data }], performance.now());
        }
        break;
      }
      case "ask":
        await ask(due);
        break;
      case "quiz":
        await ask(due, "quiz");
        break;
      case "score":
        await score(due);
        break;
      case "tutor":
        await tutor(due);
        break;
      default:
    }
  }
  stopPolls();
  stopListening();
  for (const { timer } of expected.values()) clearTimeout(timer);
}

/** Resolves after so long, or as soon as the signal comes. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
    resolve();
  };
  const timer = setTimeout(end, ms);
  signal.addEventListener("abort", end);
  return promise;
}
