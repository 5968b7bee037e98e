import { z } from "zod";
import { type Language, languageNames, sourceLanguage } from "../languages.ts";
import { offlinePath, workerPath } from "../pages/offline.ts";
import { content, contract, notModified, page, redirect } from "./contract.ts";

export const frontPage = contract({
  method: "GET",
  path: "/",
  summary: "The front page",
  access: "public",
  responses: { 200: page(), 304: notModified },
});

export const workspacePage = contract({
  method: "GET",
  path: "/ai",
  summary: "The workspace",
  access: "public",
  responses: { 200: page() },
});

export const settingsPage = contract({
  method: "GET",
  path: "/settings",
  summary: "The settings of an account",
  access: "public",
  responses: { 200: page() },
});

export const reviewPage = contract({
  method: "GET",
  path: "/review",
  summary: "The review page",
  access: "public",
  responses: { 200: page() },
});

export const auditPage = contract({
  method: "GET",
  path: "/audit",
  summary: "Search and replay of tutoring sessions, for auditors",
  access: "public",
  responses: { 200: page(), 303: redirect("Nobody is signed in."), 403: page("The account is not an auditor.") },
});

export const signInPage = contract({
  method: "GET",
  path: "/sign-in",
  summary: "Ways to sign in",
  access: "public",
  responses: { 200: page(), 303: redirect("Signed in already.") },
});

export const chooseLanguage = contract({
  method: "GET",
  path: "/language",
  summary: "Choose the language of the pages and go back",
  access: "public",
  responses: {
    303: redirect("To the page that was asked for, or the front page."),
    400: { description: "There is no such language." },
    403: { description: "Another site asked." },
  },
});

export const cataloguePage = contract({
  method: "GET",
  path: "/courses",
  summary: "The catalogue",
  access: "public",
  responses: { 200: page(), 304: notModified },
});

export const coursePage = contract({
  method: "GET",
  path: "/courses/:courseId",
  summary: "The front page of a course",
  access: "public",
  responses: { 200: page(), 304: notModified, 404: page("There is no such course.") },
});

export const topicPage = contract({
  method: "GET",
  path: "/courses/:courseId/*slugs",
  summary: "A collection or topic to read",
  access: "public",
  responses: {
    200: page(),
    304: notModified,
    308: redirect("It has moved."),
    404: page("There is no such page; similar ones are named."),
  },
});

export const builtFile = contract({
  method: "GET",
  path: "/assets/*path",
  summary: "A file of the built interface",
  access: "public",
  responses: { 200: content("*/*", "The file, which never changes under its name."), 304: notModified },
  problems: ["not_found"],
});

export const developersPage = contract({
  method: "GET",
  path: "/developers",
  summary: "The API reference",
  access: "public",
  responses: { 200: page() },
});

export const offlinePage = contract({
  method: "GET",
  path: offlinePath,
  summary: "Shown instead of a page that is not available offline",
  access: "public",
  responses: { 200: page() },
});

export const offlineWorker = contract({
  method: "GET",
  path: workerPath,
  summary: "The service worker for reading offline",
  access: "public",
  responses: {
    200: content("text/javascript", "The script; where reading offline is turned off, one that deletes what was stored."),
    304: notModified,
  },
});

export const icon = contract({
  method: "GET",
  path: "/icon.svg",
  summary: "The icon",
  access: "public",
  responses: { 200: content("image/svg+xml", "The drawing.") },
});

export const appManifest = contract({
  method: "GET",
  path: "/app.webmanifest",
  summary: "The manifest for installing the site as an app",
  access: "public",
  query: z.object({ language: z.enum(languageNames as [Language, ...Language[]]).default(sourceLanguage) }),
  cache: "public, max-age=3600",
  responses: { 200: content("application/manifest+json", "The manifest."), 304: notModified },
});

export const appIcon = contract({
  method: "GET",
  path: "/icons/:name",
  summary: "An icon of the installed app",
  access: "public",
  responses: { 200: content("image/png", "The picture."), 304: notModified },
  problems: ["not_found"],
});
