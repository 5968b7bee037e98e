import { endSessionRequest, meResponse, sessionsResponse, signOutRequest, signOutResponse } from "../accounts/account.ts";
import { erasureRequest, erasureResponse } from "../accounts/erasure.ts";
import { bounds } from "../bounds.ts";
import { noQuery, readQuery } from "../payload.ts";
import { content, contract, json, page, perMinute, redirect } from "./contract.ts";
import { exampleIds } from "./example-ids.ts";

export const readMe = contract({
  method: "GET",
  path: "/api/me",
  summary: "The signed-in account, or null",
  access: "public",
  query: readQuery,
  responses: { 200: json("The account.", meResponse) },
});

export const downloadArchive = contract({
  method: "GET",
  path: "/api/account/archive",
  summary: "Download everything the account owns",
  access: "account",
  query: noQuery,
  limit: perMinute(bounds.archive.perMinute),
  concurrent: {
    most: bounds.archive.atOnce,
    refusal: "An archive of this account is already being written. Wait for it, or try again in a few seconds.",
  },
  cache: "private, no-store, no-transform",
  responses: { 200: content("application/zip", "A zip file.") },
});

export const eraseAccount = contract({
  method: "POST",
  path: "/api/account/erase",
  summary: "Delete everything the account owns",
  access: "account",
  security: "erasure",
  freshSignIn: true,
  query: noQuery,
  request: erasureRequest,
  limit: perMinute(bounds.erasure.requestsPerMinute),
  responses: { 200: json("What was deleted, and whether to send the same request again for the rest.", erasureResponse) },
  problems: ["read_model_behind"],
  example: { schemaVersion: 1, requestId: exampleIds.requestId, confirmed: true },
});

export const beginSignIn = contract({
  method: "GET",
  path: "/auth/login",
  summary: "Redirect to the identity provider",
  access: "public",
  responses: { 303: redirect("To the provider."), 503: page("Nobody can sign in now.") },
});

export const completeSignIn = contract({
  method: "GET",
  path: "/auth/callback",
  summary: "Return from the identity provider",
  access: "public",
  security: "sign-in",
  responses: { 303: redirect("Signed in, and back to where it began."), 400: page("The sign-in did not work.") },
});

export const signInToDemo = contract({
  method: "GET",
  path: "/auth/demo",
  summary: "Sign in as a demonstration account, in development only",
  access: "public",
  security: "sign-in",
  responses: { 303: redirect("Signed in.") },
  problems: ["cross_site"],
});

export const signOut = contract({
  method: "POST",
  path: "/auth/sign-out",
  summary: "Sign out",
  access: "public",
  security: "sign-out",
  auditorsMayWrite: true,
  query: noQuery,
  request: signOutRequest,
  responses: { 200: json("Where the browser goes next.", signOutResponse) },
});

export const readSessions = contract({
  method: "GET",
  path: "/auth/sessions",
  summary: "The browsers in which the account is signed in",
  access: "account",
  query: noQuery,
  responses: { 200: json("The open sessions.", sessionsResponse) },
});

export const endSession = contract({
  method: "POST",
  path: "/auth/sessions/end",
  summary: "Sign out one browser of the account",
  access: "account",
  security: "sign-out",
  auditorsMayWrite: true,
  query: noQuery,
  request: endSessionRequest,
  responses: { 200: json("The sessions that are still open.", sessionsResponse) },
  problems: ["not_found"],
  example: { schemaVersion: 1, sessionId: "session-0001" },
});

export const backChannelLogout = contract({
  method: "POST",
  path: "/auth/back-channel-logout",
  summary: "End sessions that ended at the identity provider (OpenID Connect Back-Channel Logout 1.0)",
  access: "public",
  security: "sign-out",
  auditorsMayWrite: true,
  bytes: "application/x-www-form-urlencoded",
  maxBytes: bounds.session.logoutTokenBytes,
  responses: { 200: { description: "The sessions have ended." } },
  problems: ["invalid_request"],
});
