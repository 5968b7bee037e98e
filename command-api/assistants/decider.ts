import type { Assistant, ConnectorScope } from "@colloquy/schemas/assistants/assistant.ts";
import type { AssistantEvent } from "@colloquy/schemas/assistants/events.ts";
import { type Decider, type Recorded, Rejection } from "../decider.ts";

/** An account's assistants. */
export interface AssistantsState {
  readonly assistants: Readonly<Record<string, Assistant>>;
  /** Tokens issued before this time are invalid; in milliseconds since 1970. */
  readonly notBefore: number;
  /** At the last sign-in the account had the auditor's role and no other. */
  readonly onlyReads: boolean;
  /** Nothing was recorded since the account's data was last deleted. */
  readonly isForgotten: boolean;
  /** What the latest requests did, by request id. */
  readonly requests: ReadonlyMap<string, string>;
}

/** Requests that are remembered, so that one that is sent again changes nothing. */
const rememberedRequests = 200;

export type AssistantsCommand = { at: string } & (
  | { type: "connect"; clientId: string; name: string; scopes: ConnectorScope[] }
  | { type: "disconnect" | "allow"; clientId: string; requestId: string }
  | { type: "note roles"; onlyReads: boolean }
  | { type: "forget" | "end grants" }
);

const initialState: AssistantsState = { assistants: {}, notBefore: 0, onlyReads: false, isForgotten: true, requests: new Map() };

function decide(command: AssistantsCommand, state: AssistantsState): readonly AssistantEvent[] | Rejection {
  const { at } = command;
  switch (command.type) {
    case "connect": {
      const { clientId, name, scopes } = command;
      const known = state.assistants[clientId];
      const isSame = known?.name === name && known.scopes.join() === scopes.join();
      return isSame ? [] : [{ type: "AssistantConnected", data: { schemaVersion: 1, clientId, name, scopes, at } }];
    }
    case "disconnect":
    case "allow": {
      const { type, clientId } = command;
      const known = state.assistants[clientId];
      if (!known) return new Rejection("not_found");
      const done = state.requests.get(command.requestId);
      if (done !== undefined) return done === deedOf(type, clientId) ? [] : new Rejection("request_id_reused");
      if ((known.disconnectedAt === null) === (type === "allow")) return [];
      return [{ type: type === "allow" ? "AssistantAllowed" : "AssistantDisconnected", data: { schemaVersion: 1, clientId, at } }];
    }
    case "note roles": {
      const { onlyReads } = command;
      return onlyReads === state.onlyReads ? [] : [{ type: "AccountRolesSeen", data: { schemaVersion: 1, onlyReads, at } }];
    }
    // Also where none is known: access that was granted may not have been used yet.
    case "end grants":
      return [{ type: "AssistantsForgotten", data: { schemaVersion: 1, at, onlyReads: state.onlyReads } }];
    case "forget":
      return state.isForgotten ? [] : [{ type: "AssistantsForgotten", data: { schemaVersion: 1, at, onlyReads: state.onlyReads } }];
  }
}

const deedOf = (type: "allow" | "disconnect", clientId: string): string => `${type} ${clientId}`;

function evolve(state: AssistantsState, event: Recorded<AssistantEvent>): AssistantsState {
  switch (event.type) {
    case "AssistantConnected": {
      const { clientId, name, scopes, at } = event.data;
      const before = state.assistants[clientId];
      const connectedAt = before?.connectedAt ?? at;
      const disconnectedAt = before?.disconnectedAt ?? null;
      return withAssistant(state, { clientId, name, scopes, connectedAt, disconnectedAt });
    }
    case "AssistantDisconnected":
    case "AssistantAllowed": {
      const { clientId, at } = event.data;
      const before = state.assistants[clientId];
      const type = event.type === "AssistantAllowed" ? "allow" : "disconnect";
      const { requestId } = event.metadata;
      const done = requestId === undefined ? [] : [[requestId, deedOf(type, clientId)] as const];
      const requests = new Map([...state.requests, ...done].slice(-rememberedRequests));
      return before ? withAssistant({ ...state, requests }, { ...before, disconnectedAt: type === "allow" ? null : at }) : state;
    }
    case "AssistantsForgotten": {
      const { at, onlyReads = state.onlyReads } = event.data;
      return { assistants: {}, notBefore: Date.parse(at), onlyReads, isForgotten: true, requests: state.requests };
    }
    case "AccountRolesSeen":
      return { ...state, onlyReads: event.data.onlyReads, isForgotten: false };
  }
}

const withAssistant = (state: AssistantsState, assistant: Assistant): AssistantsState => ({
  ...state,
  assistants: { ...state.assistants, [assistant.clientId]: assistant },
  isForgotten: false,
});

export const assistantsDecider: Decider<AssistantsCommand, AssistantEvent, AssistantsState> = { initialState, decide, evolve };
