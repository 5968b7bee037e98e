import { askAgainQuery, askFrame, askRequest, releasedResponse } from "../ask/ask.ts";
import { bounds } from "../bounds.ts";
import { modelsResponse } from "../models.ts";
import { noQuery, readQuery } from "../payload.ts";
import { referencesQuery, referencesResponse } from "../sources/references.ts";
import { contract, idIn, json, ndjson, perMinute } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

const returns = perMinute(bounds.ask.returnsPerMinute);

export const listModels = contract({
  method: "GET",
  path: "/api/ai/models",
  summary: "The models that can be chosen",
  access: "public",
  embed: "public",
  query: readQuery,
  cache: "private, no-cache",
  responses: { 200: json("The models.", modelsResponse) },
});

export const searchReferences = contract({
  method: "GET",
  path: "/api/ai/references",
  summary: "Search live courses for places to refer to",
  access: "public",
  embed: "public",
  query: referencesQuery,
  cache: "private, no-cache",
  responses: { 200: json("Best match first; for an empty query the most recently published.", referencesResponse) },
  problems: ["read_model_behind"],
});

export const ask = contract({
  method: "POST",
  path: "/api/ai/ask",
  summary: "Ask a question that is answered from courses",
  access: "account",
  embed: "learner",
  query: noQuery,
  request: askRequest,
  limit: perMinute(bounds.ask.turnsPerMinute),
  responses: { 200: ndjson("Frames, one per line; the last is `complete` or `error`.", askFrame) },
  problems: ["request_id_reused", "unknown_reference", "quota_exhausted"],
  example: {
    schemaVersion: 1,
    requestId: exampleIds.requestId,
    conversationId: null,
    message: "What is a linear map?",
    history: [],
    references: [],
    model: { choice: "automatic" },
  },
});

export const resumeAnswer = contract({
  method: "GET",
  path: "/api/ai/ask/:requestId",
  summary: "Read a running or recent answer again",
  access: "account",
  embed: "learner",
  owned: true,
  parameters: idIn("requestId"),
  query: askAgainQuery,
  limit: returns,
  responses: { 200: ndjson("Its frames after number `after`.", askFrame) },
  problems: ["not_found"],
});

export const cancelAnswer = contract({
  method: "DELETE",
  path: "/api/ai/ask/:requestId",
  summary: "Cancel an answer",
  access: "account",
  embed: "learner",
  parameters: idIn("requestId"),
  query: noQuery,
  limit: returns,
  responses: { 200: json("It is cancelled; the same for an answer that is unknown or has ended.", releasedResponse) },
  problems: ["cross_site"],
});
