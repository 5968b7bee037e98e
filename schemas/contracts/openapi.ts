import { z } from "zod";
import { bounds } from "../bounds.ts";
import { type ErrorCode, errorCodes, errorTitles } from "../errors.ts";
import { problem } from "../problem.ts";
import type { Contract, ContractResponse } from "./contract.ts";
import { contracts } from "./index.ts";

type Json = Record<string, unknown>;

/** What any JSON route may answer. */
const everywhere: readonly ErrorCode[] = ["unavailable", "rate_limited"];
const withQuery: readonly ErrorCode[] = ["invalid_request", "unknown_field"];
const withBody: readonly ErrorCode[] = [
  "invalid_request",
  "unknown_field",
  "unsupported_schema_version",
  "too_long",
  "too_many",
  "cross_site",
  "too_large",
  "json_required",
];

/** The OpenAPI 3.1 document of every contract; its schemas are JSON Schema 2020-12. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  schemas.Problem = jsonSchema(problem, "output", schemas);
  for (const route of contracts) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Colloquy",
      version: "1",
      summary: "A learning workspace that answers from your course and cites the exact passage.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: {
          type: "apiKey",
          in: "cookie",
          name: "colloquy",
          description: "The signed session cookie that signing in sets; its name contains the port where there is one.",
        },
        embedToken: {
          type: "http",
          scheme: "bearer",
          description: "A token of `POST /auth/embed`; valid only with the `Origin` it was made for, one of `EMBED_ORIGINS`.",
        },
        metricsToken: { type: "http", scheme: "bearer", description: "`METRICS_TOKEN`." },
        workerToken: { type: "http", scheme: "bearer", description: "`RENDER_WORKER_TOKEN`." },
      },
    },
  };
}

function operation(route: Contract, schemas: Json): Json {
  const { method, path, summary, access, embed, query, request, bytes, example, responses } = route;
  const security = {
    public: [],
    account: [{ session: [] }, ...(embed === "learner" ? [{ embedToken: [] }] : [])],
    auditor: [{ session: [] }],
    owner: [{ session: [] }],
    operator: [{ metricsToken: [] }],
    worker: [{ workerToken: [] }],
  }[access];
  const parameters = [...pathParameters(path), ...queryParameters(query, schemas)];
  const limits = limitsText(route);
  return {
    operationId: operationId(method, path),
    summary,
    ...(limits && { description: limits }),
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(request && {
      requestBody: {
        required: true,
        content: { "application/json": { schema: jsonSchema(request, "input", schemas), ...(example && { example }) } },
      },
    }),
    ...(bytes && { requestBody: { required: true, content: { [bytes]: {} } } }),
    responses: {
      ...problems(route),
      ...Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, response(one, schemas)])),
    },
  };
}

/** The limits of a route in words, or an empty text. */
function limitsText({ limit, concurrent, request, bytes, maxBytes = bounds.json.bodyBytes }: Contract): string {
  return [
    limit && `At most ${limit.points} ${limit.counts ? "searches" : "requests"} per account in ${limit.seconds} s.`,
    concurrent && `At most ${concurrent.most} at the same time per account.`,
    (request || bytes) && `The body has at most ${maxBytes} bytes.`,
  ]
    .filter(Boolean)
    .join(" ");
}

function response({ description, mediaType, schema }: ContractResponse, schemas: Json): Json {
  return {
    description,
    ...(mediaType && { content: { [mediaType]: schema ? { schema: jsonSchema(schema, "output", schemas) } : {} } }),
  };
}

/** One response for each status of the route's problems; its description names the codes. */
function problems(route: Contract): Json {
  const { method, access, query, request, bytes, header, limit, concurrent, freshSignIn, problems: own = [] } = route;
  const isJson = query !== undefined || request !== undefined;
  const codes = new Set<ErrorCode>([
    ...own,
    ...(isJson ? everywhere : []),
    ...(limit || concurrent ? (["rate_limited"] as const) : []),
    ...(query ? withQuery : []),
    ...(request ? withBody : []),
    ...(bytes ? (["too_large"] as const) : []),
    ...(header ? (["not_allowed"] as const) : []),
    ...(["account", "auditor", "owner", "worker"].includes(access) ? (["sign_in_required"] as const) : []),
    ...(freshSignIn ? (["sign_in_again"] as const) : []),
    ...(access === "owner" ? (["not_owner"] as const) : []),
    ...(access === "auditor" ? (["not_allowed", "cross_site"] as const) : []),
    // Accounts that are only auditors change nothing.
    ...(access === "account" && method !== "GET" ? (["not_allowed"] as const) : []),
  ]);
  const byStatus = Map.groupBy([...codes], (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\`: ${errorTitles[code]}`).join(" "),
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    ]),
  );
}

/** `/courses/:courseId/*slugs` as `/courses/{courseId}/{slugs}`. */
export const openApiPath = (path: string): string => path.replaceAll(/[:*](\w+)/g, "{$1}");

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/([:*])(\w+)/g)].map(([, kind, name]) => ({
    name,
    in: "path",
    required: true,
    ...(kind === "*" && { description: "One segment or more, parted by `/`." }),
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined, schemas: Json): Json[] {
  if (!query) return [];
  const { properties = {}, required = [] } = jsonSchema(query, "input", schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    ...(name === "after" && { description: "A commit position or cursor, decimal." }),
    schema,
  }));
}

const operationId = (method: string, path: string): string =>
  [method.toLowerCase(), ...path.split(/[^A-Za-z0-9]+/).filter(Boolean)]
    .map((word, index) => (index ? word[0]?.toUpperCase() + word.slice(1) : word))
    .join("");

/** A schema of ours as JSON Schema. What has a name of its own (`meta`) goes to the document's components. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { $schema: _, $defs = {}, ...made } = z.toJSONSchema(schema, { io, reused: "inline" }) as Json;
  for (const [name, definition] of Object.entries($defs as Json)) components[name] = atComponents(definition);
  return atComponents(made) as Json;
}

const atComponents = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
