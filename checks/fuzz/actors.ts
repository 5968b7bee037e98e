import { randomUUID } from "node:crypto";
import { courseQuestions } from "@colloquy/infra/object-store/course-questions.ts";
import type { Role } from "@colloquy/schemas/accounts/account.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { solutionOf } from "@colloquy/schemas/questions/solution.ts";
import { createClient } from "../../client/client.ts";
import { makeSampleData, type SampleData } from "../authorisation/sample-data.ts";
import { signInMany } from "../harness/actors.ts";

/** An actor whose requests are fuzzed. */
export interface FuzzActor {
  name: string;
  headers: Record<string, string>;
  /** What they have; null for whoever only just came. */
  things: SampleData | null;
  /** Bodies that are right and hard to make up, by `METHOD path`. */
  examples?: Record<string, object>;
}

const courseId = "linear-maps";
/** Numbers of accounts. Limits apply to each account, so more accounts allow more requests. */
const withThings = 6;
const learners = 24;
const owners = 8;

/** Learners, owners, auditors, a worker and a visitor. */
export async function signInActors(url: string, secret: string, workerToken: string): Promise<FuzzActor[]> {
  const many = async (count: number, name: string, roles: Role[]): Promise<FuzzActor[]> =>
    (await signInMany({ url, secret }, count, roles)).map(({ headers }, index) => ({
      name: `${name} ${index + 1}`,
      headers,
      things: null,
    }));
  const some = await many(withThings, "learner with things", ["learner"]);
  for (const person of some) person.things = await makeSampleData(url, person.headers);
  const authors = await many(owners, "owner", ["learner", "owner"]);
  const [author] = authors;
  for (const [index, person] of some.entries())
    person.examples = {
      "POST /api/visual-explainers/storyboard": await film(url),
      // An answer in Review moves the session on, so that turns of whoever gives one are stale: not the first, who takes turns.
      ...(author && index > 0 && { "POST /api/review/answers": await reviewAnswer(url, author, person) }),
    };
  for (const person of authors) person.examples = { "POST /api/course-editor/publish": await publication(url, person) };
  return [
    ...some,
    ...authors,
    ...(await many(learners, "learner", ["learner"])),
    ...(await many(2, "auditor", ["auditor"])),
    { name: "worker", headers: { authorization: `Bearer ${workerToken}` }, things: null },
    { name: "nobody", headers: {}, things: null },
  ];
}

/** A publication of what is live as it is. */
async function publication(url: string, { headers }: FuzzActor): Promise<object> {
  const call = createClient({ address: url, headers });
  const { course, sequence, revisionId } = await call("GET /api/course-editor/source", { query: { course: courseId } });
  return versioned({ requestId: randomUUID(), courseId, base: { sequence, revisionId }, course, renamedIds: [], aliases: [] });
}

/** The right answer to the first question that is marked by its key, on what the person's session is about. */
async function reviewAnswer(url: string, author: FuzzActor, { headers, things }: FuzzActor): Promise<object> {
  const asAuthor = createClient({ address: url, headers: author.headers });
  const { course } = await asAuthor("GET /api/course-editor/source", { query: { course: courseId } });
  const parameters = { sessionId: things?.sessionId ?? "" };
  const { session } = await createClient({ address: url, headers })("GET /api/tutor/sessions/:sessionId", { parameters });
  const studied = new Set(session.mastery.map(({ objectiveId }) => objectiveId));
  const asked = courseQuestions(course.topics).find(
    ({ objectiveId, question }) => question.kind !== "free" && objectiveId !== null && studied.has(objectiveId),
  );
  if (!asked) throw new Error(`${courseId} has no question that is marked by its key`);
  const { objectiveId, blockId, digest, question } = asked;
  return versioned({ requestId: randomUUID(), courseId, objectiveId, blockId, digest, response: solutionOf(question) });
}

/** A film of the course's second topic, which the demonstration model has enough for. */
async function film(url: string): Promise<object> {
  const { course } = await createClient({ address: url })("GET /api/courses/:courseId", { parameters: { courseId } });
  const [, topic] = course.topics;
  const asked = { courseId, topicId: topic?.id, emphasis: "worked-example", model: { choice: "automatic" } };
  return versioned({ requestId: randomUUID(), ...asked });
}
