import { bounds } from "../bounds.ts";
import { embedRenewRequest, embedResponse, embedSignInResponse, embedTokenRequest, embedTokenResponse } from "../embed/embed.ts";
import { noQuery } from "../payload.ts";
import { content, contract, json, notModified, page, perMinute, redirect } from "./contract.ts";

const tokens = perMinute(bounds.embed.tokensPerMinute);

export const createEmbedToken = contract({
  method: "POST",
  path: "/auth/embed",
  summary: "Create a token for a page of another site",
  access: "account",
  security: "embed-grant",
  query: noQuery,
  request: embedTokenRequest,
  limit: tokens,
  responses: { 200: json("The token, valid from that origin only.", embedSignInResponse) },
  problems: ["not_allowed"],
});

export const renewEmbedToken = contract({
  method: "POST",
  path: "/auth/embed/renew",
  summary: "Exchange a page's token for the next one",
  access: "account",
  security: "embed-grant",
  embed: "learner",
  query: noQuery,
  request: embedRenewRequest,
  limit: tokens,
  responses: { 200: json("The token.", embedTokenResponse) },
  problems: ["not_allowed"],
});

export const readEmbedOffer = contract({
  method: "GET",
  path: "/api/embed",
  summary: "Whether pages of the calling origin may use the elements",
  access: "public",
  query: noQuery,
  cache: "no-store",
  responses: { 200: json("Whether they may, and what is offered.", embedResponse) },
});

export const embedScript = contract({
  method: "GET",
  path: "/embed.js",
  summary: "The script that defines the elements for pages of other sites",
  access: "public",
  responses: { 200: content("text/javascript", "The script."), 304: notModified },
});

export const embedReferencePage = contract({
  method: "GET",
  path: "/embed",
  summary: "The reference of the elements",
  access: "public",
  responses: { 200: page() },
});

export const embedTryPage = contract({
  method: "GET",
  path: "/embed/try",
  summary: "A page to try the elements",
  access: "public",
  responses: { 200: page() },
});

export const embedManifest = contract({
  method: "GET",
  path: "/embed/custom-elements.json",
  summary: "The custom elements manifest",
  access: "public",
  responses: { 200: content("application/json", "The manifest, schema 1.0.0.") },
});

export const diagramFrame = contract({
  method: "GET",
  path: "/embed/diagrams",
  summary: "The page in whose frame diagrams are drawn",
  access: "public",
  responses: { 200: page("A page with one script.") },
});

export const embedSignInPage = contract({
  method: "GET",
  path: "/embed/sign-in",
  summary: "The sign-in window of a page of another site",
  access: "public",
  responses: { 200: page("What signing in there means."), 303: redirect("To signing in."), 403: page("That site is not allowed.") },
});
