import { readConfig } from "@colloquy/infra/config.ts";
import { sessions } from "@colloquy/infra/identity/session.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import type { Response } from "express";

/** A learner's device without a browser: signs in, pushes changes and reads. For journeys and load tests. */
export interface Learner {
  cookie: string;
  /** Pushes changes and returns the response. @throws if they are rejected */
  push(changes: readonly object[]): Promise<{ results: { changeId: string; outcome: string; code?: string }[]; position: string }>;
  /** The response of a query; repeated, as a page does, while its read model is behind. */
  get(path: string): Promise<{ status: number; body: unknown }>;
}

/** Attempts while a read model is behind; each takes up to two seconds. */
const maxAttempts = 30;

/** Signs in with a demonstration account, or uses a given session. */
export async function learner(url: string, as: string | { cookie: string }, deviceId = "device-one"): Promise<Learner> {
  const cookie = typeof as === "string" ? await signIn(url, as) : as.cookie;
  return {
    cookie,
    async push(changes) {
      const response = await fetch(`${url}/api/sync/push`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ schemaVersion: 1, deviceId, changes }),
      });
      const body = await response.json();
      if (!response.ok) throw new Error(`the push was answered with ${response.status}: ${JSON.stringify(body)}`);
      return body as Awaited<ReturnType<Learner["push"]>>;
    },
    async get(path) {
      for (let tries = 1; ; tries += 1) {
        const response = await fetch(`${url}${path}`, { headers: { cookie } });
        const body: unknown = await response.json();
        if (response.status !== 504 || tries === maxAttempts) return { status: response.status, body };
      }
    },
  };
}

async function signIn(url: string, as: string): Promise<string> {
  const response = await fetch(`${url}/auth/demo?as=${as}`, { redirect: "manual" });
  const cookie = response.headers.get("set-cookie")?.split(";")[0];
  if (!cookie) throw new Error(`${as} could not sign in: ${response.status}`);
  return cookie;
}

/** A change to a conversation, as in a device's outbox. */
export function change(changeId: string, entityId: string, type: string, data: object): object {
  return { changeId, domain: "conversation", entityId, type, at: new Date().toISOString(), data };
}

export const opening = (title: string) => ({ mode: "ask", model: { choice: "automatic" }, references: [], title });

export const turn = (turnId: string, question: string, answer: string) => ({
  turnId,
  question,
  answer,
  citations: [],
  outcome: "finished",
  provider: "p1",
  model: "some-model",
  fallbackDepth: 0,
});

/**
 * Any number of learners, whose sessions are signed here instead of at the sign-in page.
 * @param secret the program's SESSION_SECRET
 */
export async function learners(url: string, secret: string, count: number): Promise<(Learner & { accountId: string })[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const accountId = `acc_learner${String(index).padStart(4, "0")}`;
      const cookie = await sessionCookie(url, secret, { accountId, name: `Learner ${index}`, roles: ["learner"] });
      return { ...(await learner(url, { cookie })), accountId };
    }),
  );
}

/** The cookie (`name=value`) of a new session. @param secret the program's SESSION_SECRET */
export async function sessionCookie(url: string, secret: string, account: Account): Promise<string> {
  let cookie = "";
  const response = { cookie: (name: string, value: string) => (cookie = `${name}=${value}`) } as unknown as Response;
  await sessions(readConfig({ SESSION_SECRET: secret, PUBLIC_URL: url })).issue(response, account);
  return cookie;
}
