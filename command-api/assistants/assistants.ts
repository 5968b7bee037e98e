import { type EventStore, eventIdFrom, WrongExpectedRevision } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type AccessToken, scopesToRead } from "@colloquy/infra/identity/access-tokens.ts";
import { type Account, isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import type { Assistant, AssistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import { type AssistantEvent, assistantEvent, assistantStream } from "@colloquy/schemas/events/assistant.ts";

/** An account's assistants, as a fold of its stream. */
export interface AssistantsState {
  assistants: Readonly<Record<string, Assistant>>;
  /** Tokens given before count no more; in milliseconds since 1970. */
  notBefore: number;
  /** The account signed in last as an auditor's and nothing else. */
  onlyReads: boolean;
}
export const noAssistants: AssistantsState = { assistants: {}, notBefore: 0, onlyReads: false };

/** Pure. */
export function evolveAssistants(state: AssistantsState, event: AssistantEvent): AssistantsState {
  const put = (clientId: string, change: Partial<Assistant>): AssistantsState => {
    const before = state.assistants[clientId];
    return before || change.name !== undefined
      ? { ...state, assistants: { ...state.assistants, [clientId]: { ...before, ...change } as Assistant } }
      : state;
  };
  switch (event.type) {
    case "AssistantConnected": {
      const { clientId, name, scopes, at } = event.data;
      const before = state.assistants[clientId];
      return put(clientId, {
        clientId,
        name,
        scopes,
        connectedAt: before?.connectedAt ?? at,
        disconnectedAt: before?.disconnectedAt ?? null,
      });
    }
    case "AssistantDisconnected":
      return put(event.data.clientId, { disconnectedAt: event.data.at });
    case "AssistantAllowed":
      return put(event.data.clientId, { disconnectedAt: null });
    case "AssistantsForgotten":
      return { assistants: {}, notBefore: Date.parse(event.data.at), onlyReads: event.data.onlyReads ?? state.onlyReads };
    case "AccountRolesSeen":
      return { ...state, onlyReads: event.data.onlyReads };
  }
}

export interface Assistants {
  /** A token as far as it may still be used, null when it may not; remembers the assistant when it is new. */
  admit(token: AccessToken, requestId: string): Promise<AccessToken | null>;
  /** The latest first, those behind one of them. @throws {ProblemError} `invalid_request` behind one that is not there */
  list(accountId: string, after?: string): Promise<Pick<AssistantsResponse, "assistants" | "next">>;
  /** Ends what an assistant may do, at once, or allows it again. @throws {ProblemError} `not_found` */
  allow(accountId: string, clientId: string, allowed: boolean, requestId: string): Promise<Assistant>;
  /** Notes whether an account that signs in is an auditor's alone: then what its assistants were given to write counts no more. */
  signedIn(account: Account, requestId: string): Promise<void>;
  /** Lets go of everything that is known of an account's assistants; what they were given counts no more. */
  forget(accountId: string, requestId: string): Promise<void>;
}

/** Accounts whose assistants are kept at hand; what was added since is read at each use. */
const kept = 500;
const tries = 5;
const keyOf = (value: Assistant | undefined): string => [...(value?.scopes ?? []), value?.name].join(" ");

export function assistantsOf(store: EventStore, now: () => Date = () => new Date()): Assistants {
  const cache = new Map<string, { state: AssistantsState; revision: number }>();

  async function load(accountId: string) {
    let { state, revision } = cache.get(accountId) ?? { state: noAssistants, revision: -1 };
    for await (const stored of store.read(assistantStream(accountId), { from: revision + 1 })) {
      const event = assistantEvent.safeParse(stored);
      if (event.success) state = evolveAssistants(state, event.data);
      revision = stored.revision;
    }
    cache.delete(accountId);
    cache.set(accountId, { state, revision });
    if (cache.size > kept) cache.delete(cache.keys().next().value ?? "");
    return { state, revision };
  }

  /** Appends what `decide` makes of the present state, again where somebody else wrote first. */
  async function change(
    accountId: string,
    requestId: string,
    decide: (state: AssistantsState, at: string) => AssistantEvent | null,
  ): Promise<number> {
    const stream = assistantStream(accountId);
    for (let left = tries; ; left -= 1) {
      const { state, revision } = await load(accountId);
      const event = decide(state, now().toISOString());
      if (!event) return revision;
      const id = eventIdFrom(stream, event.type, String(revision + 1), requestId);
      try {
        const expected = revision < 0 ? ("none" as const) : revision;
        return (await store.append(stream, [{ id, ...event, metadata: { accountId, requestId, correlationId: requestId } }], expected))
          .revision;
      } catch (error) {
        if (!(error instanceof WrongExpectedRevision) || left <= 1) throw error;
      }
    }
  }

  return {
    async admit(token, requestId) {
      const { accountId, clientId, clientName: name, issuedAt } = token;
      const { state } = await load(accountId);
      const known = state.assistants[clientId];
      if (known?.disconnectedAt || (issuedAt + 1) * 1000 <= state.notBefore) return null;
      const scopes = state.onlyReads ? scopesToRead(token.scopes) : token.scopes;
      if (keyOf(known) !== keyOf({ ...known, name, scopes } as Assistant))
        await change(accountId, requestId, (_state, at) => ({
          type: "AssistantConnected",
          data: { schemaVersion: 1, clientId, name, scopes, at },
        }));
      return { ...token, scopes };
    },
    async list(accountId, after) {
      const { state } = await load(accountId);
      // When one was first let in never changes: a list that is read page by page stays whole.
      const all = Object.values(state.assistants).toSorted(
        (a, b) => b.connectedAt.localeCompare(a.connectedAt) || a.clientId.localeCompare(b.clientId),
      );
      const at = after === undefined ? 0 : all.findIndex(({ clientId }) => clientId === after) + 1;
      if (after !== undefined && at === 0)
        throw new ProblemError("invalid_request", { fields: [{ path: "after", message: "is not there" }] });
      const assistants = all.slice(at, at + bounds.connector.assistants);
      return { assistants, next: at + assistants.length < all.length ? (assistants.at(-1)?.clientId ?? null) : null };
    },
    async signedIn(account, requestId) {
      await change(account.accountId, requestId, ({ onlyReads: before }, at) =>
        isAuditorOnly(account) === before ? null : { type: "AccountRolesSeen", data: { schemaVersion: 1, onlyReads: !before, at } },
      );
    },
    async allow(accountId, clientId, allowed, requestId) {
      await change(accountId, requestId, ({ assistants }, at) => {
        const known = assistants[clientId];
        if (!known) throw new ProblemError("not_found");
        if ((known.disconnectedAt === null) === allowed) return null;
        return { type: allowed ? "AssistantAllowed" : "AssistantDisconnected", data: { schemaVersion: 1, clientId, at } };
      });
      const { assistants } = (await load(accountId)).state;
      const after = assistants[clientId];
      if (!after) throw new ProblemError("not_found");
      return after;
    },
    async forget(accountId, requestId) {
      const { revision } = await load(accountId);
      if (revision < 0) return;
      const forgotten = await change(accountId, requestId, ({ assistants, onlyReads }, at) =>
        Object.keys(assistants).length > 0 ? { type: "AssistantsForgotten", data: { schemaVersion: 1, at, onlyReads } } : null,
      );
      await store.truncateBefore(assistantStream(accountId), forgotten);
    },
  };
}
