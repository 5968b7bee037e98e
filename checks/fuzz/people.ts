import { randomUUID } from "node:crypto";
import { readConfig } from "@colloquy/infra/config.ts";
import { sessionCookieName } from "@colloquy/infra/identity/session.ts";
import { signed } from "@colloquy/infra/identity/signed.ts";
import { account, type Role } from "@colloquy/schemas/accounts/account.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import type { EditorSourceResponse } from "@colloquy/schemas/publication/requests.ts";
import { makeThings, type Things } from "../authorisation/things.ts";

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
  const config = { ...readConfig({ NODE_ENV: "test", SESSION_SECRET: secret }), publicUrl: url };
  const cookie = signed({ secret, kind: "session", seconds: 86_400, schema: account });
  const enter = async (name: string, roles: Role[]): Promise<Person> => ({
    name,
    headers: { cookie: `${sessionCookieName(config)}=${await cookie.sign({ accountId: `acc_${randomUUID()}`, name, roles })}` },
    things: null,
  });
  const many = (count: number, name: string, roles: Role[]): Promise<Person[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => enter(`${name} ${index + 1}`, roles)));
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
  const response = await fetch(`${url}/api/course-editor/source?course=${courseId}`, { headers });
  const { course, sequence, revisionId } = (await response.json()) as EditorSourceResponse;
  return versioned({ requestId: randomUUID(), courseId, base: { sequence, revisionId }, course, renamedIds: [], aliases: [] });
}

/** A film of the course's first topic. */
async function film(url: string, { courseId }: Things): Promise<object> {
  const response = await fetch(`${url}/api/courses/${courseId}`);
  const { course } = (await response.json()) as { course: { topics: { id: string }[] } };
  const [topic] = course.topics;
  const asked = { courseId, topicId: topic?.id, emphasis: "intuition", model: { choice: "automatic" } };
  return versioned({ requestId: randomUUID(), ...asked });
}
