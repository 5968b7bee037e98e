import { randomUUID } from "node:crypto";
import { type SpecialActor, specialActorNames } from "./actors.ts";
import type { Row } from "./row.ts";

type Answers = Row<SpecialActor>["answers"];
const anybody = (status = 200): Answers => Object.fromEntries(specialActorNames.map((who) => [who, status])) as Answers;
/** An assistant's access token, and nothing else: no cookie, no other token, and no page of another site whatever it has. */
const assistants = (status = 200): Answers => ({ ...anybody(401), assistant: status, embed: 403, foreign: 403, stolen: 403 });

const row = (answers: Answers, more: Omit<Row<SpecialActor>, "answers"> = {}): Row<SpecialActor> => ({ answers, ...more });
const listing = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
const speaking = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-11-25" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const nobodys = randomUUID();

/**
 * What the front door and the services answer that is no page and no part of the API, as `METHOD path`: the connector, the embedded identity
 * provider, the fonts of the front door's own pages. What is not in here fails the test.
 */
export const specialRoutes: Record<string, Row<SpecialActor>> = {
  "POST /mcp": row(assistants(), { headers: speaking, body: () => listing }),
  // There is nothing to be told unasked, and no session to be ended.
  "GET /mcp": row(assistants(405), { headers: speaking }),
  "DELETE /mcp": row(assistants(405), { headers: speaking }),
  "PUT /mcp": row(assistants(405), { headers: speaking }),
  "GET /.well-known/oauth-protected-resource": row(anybody()),
  "GET /.well-known/oauth-protected-resource/mcp": row(anybody()),

  "GET /.well-known/oauth-authorization-server/oidc": row(anybody()),
  "GET /.well-known/openid-configuration/oidc": row(anybody()),
  "GET /oidc/.well-known/oauth-authorization-server": row(anybody()),
  "GET /oidc/.well-known/openid-configuration": row(anybody()),
  "GET /oidc/jwks": row(anybody()),
  // Whoever wants something of the provider says who they are in the request itself: nothing else that is sent along counts.
  "GET /oidc/auth": row(anybody(400)),
  "GET /oidc/auth/:uid": row(anybody(400), { path: () => `/oidc/auth/${nobodys}` }),
  "GET /oidc/interaction/:uid": row(anybody(400), { path: () => `/oidc/interaction/${nobodys}` }),
  "POST /oidc/interaction/:uid": row(anybody(400), { path: () => `/oidc/interaction/${nobodys}` }),
  "POST /oidc/token": row(anybody(400), { headers: form }),
  "POST /oidc/token/revocation": row(anybody(400), { headers: form }),
  "POST /oidc/reg": row(anybody(400)),
  "POST /oidc/request": row(anybody(400), { headers: form }),
  // Not even an assistant's token, which was given for the connector alone.
  "GET /oidc/me": row(anybody(401)),
  "POST /oidc/me": row(anybody(401), { headers: form }),

  "GET /look/literata.woff2": row(anybody()),
  "GET /look/instrument-sans.woff2": row(anybody()),
};
