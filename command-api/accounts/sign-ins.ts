import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError, unavailable } from "@colloquy/infra/http/problem.ts";
import { route, serve } from "@colloquy/infra/http/route.ts";
import type { EndedSessions, OpenSession } from "@colloquy/infra/identity/ended-sessions.ts";
import type { OpenSessionEntry } from "@colloquy/schemas/accounts/account.ts";
import { type SignInEvent, signInEvents, signInStream } from "@colloquy/schemas/accounts/events.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { endSession, readSessions } from "@colloquy/schemas/contracts/accounts.ts";
import Bowser from "bowser";
import type { Request, Router } from "express";
import { commandHandler } from "../command-handler.ts";
import type { Decider } from "../decider.ts";
import { type ReviewReminders, reminderDevice } from "../reminders/reminders.ts";

type SignIn = Extract<SignInEvent, { type: "SignedIn" }>["data"];
export type SignInsCommand = { type: "record"; signIn: Omit<SignIn, "schemaVersion"> } | { type: "forget"; at: string };
/** The latest sign-ins whose sessions had not expired at the last of them, in their order. */
export type SignInsState = readonly SignIn[];

export const signInsDecider: Decider<SignInsCommand, SignInEvent, SignInsState> = {
  initialState: [],
  decide(command, state) {
    if (command.type === "record")
      return state.some(({ sessionId }) => sessionId === command.signIn.sessionId)
        ? []
        : [{ type: "SignedIn", data: { schemaVersion: 1, ...command.signIn } }];
    return state.length === 0 ? [] : [{ type: "SignInsForgotten", data: { schemaVersion: 1, at: command.at } }];
  },
  evolve(state, event) {
    if (event.type === "SignInsForgotten") return [];
    return [...state.filter(({ until }) => until > event.data.at), event.data].slice(-bounds.session.remembered);
  },
};

export interface SignIns {
  /** @param userAgent the header of that name */
  record(session: OpenSession, userAgent: string, requestId: string): Promise<void>;
  /** Those of an account, also of sessions that have ended since. */
  of(accountId: string): Promise<SignInsState>;
  /** Deletes what is known of an account's sign-ins. */
  forget(accountId: string, requestId: string): Promise<void>;
}

export function signInsOf(store: EventStore): SignIns {
  const handler = commandHandler({
    store,
    category: "sign-ins",
    stream: signInStream,
    decider: signInsDecider,
    events: signInEvents,
    eventId: ({ id, event, revision }) => eventIdFrom(signInStream(id), event.type, String(revision + 1)),
    deletion: "SignInsForgotten",
  });
  return {
    async record({ accountId, sessionId, begun, until, providerSession, device }, userAgent, requestId) {
      const times = { at: begun.toISOString(), until: until.toISOString() };
      const signIn = { sessionId, providerSession, device, ...describeBrowser(userAgent), ...times };
      await handler.handle(accountId, { accountId, requestId }, { type: "record", signIn });
    },
    of: async (accountId) => (await handler.load(accountId)).state,
    async forget(accountId, requestId) {
      await handler.handle(accountId, { accountId, requestId }, { type: "forget", at: new Date().toISOString() });
    },
  };
}

/** What a browser says of itself: names of a fixed list, since the header may hold anything. */
function describeBrowser(userAgent: string): Pick<SignIn, "browser" | "system"> {
  if (userAgent === "") return { browser: null, system: null };
  const { browser, os } = Bowser.parse(userAgent.slice(0, bounds.session.userAgentLength));
  const known = (names: Readonly<Record<string, string>>, name = ""): string | null => (Object.values(names).includes(name) ? name : null);
  return { browser: known(Bowser.BROWSER_MAP, browser.name), system: known(Bowser.OS_MAP, os.name) };
}

const sessionOf = (accountId: string, { sessionId, at, until, providerSession, device }: SignIn): OpenSession => ({
  accountId,
  sessionId,
  begun: new Date(at),
  until: new Date(until),
  providerSession,
  device,
});

const isSameBrowser = (one: Pick<SignIn, "sessionId" | "device">, other: Pick<SignIn, "sessionId" | "device">): boolean =>
  one.sessionId === other.sessionId || (one.device !== undefined && one.device === other.device);

interface Sessions {
  signIns: Pick<SignIns, "of">;
  ended: Pick<EndedSessions, "has" | "end">;
  reminders: Pick<ReviewReminders, "handle">;
}

/**
 * Ends a session and former ones of the same browser, whose cookies the later sign-ins replaced, and the browser's reminders.
 * @throws {ProblemError} `unavailable`
 */
export async function endBrowserSessions({ signIns, ended, reminders }: Sessions, session: OpenSession, requestId: string): Promise<void> {
  const { accountId } = session;
  await reminders.handle(accountId, { type: "turn off", device: reminderDevice(session), reason: "signed-out" }, requestId);
  const recorded = await signIns.of(accountId).catch((error: unknown) => Promise.reject(unavailable(error)));
  const former = recorded.filter((one) => one.sessionId !== session.sessionId && isSameBrowser(one, session));
  for (const one of [...former.map((signIn) => sessionOf(accountId, signIn)), session])
    if (one.until.getTime() > Date.now() && !(await ended.has(one))) await ended.end(one, requestId);
}

/** Whether the latest session of a browser was ended, here or at the identity provider. */
export async function isSignedOut({ signIns, ended }: Omit<Sessions, "reminders">, accountId: string, device: string): Promise<boolean> {
  const latest = (await signIns.of(accountId)).findLast((signIn) => reminderDevice(signIn) === device);
  return latest !== undefined && ended.has(sessionOf(accountId, latest));
}

/** `GET /auth/sessions` and `POST /auth/sessions/end`. */
export function signInRoutes(sessions: Sessions): Router {
  const { signIns, ended } = sessions;
  async function listFor(request: Request) {
    const { openSession: current } = request;
    if (!current) throw new ProblemError("sign_in_required");
    const { accountId, begun, until } = current;
    const times = { signedInAt: begun.toISOString(), until: until.toISOString() };
    const own = { sessionId: current.sessionId, current: true, ...describeBrowser(request.get("user-agent") ?? ""), ...times };
    const sessions: OpenSessionEntry[] = [own];
    const listed: Pick<SignIn, "sessionId" | "device">[] = [current];
    for (const signIn of (await signIns.of(accountId)).toReversed()) {
      const session = sessionOf(accountId, signIn);
      const isOpen = session.until.getTime() > Date.now() && !(await ended.has(session));
      if (!isOpen || listed.some((one) => isSameBrowser(one, signIn))) continue;
      const { sessionId, browser, system, at, until: expires } = signIn;
      listed.push(signIn);
      sessions.push({ sessionId, current: false, browser, system, signedInAt: at, until: expires });
    }
    return { sessions };
  }

  return serve([
    route(readSessions, ({ request }) => listFor(request)),
    route(endSession, async ({ request, account: { accountId }, body: { sessionId } }) => {
      const signIn = (await signIns.of(accountId)).find((one) => one.sessionId === sessionId);
      if (!signIn) throw new ProblemError("not_found", { detail: "There is no such session." });
      await endBrowserSessions(sessions, sessionOf(accountId, signIn), request.id);
      return listFor(request);
    }),
  ]);
}
