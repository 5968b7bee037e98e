import { z } from "zod";
import { bounds } from "../bounds.ts";
import { embedRecordRequest } from "../embed/embed.ts";
import { id, noQuery, payload } from "../payload.ts";
import { pullQuery, pullResponse, pushRequest, pushResponse, streamedChange, streamQuery } from "../sync/protocol.ts";
import { contract, events, json, perMinute } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

/** Whether a push holds nothing but preferences, which auditors may keep, too. */
function isOfPreferences(body: unknown): boolean {
  const changes = typeof body === "object" && body !== null && "changes" in body ? body.changes : null;
  return Array.isArray(changes) && changes.every((change) => change?.domain === "preferences");
}

export const pushChanges = contract({
  method: "POST",
  path: "/api/sync/push",
  summary: "Send the changes that a device made",
  access: "account",
  auditorsMayWrite: isOfPreferences,
  query: noQuery,
  request: pushRequest,
  // An invalid change gets a result of its own and does not hold up the others.
  envelope: payload({ deviceId: id, changes: z.array(z.unknown()).min(1).max(bounds.sync.changesPerPush) }),
  limit: perMinute(bounds.sync.pushesPerMinute),
  responses: { 200: json("The outcome of each change.", pushResponse) },
  example: {
    schemaVersion: 1,
    deviceId: "d3b0a5d2-1c9e-4b8e-9a3f-7e2c5f6a1b04",
    changes: [
      {
        changeId: "e4c1b6e3-2d0f-4c9f-8b40-8f3d607b2c05",
        domain: "conversation",
        entityId: exampleIds.conversationId,
        type: "started",
        at: "2026-11-21T09:30:00.000Z",
        data: { mode: "ask", model: { choice: "automatic" }, references: [], title: "What a linear map does" },
      },
    ],
  },
});

export const recordEmbedded = contract({
  method: "POST",
  path: "/api/embed/record",
  summary: "Record from a page of another site that a conversation began or a quiz was answered",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: embedRecordRequest,
  limit: perMinute(bounds.sync.pushesPerMinute),
  responses: { 200: json("The outcome of each change.", pushResponse) },
});

export const pullChanges = contract({
  method: "GET",
  path: "/api/sync/pull",
  summary: "Changes after a cursor, in the server's order",
  access: "account",
  query: pullQuery,
  responses: { 200: json("A page of changes.", pullResponse) },
});

export const streamChanges = contract({
  method: "GET",
  path: "/api/sync/stream",
  summary: "Changes as they happen; `Last-Event-ID` resumes",
  access: "account",
  query: streamQuery,
  concurrent: {
    most: bounds.sync.streamsPerAccount,
    refusal: "This account has too many live connections open. Close a tab, or try again in a few seconds.",
  },
  responses: { 200: events("Server-sent events; the data of each is a change, its id the cursor.", streamedChange) },
});
