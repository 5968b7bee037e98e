import { createHash, randomUUID } from "node:crypto";
import { routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { exampleIds } from "@colloquy/schemas/contracts/example-ids.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import type { Actor } from "../authorisation/actors.ts";
import type { SampleData } from "../authorisation/sample-data.ts";
import { table } from "../authorisation/table.ts";
import type { FuzzActor } from "./actors.ts";
import type { Case } from "./cases.ts";

const film = "it is about a film, and none is made here";
const token = "it is only for who holds a token of a page that may embed, and none may here";
/** Routes that take nothing from anybody here, and why; every other one must take something. */
export const neverAccepted: Readonly<Record<string, string>> = {
  "GET /metrics": "nobody here has the operator's token",
  "GET /assets/*path": "the names of built files hold what is in them",
  "POST /api/ai/assistants": "no assistant was connected",
  "GET /embed/sign-in": token,
  "POST /auth/back-channel-logout": "it takes only what the identity provider signed, and none does here",
  "POST /auth/sessions/end": "it takes a session of the caller's own, and their ids are not asked for here",
  "POST /auth/embed": token,
  "POST /auth/embed/renew": token,
  "POST /api/embed/record": token,
  "GET /api/visual-explainers/jobs/:jobId": film,
  "GET /api/visual-explainers/jobs/:jobId/events": film,
  "GET /api/visual-explainers/jobs/:jobId/artifact": film,
  "PUT /api/visual-explainers/jobs/:jobId/storyboard": film,
  "POST /api/visual-explainers/jobs/:jobId/preview": film,
  "POST /api/visual-explainers/jobs/:jobId/render": film,
  "POST /api/visual-explainers/jobs/:jobId/retry": film,
  "POST /api/visual-explainers/jobs/:jobId/cancel": film,
  "POST /api/visual-explainers/jobs/:jobId/corrections": film,
  "POST /api/visual-explainers/jobs/:jobId/answer": film,
  "POST /api/visual-explainers/jobs/:jobId/offer": film,
  "POST /api/visual-explainers/jobs/:jobId/withdraw": film,
  "POST /api/visual-explainers/corrections/:correctionId/settle": film,
  "POST /api/visual-explainers/worker/jobs/:jobId/lease": film,
  "PUT /api/visual-explainers/worker/jobs/:jobId/artifacts/:kind": film,
  "POST /api/visual-explainers/worker/jobs/:jobId/complete": film,
  "POST /api/visual-explainers/worker/jobs/:jobId/fail": film,
};

const picture = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><rect width="4" height="4"/></svg>');
const pictureSha256 = createHash("sha256").update(picture).digest("hex");

/** What the table leaves out, since there it is about who may ask. */
const rest: Readonly<Record<string, (things: SampleData) => { path?: string; body?: object; bytes?: Buffer; type?: string }>> = {
  "POST /api/ai/tutor/turn": ({ sessionId, sessionVersion, courseRevisionId }) => ({
    body: { requestId: randomUUID(), sessionId, expectedVersion: sessionVersion, courseRevisionId, action: { type: "pause" } },
  }),
  "PUT /api/course-editor/assets/:sha256": ({ courseId }) => ({
    path: `/api/course-editor/assets/${pictureSha256}?course=${courseId}`,
    bytes: picture,
    type: "image/svg+xml",
  }),
};

/** Who of the people stands for an actor of the table. */
const actors: readonly [Actor, string][] = [
  ["learner", "learner with things"],
  ["visitor", "nobody"],
  ["owner", "owner"],
  ["auditor", "auditor"],
  ["worker", "worker"],
];

/** The request of a route as the table of who may, or the reference's examples, have it, by somebody it is for. */
export function validRequest(route: string, people: readonly FuzzActor[]): Case | null {
  const row = table[route];
  const things = people.find((person) => person.things)?.things;
  if (!row || !things) return null;
  const named = (name: string): FuzzActor | undefined => people.find((person) => person.name.startsWith(name));
  const able = actors.find(([actor]) => row.answers[actor] >= 200 && row.answers[actor] < 400)?.[1];
  const taken = actors.find(([actor]) => row.answers[actor] === 400 || row.answers[actor] === 409)?.[1];
  const ids: Record<string, unknown> = { ...things, requestId: randomUUID(), conversationId: randomUUID() };
  const example = Object.entries(exampleIds).reduce(
    (text, [name, id]) => text.replaceAll(id, String(ids[name] ?? id)),
    JSON.stringify(contracts.find((contract) => routeKey(contract) === route)?.example ?? null),
  );
  // What ends an account ends that of somebody who has nothing.
  const exemplary = people.find(({ examples }) => examples?.[route]);
  const person = exemplary ?? named(route.endsWith("/erase") ? "learner 1" : (able ?? taken ?? ""));
  if (!person) return null;
  const [method = "", path = ""] = route.split(" ", 2);
  const own = rest[route]?.(things) ?? {};
  const given = own.body ?? row.body?.(things);
  const body = given ? { schemaVersion: 1, ...given } : (person.examples?.[route] ?? JSON.parse(example));
  const bytes = own.bytes ?? (body ? Buffer.from(JSON.stringify(body)) : null);
  const type = own.type ?? "application/json";
  return {
    route,
    who: person.name,
    how: "as it should be",
    sent: {
      method,
      bytes,
      path: own.path ?? row.path?.(things) ?? path,
      transport: "whole",
      headers: {
        accept: "application/json, text/html",
        ...person.headers,
        ...row.headers,
        ...(bytes && { "content-type": type }),
      },
    },
  };
}
