import { embedResponse } from "../embed/embed.ts";
import { offlinePath, workerPath } from "../pages/offline.ts";
import { noQuery } from "../payload.ts";
import { described, moved, notModified, page } from "./described.ts";

/** Pages, their files, and what pages of other sites take. */
export const pages = described([
  { method: "get", path: "/", summary: "The front page", access: "public", answers: { 200: page("The page."), 304: notModified } },
  { method: "get", path: "/ai", summary: "The workspace", access: "public", answers: { 200: page("The page.") } },
  {
    method: "get",
    path: "/review",
    summary: "The page for reviewing",
    access: "public",
    answers: { 200: page("The page."), 303: moved("Nobody is signed in.") },
  },
  {
    method: "get",
    path: "/audit",
    summary: "Search and replay of tutoring sessions, for auditors",
    access: "public",
    answers: { 200: page("The page."), 303: moved("Nobody is signed in."), 403: page("The account is no auditor's.") },
  },
  {
    method: "get",
    path: "/sign-in",
    summary: "Ways to sign in",
    access: "public",
    answers: { 200: page("The page."), 303: moved("Signed in already.") },
  },
  {
    method: "get",
    path: "/language",
    summary: "Chooses the pages' language for a visitor and leads back",
    access: "public",
    answers: {
      303: moved("To the page asked for, or the front page."),
      400: { about: "No such language." },
      403: { about: "Another site asked." },
    },
  },
  { method: "get", path: "/courses", summary: "The catalogue", access: "public", answers: { 200: page("The page."), 304: notModified } },
  {
    method: "get",
    path: "/courses/:courseId",
    summary: "The front of a course",
    access: "public",
    answers: { 200: page("The page."), 304: notModified, 404: page("There is no such course.") },
  },
  {
    method: "get",
    path: "/courses/:courseId/*slugs",
    summary: "A collection or topic to read",
    access: "public",
    answers: {
      200: page("The page."),
      304: notModified,
      308: moved("It has moved."),
      404: page("There is no such page; the nearest are named."),
    },
  },
  {
    method: "get",
    path: "/assets/*path",
    summary: "A file of the built interface",
    access: "public",
    answers: { 200: { about: "The file; it never changes under its name.", type: "*/*" }, 304: notModified },
    errors: ["not_found"],
  },
  {
    method: "get",
    path: "/api/embed",
    summary: "Whether pages of the asking origin may hold elements",
    access: "public",
    query: noQuery,
    answers: { 200: { about: "Whether they may.", schema: embedResponse } },
  },
  {
    method: "get",
    path: "/embed.js",
    summary: "The script that names the elements for pages of other sites",
    access: "public",
    answers: { 200: { about: "The script.", type: "text/javascript" }, 304: notModified },
  },
  { method: "get", path: "/embed", summary: "The reference of the elements", access: "public", answers: { 200: page("The page.") } },
  { method: "get", path: "/developers", summary: "Every route, for reading", access: "public", answers: { 200: page("The page.") } },
  { method: "get", path: "/embed/try", summary: "The elements, for trying", access: "public", answers: { 200: page("The page.") } },
  {
    method: "get",
    path: "/embed/custom-elements.json",
    summary: "The custom-elements manifest",
    access: "public",
    answers: { 200: { about: "The manifest, schema 1.0.0.", type: "application/json" } },
  },
  {
    method: "get",
    path: "/embed/diagrams",
    summary: "The page in a frame in which diagrams are drawn",
    access: "public",
    answers: { 200: page("The page: a script and nothing else.") },
  },
  {
    method: "get",
    path: "/embed/sign-in",
    summary: "The sign-in window of a page of another site",
    access: "public",
    answers: { 200: page("What signing in there means."), 303: moved("To signing in."), 403: page("That site is not allowed.") },
  },
  {
    method: "get",
    path: offlinePath,
    summary: "What a browser shows instead of a page it has not kept",
    access: "public",
    answers: { 200: page("The page.") },
  },
  {
    method: "get",
    path: workerPath,
    summary: "The service worker with which browsers read offline",
    access: "public",
    answers: {
      200: { about: "The script; where reading offline is turned off, one that takes away what was kept.", type: "text/javascript" },
      304: notModified,
    },
  },
  {
    method: "get",
    path: "/icon.svg",
    summary: "The brand",
    access: "public",
    answers: { 200: { about: "The drawing.", type: "image/svg+xml" } },
  },
]);
