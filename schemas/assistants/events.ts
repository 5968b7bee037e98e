import { z } from "zod";
import { defineEvents, type EventOf } from "../define-events.ts";
import { time } from "../payload.ts";
import { clientId, connectorScope } from "./assistant.ts";

/** Stream `assistant-<accountId>`: the assistants that were used for an account, and those that it disconnected. */
export const assistantEvents = defineEvents({
  /** First used, or used with other scopes than before. */
  AssistantConnected: { version: 1, data: z.object({ clientId, name: z.string(), scopes: z.array(connectorScope), at: time }) },
  AssistantDisconnected: { version: 1, data: z.object({ clientId, at: time }) },
  AssistantAllowed: { version: 1, data: z.object({ clientId, at: time }) },
  /** The account's data was deleted: access that was given before is no longer valid. */
  AssistantsForgotten: { version: 1, data: z.object({ at: time, onlyReads: z.boolean().optional() }) },
  /** The account signed in with the auditor's role alone, or no longer so: its assistants may write only without it. */
  AccountRolesSeen: { version: 1, data: z.object({ onlyReads: z.boolean(), at: time }) },
});
export type AssistantEvent = EventOf<typeof assistantEvents>;

export const assistantStream = (accountId: string): string => `assistant-${accountId}`;
