import { z } from "zod";
import { embedRouteOf } from "../embed/embed.ts";
import { type ErrorCode, errorCodes } from "../errors.ts";
import { problem } from "../problem.ts";
import type { DescribedRoute } from "./described.ts";
import { requestExamples } from "./examples.ts";
import { routes } from "./routes.ts";

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
] as ErrorCode[];

/** The OpenAPI 3.1 document of every route in `routes.ts`; its schemas are JSON Schema 2020-12, made from ours. */
export function openApiDocument(): Json {
  const paths: Record<string, Json> = {};
  const schemas: Json = {};
  schemas.Problem = jsonSchema(problem, "output", schemas);
  for (const route of [...routes.query, ...routes.command]) {
    const path = openApiPath(route.path);
    paths[path] = { ...paths[path], [route.method]: operation(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Colloquy",
      version: "1",
      summary: "A learning workspace whose every answer stands on a course's own text.",
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
          description: "The signed session cookie that signing in sets; its name carries the port where there is one.",
        },
        embedToken: {
          type: "http",
          scheme: "bearer",
          description: "A token of `POST /auth/embed`; counts only with the `Origin` it was made for, one of `EMBED_ORIGINS`.",
        },
        metricsToken: { type: "http", scheme: "bearer", description: "`METRICS_TOKEN`." },
        workerToken: { type: "http", scheme: "bearer", description: "`RENDER_WORKER_TOKEN`." },
      },
    },
  };
}

function operation(route: DescribedRoute, schemas: Json): Json {
  const { method, path, summary, access, query, body, bytes, answers } = route;
  const embed = embedRouteOf(method.toUpperCase(), path)?.token ? [{ embedToken: [] }] : [];
  const security = {
    public: [],
    account: [{ session: [] }, ...embed],
    auditor: [{ session: [] }],
    owner: [{ session: [] }],
    operator: [{ metricsToken: [] }],
    worker: [{ workerToken: [] }],
  }[access];
  const parameters = [...pathParameters(path), ...queryParameters(query, schemas)];
  return {
    operationId: operationId(method, path),
    summary,
    security,
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { "application/json": bodyOf(route, body, schemas) } } }),
    ...(bytes && { requestBody: { required: true, content: { [bytes]: {} } } }),
    responses: {
      ...problems(route),
      ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, response(answer, schemas)])),
    },
  };
}

function bodyOf({ method, path }: DescribedRoute, body: z.ZodType, schemas: Json): Json {
  const example = requestExamples[`${method.toUpperCase()} ${path}`];
  return { schema: jsonSchema(body, "input", schemas), ...(example && { example }) };
}

function response({ about, type, schema }: DescribedRoute["answers"][number], schemas: Json): Json {
  const media = type ?? (schema && "application/json");
  return { description: about, ...(media && { content: { [media]: schema ? { schema: jsonSchema(schema, "output", schemas) } : {} } }) };
}

/** One response for each status a route's errors have; which codes it may carry is said in words. */
function problems({ method, access, query, body, errors = [] }: DescribedRoute): Json {
  const isJson = query !== undefined || body !== undefined;
  const codes = new Set<ErrorCode>([
    ...errors,
    ...(isJson ? everywhere : []),
    ...(query ? withQuery : []),
    ...(body ? withBody : []),
    ...(["account", "auditor", "owner", "worker"].includes(access) ? (["sign_in_required"] as const) : []),
    ...(access === "owner" ? (["not_owner", "course_not_editable"] as const) : []),
    // Auditors read, and who only reads is refused where something changes.
    ...(access === "auditor" || (access === "account" && method !== "get") ? (["not_allowed"] as const) : []),
  ]);
  const byStatus = Map.groupBy([...codes], (code) => errorCodes[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.map((code) => `\`${code}\`: ${errorCodes[code].title}`).join(" "),
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
  [method, ...path.split(/[^A-Za-z0-9]+/).filter(Boolean)]
    .map((word, index) => (index ? word[0]?.toUpperCase() + word.slice(1) : word))
    .join("");

/** A schema of ours as JSON Schema. What has a name of its own (`meta`) goes to the document's components. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", components: Json): Json {
  const { $schema: _, $defs = {}, ...made } = z.toJSONSchema(schema, { io, reused: "inline" }) as Json;
  for (const [name, definition] of Object.entries($defs as Json)) components[name] = atComponents(definition);
  return atComponents(made) as Json;
}

const atComponents = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
