import { randomUUID } from "node:crypto";
import type { Role } from "@colloquy/schemas/accounts/account.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { createClient } from "../../client/client.ts";
import { makeThings, type Things } from "../authorisation/things.ts";
import { signInMany } from "../harness/actors.ts";

/** Somebody whose requests are sent. */
export interface Person {
  name: string;
  headers: Record<string, string>;
  /** What they have; null for whoever only just came. */
  things: Things | null;
  /** Bodies that are right and hard to make up, by `METHOD path`. */
  examples?: Record<string, object>;
}

const courseId = "linear-maps";
/** How many there are of each: limits are kept per account, so many accounts reach further. */
const withThings = 6;
const learners = 24;
const owners = 8;

/** Accounts whose cookies are signed by the secret the program was started with, workers, and nobody. */
export async function gatherPeople(url: string, secret: string, workerToken: string): Promise<Person[]> {
  const many = async (count: number, name: string, roles: Role[]): Promise<Person[]> =>
    (await signInMany({ url, secret }, count, roles)).map(({ headers }, index) => ({
      name: `${name} ${index + 1}`,
      headers,
      things: null,
    }));
  const some = await many(withThings, "learner with things", ["learner"]);
  for (const person of some) {
    person.things = await makeThings(url, person.headers);
    person.examples = { "POST /api/visual-explainers/storyboard": await film(url, person.things) };
  }
  const authors = await many(owners, "owner", ["learner", "owner"]);
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
async function publication(url: string, { headers }: Person): Promise<object> {
  const call = createClient({ address: url, headers });
  const { course, sequence, revisionId } = await call("GET /api/course-editor/source", { query: { course: courseId } });
  return versioned({ requestId: randomUUID(), courseId, base: { sequence, revisionId }, course, renamedIds: [], aliases: [] });
}

/** A film of the course's first topic. */
async function film(url: string, { courseId }: Things): Promise<object> {
  const { course } = await createClient({ address: url })("GET /api/courses/:courseId", { parameters: { courseId } });
  const [topic] = course.topics;
  const asked = { courseId, topicId: topic?.id, emphasis: "intuition", model: { choice: "automatic" } };
  return versioned({ requestId: randomUUID(), ...asked });
}
