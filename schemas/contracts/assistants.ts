import { assistantRequest, assistantResponse, assistantsQuery, assistantsResponse } from "../assistants/assistant.ts";
import { connectorBounds } from "../connector-bounds.ts";
import { noQuery } from "../payload.ts";
import { contract, json, perMinute } from "./contract.ts";

const limit = perMinute(connectorBounds.looksPerMinute);

export const listAssistants = contract({
  method: "GET",
  path: "/api/ai/assistants",
  summary: "The assistants that act for the account",
  access: "account",
  query: assistantsQuery,
  limit,
  responses: { 200: json("Most recent first, a page at a time.", assistantsResponse) },
});

export const allowAssistant = contract({
  method: "POST",
  path: "/api/ai/assistants",
  summary: "Revoke an assistant's access at once, or allow it again",
  access: "account",
  security: "assistant-access",
  // Revoking takes something away from an assistant; auditors may do that.
  auditorsMayWrite: true,
  query: noQuery,
  request: assistantRequest,
  limit,
  responses: { 200: json("The assistant as it is now.", assistantResponse) },
  problems: ["not_found"],
});
