import { randomUUID } from "node:crypto";
import { type Actor, actorNames } from "./actors.ts";
import type { Things } from "./things.ts";

/** A route as it is asked in the table, and the status each actor gets. */
export interface Row {
  /** The address with real ids in it; the route's own path where there are none. */
  path?: (things: Things) => string;
  /** A body that would be carried out; without one an empty object is sent, which who may ask is told is not valid (400). */
  body?: (things: Things) => object;
  headers?: Record<string, string>;
  answers: Record<Actor, number>;
}

type Answers = Row["answers"];
const everybody = (status: number): Answers => Object.fromEntries(actorNames.map((actor) => [actor, status])) as Answers;
/** Reading what anybody may. */
const anybody = (status = 200): Answers => everybody(status);
/** Reading what is the reader's own, whoever it is. */
const signedIn = (status = 200): Answers => ({ ...everybody(status), visitor: 401, worker: 401, foreign: 401 });
/** Reading one thing of the learner's: for everybody else it is not there. */
const theLearners = (status = 200): Answers => ({ ...signedIn(404), learner: status });
/** Reading what only auditors may. */
const auditors = (status = 200): Answers => ({ ...signedIn(403), auditor: status });
/** Reading what only owners of courses may. */
const owners = (status = 200): Answers => ({ ...signedIn(403), owner: status });
/** Writing: another site's pages are refused before anything else, and auditors write nothing. */
const writing = (answers: Answers): Answers => ({ ...answers, foreign: 403, auditor: 403 });

/** What only workers do: no session counts. */
const workers = (): Answers => ({ ...everybody(401), worker: 400, foreign: 403 });

const films = "/api/visual-explainers";
/** The id of a film that is nobody's. */
const noJob = randomUUID();
const about = (what: string, body: object): Omit<Row, "answers"> => ({
  path: () => `${films}/jobs/${noJob}/${what}`,
  body: () => ({ requestId: randomUUID(), ...body }),
});

const course = ({ courseId }: Things): string => courseId;
const model = { choice: "automatic" };
const row = (answers: Answers, more: Omit<Row, "answers"> = {}): Row => ({ answers, ...more });

/** Every route of the services, as `METHOD path`. A route that is not in here fails the test. */
export const table: Record<string, Row> = {
  "GET /healthz": row(anybody()),
  "GET /readyz": row(anybody()),
  "GET /metrics": row(anybody(404)),
  "GET /api/openapi.json": row(anybody()),
  "GET /api/me": row(anybody()),
  "GET /api/conversations": row(signedIn()),
  "GET /api/conversations/:conversationId": row(theLearners(), { path: ({ conversationId }) => `/api/conversations/${conversationId}` }),
  "GET /api/account/archive": row(signedIn()),
  "GET /api/annotations": row(signedIn()),
  "GET /api/sync/pull": row(signedIn()),
  "GET /api/sync/stream": row(signedIn()),
  "GET /api/courses": row(anybody()),
  "GET /api/courses/source": row(anybody(), { path: ({ topic }) => `/api/courses/source?href=${encodeURIComponent(topic)}` }),
  "GET /api/courses/:courseId/revision": row(anybody(), { path: (things) => `/api/courses/${course(things)}/revision` }),
  "GET /api/courses/:courseId/identity": row(anybody(), { path: (things) => `/api/courses/${course(things)}/identity` }),
  "GET /api/courses/:courseId": row(anybody(), { path: (things) => `/api/courses/${course(things)}` }),
  "GET /api/courses/:courseId/assets/:sha256": row(anybody(), {
    path: ({ courseId, assetSha256 }) => `/api/courses/${courseId}/assets/${assetSha256}`,
  }),
  "GET /api/ai/references": row(anybody(), { path: () => "/api/ai/references?q=map" }),
  "GET /api/review": row(signedIn()),
  "GET /api/tutor/sessions": row(signedIn()),
  "GET /api/tutor/sessions/:sessionId": row(theLearners(), { path: ({ sessionId }) => `/api/tutor/sessions/${sessionId}` }),
  "GET /api/tutor/sessions/:sessionId/ledger": row(theLearners(), { path: ({ sessionId }) => `/api/tutor/sessions/${sessionId}/ledger` }),
  "GET /api/tutor/ledger-keys": row(anybody()),
  "GET /api/audit/sessions": row(auditors()),
  "GET /api/audit/sessions/:sessionId": row(auditors(), { path: ({ sessionId }) => `/api/audit/sessions/${sessionId}` }),
  "GET /api/audit/sessions/:sessionId/ledger": row(auditors(), { path: ({ sessionId }) => `/api/audit/sessions/${sessionId}/ledger` }),
  "GET /api/visual-explainers/offer": row(signedIn(), { path: (things) => `${films}/offer?courseId=${course(things)}` }),
  "GET /api/visual-explainers/jobs": row(signedIn()),
  "GET /api/visual-explainers/corrections": row(owners(), { path: (things) => `${films}/corrections?courseId=${course(things)}` }),
  "GET /api/visual-explainers/jobs/:jobId": row(signedIn(404)),
  "GET /api/visual-explainers/jobs/:jobId/events": row(signedIn(404)),
  "GET /api/visual-explainers/jobs/:jobId/artifact": row(signedIn(404), { path: () => `${films}/jobs/${noJob}/artifact?kind=video` }),
  "GET /": row(anybody()),
  "GET /ai": row(anybody()),
  "GET /review": row(anybody()),
  "GET /audit": row({ ...everybody(403), visitor: 303, worker: 303, foreign: 303, auditor: 200 }),
  "GET /sign-in": row({ ...everybody(303), visitor: 200, worker: 200, foreign: 200 }),
  "GET /language": row({ ...anybody(303), foreign: 403 }, { path: () => "/language?to=de&return=/" }),
  "GET /courses": row(anybody()),
  "GET /courses/:courseId": row(anybody(), { path: (things) => `/courses/${course(things)}` }),
  "GET /courses/:courseId/*slugs": row(anybody(), { path: ({ topic }) => topic }),
  "GET /assets/*path": row(anybody(404), { path: () => "/assets/nothing.js" }),
  "GET /api/embed": row(anybody()),
  "GET /embed.js": row(anybody()),
  "GET /embed": row(anybody()),
  "GET /embed/try": row(anybody()),
  "GET /developers": row(anybody()),
  "GET /embed/custom-elements.json": row(anybody()),
  "GET /embed/diagrams": row(anybody()),
  // Only for origins that may embed, and none may here.
  "GET /embed/sign-in": row(anybody(403)),
  "GET /offline": row(anybody()),
  "GET /worker.js": row(anybody()),
  "GET /icon.svg": row(anybody()),

  "GET /auth/login": row(anybody(303)),
  // Nobody is on the way in; who is signed in already is sent on.
  "GET /auth/callback": row({ ...everybody(303), visitor: 400, worker: 400, foreign: 400 }),
  "GET /auth/demo": row({ ...anybody(303), foreign: 403 }, { path: () => "/auth/demo?as=learner&return=/" }),
  "POST /api/account/erase": row(writing(signedIn(400))),
  "POST /auth/embed": row(writing(signedIn(400))),
  "POST /auth/embed/renew": row(writing(signedIn(403))),
  "GET /api/ai/models": row(anybody()),
  "POST /api/ai/ask": row(writing(signedIn(400))),
  "GET /api/ai/ask/:requestId": row(theLearners(), { path: ({ requestId }) => `/api/ai/ask/${requestId}?after=0` }),
  "DELETE /api/ai/ask/:requestId": row(writing(signedIn()), { path: () => `/api/ai/ask/${randomUUID()}` }),
  "POST /api/ai/tutor/goal": row(writing(signedIn(400))),
  // The conversation is a name the browser made up: whoever uses it begins a session of their own.
  "POST /api/ai/tutor/start": row(writing(signedIn()), {
    body: ({ conversationId, courseId }) => ({
      ...{ requestId: randomUUID(), conversationId, courseId, goal: "Know which directions a map leaves alone", references: [], model },
    }),
  }),
  "POST /api/ai/tutor/turn": row(writing({ ...signedIn(404), learner: 409 }), {
    body: ({ sessionId, courseRevisionId }) => ({
      ...{ requestId: randomUUID(), sessionId, expectedVersion: 0, courseRevisionId, action: { type: "pause" } },
    }),
  }),
  "GET /api/ai/assistants": row(signedIn()),
  "POST /api/ai/assistants": row({ ...writing(signedIn(400)), auditor: 400 }),
  "POST /api/embed/record": row(writing(signedIn(400))),
  "GET /api/course-editor/session": row(anybody(), { path: (things) => `/api/course-editor/session?course=${course(things)}` }),
  "GET /api/course-editor/source": row(owners(), { path: (things) => `/api/course-editor/source?course=${course(things)}` }),
  "GET /api/course-editor/history": row(owners(), { path: (things) => `/api/course-editor/history?course=${course(things)}` }),
  "POST /api/course-editor/publish": row(writing(owners(400)), { headers: { "x-course-publish": "1" } }),
  "PUT /api/course-editor/assets/:sha256": row(writing(owners(400)), {
    path: (things) => `/api/course-editor/assets/${"0".repeat(64)}?course=${course(things)}`,
    headers: { "x-course-publish": "1" },
  }),
  "POST /api/sync/push": row({ ...writing(signedIn(400)) }),
  "POST /api/visual-explainers/storyboard": row(writing(signedIn(400))),
  "PUT /api/visual-explainers/jobs/:jobId/storyboard": row(writing(signedIn(400))),
  "POST /api/visual-explainers/jobs/:jobId/render": row(writing(signedIn(404)), about("render", {})),
  "POST /api/visual-explainers/jobs/:jobId/retry": row(writing(signedIn(404)), about("retry", {})),
  "POST /api/visual-explainers/jobs/:jobId/cancel": row(writing(signedIn(404)), about("cancel", {})),
  "POST /api/visual-explainers/jobs/:jobId/corrections": row(writing(signedIn(404)), about("corrections", { text: "That is wrong." })),
  "POST /api/visual-explainers/jobs/:jobId/answer": row(writing(signedIn(404)), about("answer", { choice: 0 })),
  "POST /api/visual-explainers/corrections/:correctionId/settle": row(writing(owners(404)), {
    path: () => `${films}/corrections/${noJob}/settle`,
    body: () => ({ requestId: randomUUID() }),
  }),
  "POST /api/visual-explainers/worker/claim": row(workers()),
  "POST /api/visual-explainers/worker/jobs/:jobId/lease": row(workers()),
  "PUT /api/visual-explainers/worker/jobs/:jobId/artifacts/:kind": row(workers()),
  "POST /api/visual-explainers/worker/jobs/:jobId/complete": row(workers()),
  "POST /api/visual-explainers/worker/jobs/:jobId/fail": row(workers()),
  // Last: it ends the sessions.
  "POST /auth/sign-out": row({ ...anybody(), foreign: 403 }),
};
