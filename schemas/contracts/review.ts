import { readQuery } from "../payload.ts";
import { reviewResponse } from "../review/requests.ts";
import { contract, json } from "./contract.ts";

export const readReview = contract({
  method: "GET",
  path: "/api/review",
  summary: "The account's review cards",
  access: "account",
  query: readQuery,
  responses: { 200: json("The cards, worded as in the live revisions.", reviewResponse) },
  problems: ["read_model_behind"],
});
