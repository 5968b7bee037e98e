import { commands } from "./command-routes.ts";
import type { DescribedRoute } from "./described.ts";
import { explainerCommands, explainerReads } from "./explainer-routes.ts";
import { pages } from "./page-routes.ts";
import { reads } from "./read-routes.ts";

/**
 * Every route of the program, by the service that answers it: the table the OpenAPI document is made of. Not in it are those that speak a
 * protocol of their own: the connector's (`/mcp`, `/.well-known/oauth-protected-resource`) and the embedded identity provider's (`/oidc`).
 */
export const routes: Readonly<Record<"query" | "command", readonly DescribedRoute[]>> = {
  query: [...reads, ...explainerReads, ...pages],
  command: [...commands, ...explainerCommands],
};

/** All of them, each with its own type. */
export type EveryRoute = (typeof reads | typeof explainerReads | typeof pages | typeof commands | typeof explainerCommands)[number];
