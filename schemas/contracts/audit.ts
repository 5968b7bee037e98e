import { z } from "zod";
import { auditedSessionsResponse, auditQuery, auditRecordResponse } from "../audit/requests.ts";
import { bounds } from "../bounds.ts";
import { readQuery } from "../payload.ts";
import { checkpointLine, evidenceEntry } from "../tutor/ledger.ts";
import { contract, idIn, json, ndjson, perMinute } from "./contract.ts";

const limit = perMinute(bounds.audit.requestsPerMinute);

export const searchAuditedSessions = contract({
  method: "GET",
  path: "/api/audit/sessions",
  summary: "Search tutoring sessions to audit",
  access: "auditor",
  query: auditQuery,
  limit,
  responses: { 200: json("Most recently used first; learners by pseudonym.", auditedSessionsResponse) },
  problems: ["read_model_behind"],
});

export const readAuditRecord = contract({
  method: "GET",
  path: "/api/audit/sessions/:sessionId",
  summary: "What happened in a session, event by event",
  access: "auditor",
  parameters: idIn("sessionId"),
  query: readQuery,
  limit,
  responses: { 200: json("Events, verification, and where the replay differs.", auditRecordResponse) },
  problems: ["not_found", "read_model_behind"],
});

export const exportAuditedLedger = contract({
  method: "GET",
  path: "/api/audit/sessions/:sessionId/ledger",
  summary: "Export the signed evidence ledger of a session",
  access: "auditor",
  parameters: idIn("sessionId"),
  query: readQuery,
  limit,
  responses: { 200: ndjson("One entry or checkpoint per line, the last a final checkpoint.", z.union([evidenceEntry, checkpointLine])) },
  problems: ["not_found", "read_model_behind"],
});
