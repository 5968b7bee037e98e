import { route, sent, serve } from "@colloquy/infra/http/route.ts";
import type { Translator } from "@colloquy/messages/translator.ts";
import type { Account } from "@colloquy/schemas/accounts/account.ts";
import { openApiDocument } from "@colloquy/schemas/contracts/openapi.ts";
import { readOpenApi } from "@colloquy/schemas/contracts/operations.ts";
import { developersPage } from "@colloquy/schemas/contracts/pages.ts";
import type { BuiltUi } from "@colloquy/schemas/pages/built-ui.ts";
import type { Router } from "express";
import { readBuiltUi } from "./built-ui.ts";
import { siteHeader } from "./frame.ts";
import { type Html, html, withCode } from "./html.ts";
import { lookVary, sendPage, translatorOf } from "./look.ts";
import { htmlPage } from "./shell.ts";
import { boundsText, type Described, typeText } from "./type-text.ts";

interface Media {
  schema?: Described;
  example?: unknown;
}
type Content = Record<string, Media>;

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  security: Record<string, unknown>[];
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Described }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content }>;
}

type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Described> };
};

/** Chapters of the reference by the beginning of the path; the first match counts. */
const chapters: readonly [title: string, begins: RegExp][] = [
  ["Ask", /^\/api\/ai\/(ask|models|references)/],
  ["Tutoring and its ledger", /^\/api\/(ai\/tutor|tutor|review)/],
  ["Assistants", /^\/api\/ai\/assistants/],
  ["Videos", /^\/api\/visual-explainers/],
  ["Courses", /^\/api\/courses/],
  ["Editing courses", /^\/api\/course-editor/],
  ["A learner's own data", /^\/api\/(sync|conversations|annotations|account|me)/],
  ["Auditing", /^\/api\/audit/],
  ["Elements on other sites", /^\/(api\/embed|embed|auth\/embed)/],
  ["Signing in", /^\/(auth|sign-in)/],
  ["Operations", /^\/(healthz|readyz|metrics|api\/openapi)/],
  ["Pages", /^\//],
];

/** The API reference: the content of `/api/openapi.json` as a page. */
function apiPage(built: BuiltUi, { translator, account }: { translator: Translator; account: Account | null }): string {
  const { paths, components } = openApiDocument() as Document;
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const byChapter = Map.groupBy(all, ({ path }) => chapters.find(([, begins]) => begins.test(path))?.[0] ?? "Pages");
  const shown = chapters.flatMap(([title]) => {
    const routes = byChapter.get(title);
    return routes ? [{ title, id: anchorOf(title), routes }] : [];
  });
  return htmlPage(built, {
    translator,
    title: "API · Colloquy",
    description: "Every route of Colloquy with its request and responses.",
    bodyClass: "embed-page api-page",
    sheets: ["course", "embed-pages"],
    scripts: ["course"],
    body: html`${siteHeader(translator, account, developersPage.path)}
<main id="content" tabindex="-1" lang="en" dir="ltr"><header class="front-head"><h1>API</h1>
<p class="lede">Every route with its request and responses, from the same schemas that the service validates with.</p></header>
<p>Bodies are JSON with <code>schemaVersion: 1</code>; unknown fields are rejected. Every rejection is <code>application/problem+json</code> with a code of a closed list. Commands carry a <code>requestId</code> as idempotency key. For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Chapters"><ul class="elements">${shown.map(({ title, id, routes }) => html`<li><a href="#${id}">${title}</a> <span class="count">${routes.length}</span></li>`)}<li><a href="#types">Types</a></li></ul></nav>
${shown.map(({ title, id, routes }) => html`<section id="${id}" class="element"><h2>${title}</h2>${routes.map(routeOf)}</section>`)}
<section id="types" class="element"><h2>Types</h2>${Object.entries(components.schemas).map(
      ([name, schema]) => html`<details id="type-${name}"><summary><code>${name}</code></summary>${typeBlock(schema)}</details>`,
    )}</section>
</main>`,
  });
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, "-");

function routeOf({ method, path, operation }: { method: string; path: string; operation: Operation }): Html {
  const { operationId, summary, description, security, parameters, requestBody, responses } = operation;
  const body = requestBody && Object.entries(requestBody.content)[0];
  return html`<details id="${operationId}"><summary><code class="method">${method.toUpperCase()}</code> <code>${path}</code> <span>${summary}</span></summary>
<p class="access">${accessText(security)}${description && ` ${description}`}</p>
${parameters && parametersOf(parameters)}
${body && html`<h3>Body <code>${body[0]}</code></h3>${body[1].schema && typeBlock(body[1].schema)}${body[1].example !== undefined && html`<h3>Example</h3><pre tabindex="0"><code>${JSON.stringify(body[1].example, null, 2)}</code></pre>`}`}
<h3>Responses</h3><dl class="answers">${Object.entries(responses).map(([status, { description, content }]) => {
    const [media] = Object.entries(content ?? {});
    const schema = media?.[1].schema;
    return html`<dt><code>${status}</code></dt><dd>${withCode(description)}${media && html` <code>${media[0]}</code>`}${schema && !schema.$ref && typeBlock(schema)}</dd>`;
  })}</dl></details>`;
}

const accessNames: Readonly<Record<string, string>> = {
  session: "signed-in accounts (session cookie)",
  embedToken: "elements on an allowed site (bearer token)",
  metricsToken: "operators (bearer token)",
  workerToken: "render workers (bearer token)",
};

const accessText = (security: Operation["security"]): string =>
  security.length === 0
    ? "Public."
    : `For ${security
        .flatMap((way) => Object.keys(way))
        .map((way) => accessNames[way] ?? way)
        .join(", or ")}.`;

function parametersOf(parameters: NonNullable<Operation["parameters"]>): Html {
  return html`<h3>Parameters</h3><div class="rows" tabindex="0" role="region" aria-label="Parameters"><table><thead><tr><th scope="col">Name</th><th scope="col">In</th><th scope="col">Type</th><th scope="col"><span class="visually-hidden">Description</span></th></tr></thead>
<tbody>${parameters.map(({ name, in: where, required, description, schema }) => html`<tr><td><code>${name}</code></td><td>${where}</td><td><code>${typeText(schema)}</code></td><td>${[!required && "Optional.", description, boundsText(schema)].filter(Boolean).join(" ")}</td></tr>`)}</tbody></table></div>`;
}

const typeBlock = (schema: Described): Html => html`<pre tabindex="0"><code>${typeText(schema)}</code></pre>`;

/** `GET /developers`, the API reference for people. Needs the `session` middleware before it. */
export function apiPageRoutes(built: BuiltUi = readBuiltUi()): Router {
  return serve([
    route(developersPage, ({ account, request, response }) => {
      const page = apiPage(built, { translator: translatorOf(request), account });
      sendPage(response.set({ "cache-control": "private, no-cache", vary: lookVary }), page);
      return sent;
    }),
  ]);
}

/** `GET /api/openapi.json`; the document is built once. */
export function openApiRoutes(): Router {
  let text: string | undefined;
  return serve([
    route(readOpenApi, ({ response }) => {
      text ??= JSON.stringify(openApiDocument());
      response.type("application/json").send(text);
      return sent;
    }),
  ]);
}
