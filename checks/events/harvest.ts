import { randomUUID } from "node:crypto";
import { exampleIds } from "@colloquy/schemas/contracts/example-ids.ts";
import { drawStoryboard } from "@colloquy/schemas/contracts/explainers.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { startProgram } from "../../journeys/program.ts";
import { signInAll } from "../authorisation/actors.ts";
import { makeSampleData } from "../authorisation/sample-data.ts";
import { someAnswer } from "../harness/some-answer.ts";

/** Longer texts and lists are cut in an example. */
const longestText = 120;
const longestList = 2;
/** What the learner does at most before the session is put down. */
const mostTurns = 16;

/** Has the program do what writes events, and takes the first of each type out of its store. */
export async function harvest(): Promise<Record<string, unknown>> {
  const program = await startProgram({ DEMO_MODEL_WORD_MS: "0" });
  try {
    const { learner, owner, auditor } = await signInAll(program.url, "w".repeat(40));
    const things = await makeSampleData(program.url, learner);
    const send = async (method: string, path: string, body?: object, headers = learner): Promise<string> => {
      const json = { "content-type": "application/json", accept: "application/json", ...headers };
      const response = await fetch(program.url + path, { method, headers: json, ...(body && { body: JSON.stringify(versioned(body)) }) });
      return response.text();
    };
    const { conversationId, courseId, sessionId } = things;
    const { course } = JSON.parse(await send("GET", `/api/courses/${courseId}`)) as { course: { topics: { id: string }[] } };
    const topicId = course.topics[0]?.id ?? "";
    const at = new Date().toISOString();
    const change = (domain: string, entityId: string, type: string, data: object): object => ({
      changeId: randomUUID(),
      domain,
      entityId,
      type,
      at,
      data,
    });
    const mark = randomUUID();
    const drawing = randomUUID();
    const gone = randomUUID();
    const stroke = { strokeId: randomUUID(), blockId: null, tool: "pen", colour: "ink", width: 8, points: [0, 0, 500, 40, 30, 500] };
    const begun = { mode: "ask", model: { choice: "automatic" }, references: [], title: "Maps" };
    const review = { courseId, rating: 3 };
    await send("POST", "/api/sync/push", {
      deviceId: randomUUID(),
      changes: [
        change("conversation", conversationId, "turn_recorded", {
          turnId: randomUUID(),
          question: "What is a linear map?",
          answer: "One that keeps sums and multiples.",
          citations: [],
          outcome: "finished",
          provider: "p1",
          model: "demonstration",
          fallbackDepth: 0,
        }),
        change("conversation", conversationId, "renamed", { title: "What a map keeps" }),
        change("conversation", conversationId, "pinned", {}),
        change("conversation", conversationId, "unpinned", {}),
        change("conversation", conversationId, "archived", {}),
        change("conversation", conversationId, "restored", {}),
        change("conversation", gone, "started", begun),
        change("conversation", gone, "deleted", {}),
        change("annotation", mark, "marked", {
          courseId,
          topicId,
          colour: "yellow",
          note: "",
          quote: "A linear map",
          before: "",
          after: " sends",
        }),
        change("annotation", mark, "note_written", { note: "Ask about this." }),
        change("annotation", mark, "coloured", { colour: "green" }),
        change("annotation", drawing, "drawn", { courseId, topicId, strokes: [stroke] }),
        change("preferences", "workspace", "chosen", { theme: "dark" }),
        change("progress", topicId, "read_to", { courseId, place: 0.5 }),
        change("progress", topicId, "finished", { courseId }),
        change("progress", topicId, "reopened", { courseId }),
        change("review", topicId, "reviewed", review),
        change("review", topicId, "buried", {}),
        change("review", topicId, "suspended", {}),
        change("review", topicId, "resumed", {}),
      ],
    });
    const session = async (): Promise<TutorSession> =>
      (JSON.parse(await send("GET", `/api/tutor/sessions/${sessionId}`)) as { session: TutorSession }).session;
    const turn = async (action: object): Promise<void> => {
      const { version, courseRevisionId } = await session();
      await send("POST", "/api/ai/tutor/turn", { requestId: randomUUID(), sessionId, expectedVersion: version, courseRevisionId, action });
    };
    for (let turns = 0; turns < mostTurns; turns += 1) {
      const { current, phase } = await session();
      if (phase === "completed") break;
      if (!current) await turn({ type: "resume" });
      else if (turns === 1) await turn({ type: "hint", itemId: current.itemId });
      else if (turns === 4) await turn({ type: "explanation", itemId: current.itemId });
      else {
        await turn(someAnswer(current, "It keeps sums and multiples.", (count) => turns % count));
      }
    }
    await turn({ type: "pause" });
    await turn({ type: "resume" });
    const example = JSON.stringify(drawStoryboard.example).replaceAll(exampleIds.topicId, "topic-linear-maps");
    const frames = await send("POST", "/api/visual-explainers/storyboard", { ...(JSON.parse(example) as object), requestId: randomUUID() });
    const jobId = /"jobId":"([^"]+)"/.exec(frames)?.[1];
    if (jobId) {
      await send("POST", `/api/visual-explainers/jobs/${jobId}/render`, { requestId: randomUUID() });
      await send("POST", `/api/visual-explainers/jobs/${jobId}/corrections`, {
        requestId: randomUUID(),
        text: "The second scene says too much.",
      });
      const path = `/api/visual-explainers/corrections?courseId=${courseId}`;
      const { corrections } = JSON.parse(await send("GET", path, undefined, owner)) as { corrections: { correctionId: string }[] };
      for (const { correctionId } of corrections)
        await send("POST", `/api/visual-explainers/corrections/${correctionId}/settle`, { requestId: randomUUID() }, owner);
      await send("POST", `/api/visual-explainers/jobs/${jobId}/answer`, { requestId: randomUUID(), choice: 0 });
      await send("POST", `/api/visual-explainers/jobs/${jobId}/cancel`, { requestId: randomUUID() });
    }
    for (const path of ["/api/audit/sessions", `/api/audit/sessions/${sessionId}`, `/api/audit/sessions/${sessionId}/ledger`])
      await send("GET", path, undefined, auditor);
    await send("POST", "/auth/sign-out", {}, auditor);
    return firstOfEach(await program.tool("infra/event-store/cli/events.ts", "tail", "--once", "--lines", "5000", "--json", "--data"));
  } finally {
    await program.stop();
  }
}

function firstOfEach(lines: string): Record<string, unknown> {
  const examples: Record<string, unknown> = {};
  for (const line of lines.split("\n")) {
    if (!line.startsWith("{")) continue;
    const { type, data } = JSON.parse(line) as { type: string; data: unknown };
    examples[type] ??= shortened(data);
  }
  return Object.fromEntries(Object.entries(examples).toSorted(([one], [other]) => one.localeCompare(other, "en")));
}

function shortened(value: unknown): unknown {
  if (typeof value === "string") return value.length > longestText ? `${value.slice(0, longestText)}…` : value;
  if (Array.isArray(value)) return value.slice(0, longestList).map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
