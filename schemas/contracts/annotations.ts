import { noQuery } from "../payload.ts";
import { annotatedResponse } from "../sync/protocol.ts";
import { contract, json, notModified } from "./contract.ts";

export const readAnnotated = contract({
  method: "GET",
  path: "/api/annotations",
  summary: "Whether the account has highlighted or drawn anything",
  access: "account",
  query: noQuery,
  cache: "private, no-cache",
  responses: { 200: json("Whether it has.", annotatedResponse), 304: notModified },
});
