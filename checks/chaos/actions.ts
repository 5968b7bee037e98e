import { setTimeout as pause } from "node:timers/promises";
import type { CourseResponse } from "@colloquy/schemas/courses/reading.ts";
import type { StoryboardFrame } from "@colloquy/schemas/explainers/requests.ts";
import type { EditorSourceResponse, PublishResponse } from "@colloquy/schemas/publication/requests.ts";
import type { RemoteChange } from "@colloquy/schemas/sync/protocol.ts";
import { type Change, push } from "./ask.ts";
import { outcomeOfLastFrame, RetryLater } from "./recording-client.ts";
import { newId, retryUntilDone, type SimulatedPerson } from "./simulated-person.ts";

export const readCourse = "learning-to-learn";
/** The course that owners publish, apart from the one that is taught. */
export const publishedCourse = "linear-maps";

export async function readPage({ client, random }: SimulatedPerson, topics: readonly Topic[]): Promise<void> {
  const path = topics[Math.floor(random() * topics.length)]?.href ?? "";
  const { text } = await client.send("read a page", path, { headers: { accept: "text/html" } });
  if (!text.includes("</article>") && !text.includes("</main>")) client.note("read a page", "wrong", `${path} is no page`);
}

/** Asks whether a course is still the same, as an open page does. */
export async function pollRevision({ client, random }: SimulatedPerson): Promise<void> {
  await client.send("poll a revision", `/api/courses/${random() < 0.5 ? readCourse : publishedCourse}/revision`);
}

/** Marks words, draws, reads on: what a device sends of that. Now and then it sends it twice. @returns the position it is at */
export async function annotate(person: SimulatedPerson, topics: readonly Topic[]): Promise<string> {
  const { random } = person;
  const [topicId = "", at] = [topics[Math.floor(random() * topics.length)]?.id, new Date().toISOString()];
  const place = { courseId: readCourse, topicId };
  const change = (domain: string, entityId: string, type: string, data: object): Change => ({
    changeId: newId(),
    domain,
    entityId,
    type,
    at,
    data,
  });
  const stroke = { strokeId: newId(), blockId: null, tool: "pen", colour: "ink", width: 3, points: [10, 10, 128, 5, 5, 0, 5, -5, 0] };
  const changes = [
    change("annotation", newId(), "marked", { ...place, colour: "yellow", note: "", quote: "a map", before: "", after: "" }),
    change("annotation", newId(), "drawn", { ...place, strokes: [stroke] }),
    change("progress", topicId, "read_to", { courseId: readCourse, place: Math.round(random() * 100) / 100 }),
  ];
  const position = await push(person, changes);
  return random() < 0.3 ? push(person, changes) : position;
}

/** Pulls what is new, as a second device does: nothing may come twice. */
export function createPuller(): (person: SimulatedPerson) => Promise<void> {
  let cursor = "0";
  const had = new Set<string>();
  return async ({ client }) => {
    const { text } = await client.send("pull", `/api/sync/pull?after=${cursor}`);
    const page = JSON.parse(text) as { changes: RemoteChange[]; cursor: string };
    for (const { changeId } of page.changes) {
      if (had.has(changeId)) client.note("pull", "wrong", `${changeId} came twice`);
      had.add(changeId);
    }
    ({ cursor } = page);
  };
}

/** Follows the account's changes as they come, from where it was, through whatever happens. Ends with the signal. */
export async function followLiveStream({ client, journal }: SimulatedPerson, signal: AbortSignal): Promise<void> {
  let cursor = "0";
  while (!signal.aborted) {
    try {
      let id = "";
      for await (const line of client.lines("live stream", `/api/sync/stream?after=${cursor}`, {
        signal,
        headers: { accept: "text/event-stream" },
      })) {
        if (line.startsWith("id: ")) id = line.slice(4);
        if (!line.startsWith("data: ")) continue;
        const { changeId } = JSON.parse(line.slice(6)) as RemoteChange;
        journal.streamed.set(changeId, (journal.streamed.get(changeId) ?? 0) + 1);
        cursor = id;
      }
      await pause(500);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RetryLater)) throw error;
      await pause(error.afterMs);
    }
  }
}

/** Opens a live stream from the beginning, and reads it until it has brought all that had been acknowledged by then. */
export async function readLiveStreamFromStart({ client, journal }: SimulatedPerson): Promise<void> {
  const began = performance.now();
  const missing = new Set(journal.changes.keys());
  const headers = { accept: "text/event-stream" };
  for await (const line of client.lines("live stream", "/api/sync/stream?after=0", { headers })) {
    if (line.startsWith("data: ")) missing.delete((JSON.parse(line.slice(6)) as RemoteChange).changeId);
    if (missing.size === 0) return client.note("live stream", "done", "", began);
  }
  throw new RetryLater("the live stream ended before it had brought everything", 300);
}

/** Adds a sentence to a course and publishes it, over whatever another owner has published meanwhile. */
export async function publish(person: SimulatedPerson): Promise<void> {
  const { client, journal } = person;
  const mark = `Written by ${person.name}, ${newId()}.`;
  let tried = false;
  await retryUntilDone(`a publication of ${person.name}`, async () => {
    const source = await client.send("publish", `/api/course-editor/source?course=${publishedCourse}`);
    const { course, sequence, revisionId } = JSON.parse(source.text) as EditorSourceResponse;
    if (JSON.stringify(course).includes(mark)) {
      client.note("publish", "wrong", "a publication that was refused as coming too late is there");
      return;
    }
    const [topic] = course.topics;
    // The last sentence of each owner stays; what was before it is let go of, so that the course does not grow.
    const blocks = (topic?.blocks ?? []).filter(({ source: text }) => !text.startsWith(`Written by ${person.name},`));
    topic?.blocks.splice(0, topic.blocks.length, ...blocks, { id: newId(), type: "core.theory", source: mark });
    const requestId = newId();
    const body = {
      schemaVersion: 1,
      requestId,
      courseId: publishedCourse,
      base: { sequence, revisionId },
      course,
      renamedIds: [],
      aliases: [],
    };
    tried = true;
    await retryUntilDone("one publication", async () => {
      const sent = { method: "POST" as const, body, headers: { "x-course-publish": "1" }, fits: [409] };
      const { status, text } = await client.send("publish", "/api/course-editor/publish", sent);
      if (status === 409) return;
      const told = JSON.parse(text) as PublishResponse;
      journal.published.set(requestId, { sequence: told.sequence, revisionId: told.revisionId, mark });
    });
    if (!journal.published.has(requestId)) throw new RetryLater("somebody else was first", 200);
  });
  if (!tried) client.note("publish", "wrong", "nothing was published");
}

/** Has a film drawn up. @returns its job; null for a topic no film can be made of */
export async function drawStoryboard({ client, journal, name, random }: SimulatedPerson, topics: readonly Topic[]): Promise<string | null> {
  const topicId = topics[Math.floor(random() * topics.length)]?.id;
  const requestId = newId();
  const body = { schemaVersion: 1, requestId, courseId: readCourse, topicId, emphasis: "intuition", model: { choice: "automatic" } };
  const jobId = await retryUntilDone(`a storyboard of ${name}`, async () => {
    let last: StoryboardFrame | undefined;
    const ends = (line?: string) => outcomeOfLastFrame(line, ["storyboard_rejected"]);
    for await (const line of client.lines("film", "/api/visual-explainers/storyboard", { method: "POST", body, fits: [422], ends }))
      last = JSON.parse(line) as StoryboardFrame;
    if (last?.kind === "complete") return last.jobId;
    if (last?.kind !== "error") throw new RetryLater("no last word", 300);
    if (last.code === "storyboard_rejected") return null;
    throw new RetryLater("the storyboard failed in words", 700);
  });
  if (jobId !== null) journal.films.set(jobId, { approved: false });
  return jobId;
}

/** Has a film drawn up and approves it; whether it comes is looked at in the end. */
export async function makeFilm(person: SimulatedPerson, topics: readonly Topic[]): Promise<string | null> {
  const { client, journal, name } = person;
  const jobId = await drawStoryboard(person, topics);
  if (jobId === null) return null;
  const approval = { schemaVersion: 1, requestId: newId() };
  await retryUntilDone(`an approval of ${name}`, () =>
    client.send("film", `/api/visual-explainers/jobs/${jobId}/render`, { method: "POST", body: approval }),
  );
  journal.films.set(jobId, { approved: true });
  return jobId;
}

/** Tries to look into what is somebody else's: it has to be as if it were not there. */
export async function tryForeignData({ client, name }: SimulatedPerson, other: SimulatedPerson): Promise<void> {
  if (other.name === name) return;
  const { journal } = other;
  const paths = [
    ...[...journal.turns.values()].slice(-1).map(({ conversationId }) => `/api/conversations/${conversationId}`),
    ...[...journal.sessions.keys()].slice(-1).flatMap((id) => [`/api/tutor/sessions/${id}`, `/api/tutor/sessions/${id}/ledger`]),
    ...[...journal.films.keys()]
      .slice(-1)
      .flatMap((id) => [`/api/visual-explainers/jobs/${id}`, `/api/visual-explainers/jobs/${id}/events`]),
  ];
  for (const path of paths) {
    const { status } = await client.send("look into another's", path, { fits: [404] });
    if (status !== 404) client.note("look into another's", "wrong", `LET IN: ${path} of ${other.name}: ${status}`);
  }
}

/** The topics of the course that is read. */
export async function topicsOf(url: string): Promise<Topic[]> {
  const { course } = (await (await fetch(`${url}/api/courses/${readCourse}`)).json()) as CourseResponse;
  return course.topics;
}

export type Topic = Pick<CourseResponse["course"]["topics"][number], "id" | "href">;
