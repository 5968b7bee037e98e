/** What pages, the service and the browser's own worker agree on for reading without a connection. Free of any import. */

/** Where the worker's script is. At the root, because a worker answers for what lies below its address. */
export const workerPath = "/worker.js";
/** The page shown instead of one this browser has not kept. */
export const offlinePath = "/offline";
/** A response says by it that a browser may keep it to read offline, and for whom: an account's id, or `nobody`. Without it nothing is kept. */
export const keepForHeader = "x-colloquy-keep-for";
export const keptForNobody = "nobody";
/** The build a shell belongs to, so that a worker never keeps one of another build beside its own files. */
export const buildHeader = "x-colloquy-build";

/** What a page tells the worker: to take away what was read, or to answer for this page, too. */
export type WorkerMessage = "forget" | "answer for me";

export const shellPaths: readonly string[] = ["/ai", "/settings", "/review", offlinePath];

/** How a request is answered where a worker stands between a page and the service. */
export type OfflineRoute =
  /** The workspace, review, and what is said instead of other pages. */
  | "shell"
  /** A page to read. */
  | "page"
  /** A file of a build, which never changes under its name. */
  | "asset"
  /** A picture of a course, which never changes either. */
  | "picture"
  /** A page that is never kept. */
  | "unkept"
  /** Left to the browser, as if there were no worker. */
  | null;

/**
 * Which way a request goes.
 * @param navigates whether the browser is on its way to a page
 * @param accept what the request says it takes
 */
export function offlineRoute({ path, navigates, accept }: { path: string; navigates: boolean; accept: string }): OfflineRoute {
  if (/^\/api\/courses\/[^/]+\/assets\/[^/]+$/.test(path)) return "picture";
  if (/^\/(?:api|auth|oidc|mcp|embed)(?:\/|$)/.test(path)) return null;
  if (path.startsWith("/assets/") || path === "/icon.svg") return "asset";
  if (navigates && shellPaths.includes(path)) return "shell";
  if (!navigates && !accept.includes("text/html")) return null;
  if (path === "/" || path === "/courses" || path.startsWith("/courses/")) return "page";
  return navigates ? "unkept" : null;
}
