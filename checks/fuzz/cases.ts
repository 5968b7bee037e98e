import { bounds } from "@colloquy/schemas/bounds.ts";
import { type Contract, routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import fc from "fast-check";
import { z } from "zod";
import type { SampleData } from "../authorisation/sample-data.ts";
import { table } from "../authorisation/table.ts";
import type { FuzzActor } from "./actors.ts";
import { type Body, bodies } from "./mutate.ts";
import type { Sent, Transport } from "./send.ts";
import { type JsonSchema, type KnownValues, unicodeEdgeCases, valuesOf } from "./values.ts";

/** One request and a description of its mutations. */
export interface Case {
  route: string;
  who: string;
  how: string;
  sent: Sent;
}

interface Schemas {
  query: JsonSchema | undefined;
  body: JsonSchema | undefined;
}

type FuzzedRoute = Contract & { route: string };

/** Every route of the services, as `METHOD path`, with those last that end what the others need. */
export const fuzzedRoutes: readonly FuzzedRoute[] = contracts
  .map((contract) => ({ ...contract, route: routeKey(contract) }))
  .toSorted((one, other) => Number(one.path === "/auth/sign-out") - Number(other.path === "/auth/sign-out"));

const oddSegments = [
  "%00",
  "%ff%fe",
  "%c3%28",
  "..%2f..%2fetc%2fpasswd",
  "%2e%2e",
  "__proto__",
  "constructor",
  "%F0%9F%92%A9",
  "%E2%80%AE",
  "null",
  "-1",
  "*",
  "x".repeat(2_000),
  "%",
  "%zz",
  "a%0d%0aset-cookie:%20x=1",
  "%5c..%5c",
  "1e999",
  "'",
  "%3Cscript%3E",
  ".",
];

/** Requests of one route, by somebody of `people`, valid and not. */
export function casesOf(described: FuzzedRoute, people: readonly FuzzActor[]): fc.Arbitrary<Case> {
  const schemas: Schemas = {
    query: described.query && (z.toJSONSchema(described.query, { io: "input" }) as JsonSchema),
    body: described.request && (z.toJSONSchema(described.request, { io: "input" }) as JsonSchema),
  };
  return whoAsks(described, people).chain((person) => {
    const known = knownOf(person.things);
    return fc
      .record({
        path: pathsOf(described, person.things),
        query: queriesOf(schemas.query, known),
        body: bodyOf(described, schemas.body, known, person),
        headers: fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: oddHeaders }),
        transport: transports,
      })
      .map(({ path, query, body, headers, transport }) => ({
        route: described.route,
        who: person.name,
        how: [body?.how, transport !== "whole" && transport, Object.keys(headers).join(" ")].filter(Boolean).join("; "),
        sent: {
          method: described.method,
          path: path + query,
          headers: {
            accept: "application/json, text/html",
            ...person.headers,
            ...table[described.route]?.headers,
            ...body?.headers,
            ...headers,
          },
          bytes: body?.bytes ?? null,
          transport,
        },
      }));
  });
}

const knownOf = (things: SampleData | null): KnownValues =>
  things
    ? {
        ...Object.fromEntries(Object.entries(things).map(([name, value]) => [name, [value]])),
        after: ["0"],
        origin: ["https://elsewhere.example"],
        zone: ["Asia/Tokyo", "America/New_York"],
        endpoint: ["https://push.example/send/2"],
        course: [things.courseId],
        entityId: [things.conversationId],
        expectedVersion: [things.sessionVersion],
        href: [things.topic],
      }
    : { after: ["0"], courseId: ["linear-maps"], course: ["linear-maps"] };

function pathsOf({ route, path }: FuzzedRoute, things: SampleData | null): fc.Arbitrary<string> {
  const segment = fc.oneof(
    fc.constantFrom(...oddSegments),
    fc.uuid(),
    unicodeEdgeCases.map((text) => encodeURIComponent(text.toWellFormed()) || "x"),
  );
  const parts = path.split("/").slice(1);
  const odd = fc.tuple(...parts.map((part) => (/^[:*]/.test(part) ? segment : fc.constant(part)))).map((made) => `/${made.join("/")}`);
  const ofTable = table[route]?.path;
  const real = fc.constant(things && ofTable ? (ofTable(things).split("?", 1)[0] ?? path) : path.replaceAll(/[:*]\w+/g, "linear-maps"));
  return /[:*]/.test(path) ? fc.oneof({ weight: 2, arbitrary: real }, { weight: 1, arbitrary: odd }) : real;
}

function queriesOf(schema: JsonSchema | undefined, known: KnownValues): fc.Arbitrary<string> {
  const value = fc.oneof(
    unicodeEdgeCases,
    fc.nat().map(String),
    fc.constantFrom("", "1e999", "-1", "999999999999999999999999", "x".repeat(4_000)),
  );
  const text = (fields: Record<string, unknown>): string => {
    const pairs = Object.entries(fields).filter(([, field]) => field !== undefined);
    return pairs.length ? `?${pairs.map(([name, field]) => `${encode(name)}=${encode(String(field))}`).join("&")}` : "";
  };
  const odd = fc.dictionary(
    fc.oneof(fc.constantFrom("after", "q", "course", "limit", "kind", "__proto__", "a[b]", "a[]"), unicodeEdgeCases),
    value,
    {
      maxKeys: 3,
    },
  );
  if (!schema) return fc.oneof({ weight: 3, arbitrary: fc.constant("") }, { weight: 1, arbitrary: odd.map(text) });
  const names = Object.keys(schema.properties ?? {});
  const valid = valuesOf(schema, known) as fc.Arbitrary<Record<string, unknown>>;
  const spoiled = fc
    .tuple(valid, names.length ? fc.constantFrom(...names) : fc.constant("unheardOf"), value)
    .map(([fields, name, other]) => ({
      ...fields,
      [name]: other,
    }));
  const twice = valid.map((fields) => text(fields) + text(fields).replace("?", "&"));
  return fc.oneof(
    { weight: 4, arbitrary: valid.map(text) },
    { weight: 2, arbitrary: spoiled.map(text) },
    { weight: 1, arbitrary: fc.oneof(odd.map(text), twice, fc.constantFrom("?%", "?%ff=%ff", "?=", "?&&&", "?a=1;b=2")) },
  );
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function bodyOf(
  { route, bytes, method }: FuzzedRoute,
  schema: JsonSchema | undefined,
  known: KnownValues,
  { things, examples }: FuzzActor,
): fc.Arbitrary<Body | null> {
  if (bytes)
    return fc
      .oneof(
        { weight: 8, arbitrary: fc.uint8Array({ maxLength: 4_000 }).map((some) => Buffer.from(some)) },
        { weight: 1, arbitrary: fc.constantFrom(huge, huge.subarray(1), Buffer.alloc(0)) },
      )
      .map((made) => ({
        bytes: made,
        headers: { "content-type": bytes.replace("*/*", "application/octet-stream") },
        how: `${made.length} bytes`,
      }));
  if (!schema) return method === "GET" ? fc.constant(null) : fc.oneof(fc.constant(null), bodies(fc.constant({ schemaVersion: 1 })));
  const made = valuesOf(schema, known);
  const ofTable = table[route]?.body;
  const example = examples?.[route] ?? (things && ofTable && { schemaVersion: 1, ...ofTable(things) });
  return bodies(example ? fc.oneof(made, fc.constant(example)) : made);
}

/** One byte more than any picture may have. */
const huge = Buffer.alloc(bounds.course.assetBytes + 1);

/** Any actor; those whom the route is for more often. */
function whoAsks({ access }: FuzzedRoute, people: readonly FuzzActor[]): fc.Arbitrary<FuzzActor> {
  const meant = people.filter(({ name }) => name.startsWith(access));
  const anybody = fc.constantFrom(...people);
  return meant.length ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...meant) }, { weight: 1, arbitrary: anybody }) : anybody;
}

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom<Record<string, string>>(
  { accept: "text/event-stream" },
  { accept: "application/x-ndjson" },
  { accept: "*/*;q=nonsense" },
  { "accept-language": "zz-ZZ,;q=9,ar-x-y,".repeat(50) },
  { "if-none-match": 'W/"\u00ff", *,' },
  { "if-modified-since": "the day before yesterday" },
  { range: "bytes=5-2,-0,9999999999999999999-" },
  { range: "lines=1-2" },
  { "if-range": '"x' },
  { "last-event-id": "999999999999999999999999" },
  { "last-event-id": "-1;drop" },
  { cookie: `colloquy=${"x".repeat(3_000)}; =; a==b; %` },
  { authorization: "Bearer " },
  { authorization: `Basic ${"A".repeat(3_000)}` },
  { origin: "null" },
  { origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "nonsense" },
  { "x-request-id": "../../x ".repeat(40) },
  { "x-course-publish": "0" },
  { "x-forwarded-for": "1.2.3.4, ".repeat(100) },
  { "x-forwarded-proto": "gopher" },
  { "x-http-method-override": "DELETE" },
  { expect: "100-continue" },
  { te: "trailers" },
);

const transports: fc.Arbitrary<Transport> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Transport>("whole") },
  { weight: 3, arbitrary: fc.constant<Transport>("in chunks") },
  { weight: 1, arbitrary: fc.constantFrom<Transport>("slowly", "broken off", "hung up") },
);
