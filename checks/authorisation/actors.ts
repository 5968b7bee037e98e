import { versioned } from "@colloquy/schemas/payload.ts";
import { demoCookie } from "../harness/actors.ts";

/** Who asks in the table of docs/reports/authorisation.md, in the order of its columns. */
export const actors = {
  visitor: "nobody is signed in",
  learner: "the learner who owns the data",
  other: "another learner",
  owner: "an owner of the courses",
  auditor: "an auditor",
  worker: "a render worker, with its token",
  assistant: "an assistant, with an access token of the learner",
  foreign: "a page of another site, with the learner's cookie",
  embed: "a page of an allowed site, with the token it got for the learner",
} as const;
export type Actor = keyof typeof actors;
export const actorNames = Object.keys(actors) as Actor[];

/** What the requests of each carry. */
export type Credentials<Who extends string = Actor> = Record<Who, Record<string, string>>;

/** A site that may embed elements, where the program was told so. */
export const embedOrigin = "https://school.example";
export const nonce = "nonce-of-one-page";

const elsewhere = { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };

/** Signs the demonstration accounts in. `workerToken`: what the program was started with. */
export async function signInAll(url: string, workerToken: string): Promise<Credentials<Exclude<Actor, "assistant" | "embed">>> {
  const cookie = (account: string): Promise<string> => demoCookie(url, account);
  const learner = { cookie: await cookie("learner") };
  return {
    visitor: {},
    learner,
    other: { cookie: await cookie("learner2") },
    owner: { cookie: await cookie("owner") },
    auditor: { cookie: await cookie("auditor") },
    worker: { authorization: `Bearer ${workerToken}` },
    foreign: { ...learner, ...elsewhere },
  };
}

/** Signs the learner in on a page of `embedOrigin`: as the sign-in window does, with the cookie that such a page never sees. */
export async function signInEmbedded(url: string, learner: Record<string, string>): Promise<Record<string, string>> {
  const response = await fetch(`${url}/auth/embed`, {
    method: "POST",
    headers: { ...learner, "content-type": "application/json" },
    body: JSON.stringify(versioned({ origin: embedOrigin, nonce })),
  });
  const { token } = (await response.json()) as { token?: string };
  if (!token) throw new Error(`a page of another site was not signed in: ${response.status}`);
  return { origin: embedOrigin, "sec-fetch-site": "cross-site", authorization: `Bearer ${token}` };
}

/** Actors of the routes with rules of their own (`special-routes.ts`). */
export const specialActors = {
  visitor: actors.visitor,
  learner: "a learner's cookie",
  assistant: actors.assistant,
  worker: actors.worker,
  embed: actors.embed,
  foreign: actors.foreign,
  stolen: "the same page, with the assistant's access token",
} as const;
export type SpecialActor = keyof typeof specialActors;
export const specialActorNames = Object.keys(specialActors) as SpecialActor[];

export function specialCredentials({ visitor, learner, assistant, worker, embed, foreign }: Credentials): Credentials<SpecialActor> {
  return { visitor, learner, assistant, worker, embed, foreign, stolen: { ...elsewhere, ...assistant } };
}
