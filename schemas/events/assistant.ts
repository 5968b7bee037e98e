import { z } from "zod";
import { clientId, connectorScope } from "../assistants/assistant.ts";
import { time } from "../payload.ts";

/** Stream `assistant-<accountId>`: the assistants that were used on an account's behalf, and those it has let go of. */
export const assistantEvent = z.discriminatedUnion("type", [
  /** First used, or used with other scopes than before. */
  z.object({
    type: z.literal("AssistantConnected"),
    data: z.object({ schemaVersion: z.literal(1), clientId, name: z.string(), scopes: z.array(connectorScope), at: time }),
  }),
  z.object({ type: z.literal("AssistantDisconnected"), data: z.object({ schemaVersion: z.literal(1), clientId, at: time }) }),
  z.object({ type: z.literal("AssistantAllowed"), data: z.object({ schemaVersion: z.literal(1), clientId, at: time }) }),
  /** The account's data was deleted: what was given before counts no more. */
  z.object({
    type: z.literal("AssistantsForgotten"),
    data: z.object({ schemaVersion: z.literal(1), at: time, onlyReads: z.boolean().optional() }),
  }),
  /** The account signed in as an auditor's and nothing else, or no longer so: what it has given to write counts only then. */
  z.object({ type: z.literal("AccountRolesSeen"), data: z.object({ schemaVersion: z.literal(1), onlyReads: z.boolean(), at: time }) }),
]);
export type AssistantEvent = z.infer<typeof assistantEvent>;

export const assistantEventTypes = [
  "AssistantConnected",
  "AssistantDisconnected",
  "AssistantAllowed",
  "AssistantsForgotten",
  "AccountRolesSeen",
] as const;

export const assistantStream = (accountId: string): string => `assistant-${accountId}`;
