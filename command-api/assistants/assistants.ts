import { type EventStore, eventIdFrom } from "@colloquy/infra/event-store/client.ts";
import { ProblemError } from "@colloquy/infra/http/problem.ts";
import { type AccessToken, scopesToRead } from "@colloquy/infra/identity/access-tokens.ts";
import { type Account, isAuditorOnly } from "@colloquy/schemas/accounts/account.ts";
import type { Assistant, AssistantsResponse } from "@colloquy/schemas/assistants/assistant.ts";
import { assistantEvents, assistantStream } from "@colloquy/schemas/assistants/events.ts";
import { connectorBounds } from "@colloquy/schemas/connector-bounds.ts";
import { commandHandler } from "../command-handler.ts";
import { assistantsDecider } from "./decider.ts";

export interface Assistants {
  /** The token with the scopes that it may still use, or null when it is not valid any more. Records an assistant that is new. */
  admit(token: AccessToken, requestId: string): Promise<AccessToken | null>;
  /** One page, the latest first. @throws {ProblemError} `invalid_request` when `after` names no assistant */
  list(accountId: string, after?: string): Promise<Pick<AssistantsResponse, "assistants" | "next">>;
  /** Revokes an assistant's access at once, or allows it again. @throws {ProblemError} `not_found` */
  allow(accountId: string, clientId: string, allowed: boolean, requestId: string): Promise<Assistant>;
  /** Records at sign-in whether the account only has the auditor's role: its assistants may then only read. */
  signedIn(account: Account, requestId: string): Promise<void>;
  /** Ends the access of all assistants of an account. They can be connected again. */
  endAll(accountId: string, requestId: string): Promise<void>;
  /** Deletes what is known of an account's assistants. Tokens issued before become invalid. */
  forget(accountId: string, requestId: string): Promise<void>;
}

export function assistantsOf(store: EventStore, now: () => Date = () => new Date()): Assistants {
  const handler = commandHandler({
    store,
    category: "assistant",
    stream: assistantStream,
    decider: assistantsDecider,
    events: assistantEvents,
    eventId: ({ id, request, event, revision }) =>
      eventIdFrom(assistantStream(id), event.type, String(revision + 1), request?.requestId ?? ""),
    deletion: "AssistantsForgotten",
  });
  const at = (): string => now().toISOString();

  return {
    async admit(token, requestId) {
      const { accountId, clientId, clientName: name, issuedAt } = token;
      const { result } = await handler.transact(accountId, { accountId, requestId }, async ({ state, decide }) => {
        if (state.assistants[clientId]?.disconnectedAt || (issuedAt + 1) * 1000 <= state.notBefore) return null;
        const scopes = state.onlyReads ? scopesToRead(token.scopes) : token.scopes;
        decide({ type: "connect", clientId, name, scopes, at: at() });
        return { ...token, scopes };
      });
      return result;
    },
    async list(accountId, after) {
      const { state } = await handler.load(accountId);
      // The time of the first connection never changes, so no page shows an assistant twice or leaves one out.
      const all = Object.values(state.assistants).toSorted(
        (a, b) => b.connectedAt.localeCompare(a.connectedAt) || a.clientId.localeCompare(b.clientId),
      );
      const first = after === undefined ? 0 : all.findIndex(({ clientId }) => clientId === after) + 1;
      if (after !== undefined && first === 0)
        throw new ProblemError("invalid_request", { fields: [{ path: "after", message: "is not there" }] });
      const assistants = all.slice(first, first + connectorBounds.assistants);
      return { assistants, next: first + assistants.length < all.length ? (assistants.at(-1)?.clientId ?? null) : null };
    },
    async signedIn(account, requestId) {
      const { accountId } = account;
      await handler.handle(accountId, { accountId, requestId }, { type: "note roles", onlyReads: isAuditorOnly(account), at: at() });
    },
    async allow(accountId, clientId, allowed, requestId) {
      const type = allowed ? "allow" : "disconnect";
      const { state } = await handler.handle(accountId, { accountId, requestId }, { type, clientId, requestId, at: at() });
      const assistant = state.assistants[clientId];
      if (!assistant) throw new ProblemError("not_found");
      return assistant;
    },
    async endAll(accountId, requestId) {
      await handler.handle(accountId, { accountId, requestId }, { type: "end grants", at: at() });
    },
    async forget(accountId, requestId) {
      await handler.handle(accountId, { accountId, requestId }, { type: "forget", at: at() });
    },
  };
}
