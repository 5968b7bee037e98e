import { bounds } from "../bounds.ts";
import { conversationResponse, conversationsQuery, conversationsResponse } from "../conversations/requests.ts";
import { readQuery } from "../payload.ts";
import { contract, idIn, json } from "./contract.ts";

export const listConversations = contract({
  method: "GET",
  path: "/api/conversations",
  summary: "A page of the account's conversations",
  access: "account",
  query: conversationsQuery,
  limit: { points: bounds.conversations.searchesPerMinute, seconds: 60, counts: ({ q }) => Boolean(q) },
  responses: { 200: json("Pinned ones first, then newest first.", conversationsResponse) },
  problems: ["read_model_behind"],
});

export const readConversation = contract({
  method: "GET",
  path: "/api/conversations/:conversationId",
  summary: "One whole conversation",
  access: "account",
  owned: true,
  parameters: idIn("conversationId"),
  query: readQuery,
  responses: { 200: json("The conversation.", conversationResponse) },
  problems: ["not_found", "read_model_behind"],
});
