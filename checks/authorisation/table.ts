import { randomUUID } from "node:crypto";
import { metrics } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Actor, actorNames, embedOrigin, nonce } from "./actors.ts";
import type { Row } from "./row.ts";
import { keptQuestion, type SampleData } from "./sample-data.ts";

type Answers = Row<Actor>["answers"];
const everybody = (status: number): Answers => Object.fromEntries(actorNames.map((actor) => [actor, status])) as Answers;
/** Reading what anybody may. */
const anybody = (status = 200): Answers => everybody(status);
/** Reading what is the reader's own, whoever it is. */
const signedIn = (status = 200): Answers => ({ ...everybody(status), visitor: 401, worker: 401, assistant: 401, foreign: 401, embed: 401 });
/** Reading one thing of the learner's: for everybody else it is not there. */
const theLearners = (status = 200): Answers => ({ ...signedIn(404), learner: status });
/** Reading what only auditors may. */
const auditors = (status = 200): Answers => ({ ...signedIn(403), auditor: status });
/** Reading what only owners of courses may. */
const owners = (status = 200): Answers => ({ ...signedIn(403), owner: status });
/** Writing: another site's pages are refused before anything else, and auditors write nothing. */
const writing = (answers: Answers): Answers => ({ ...answers, foreign: 403, embed: 403, auditor: 403 });
/** What embedded elements need: a page of an allowed site asks it as the learner who signed in there. */
const elements = (answers: Answers): Answers => ({ ...answers, embed: answers.learner });

/** What only workers do: no session counts. */
const workers = (status: number): Answers => ({ ...everybody(401), worker: status, foreign: 403, embed: 403 });

type Asked = Omit<Row<Actor>, "answers">;
const row = (answers: Answers, more: Asked = {}): Row<Actor> => ({ answers, ...more });
const sent = (body: (things: SampleData) => object): Pick<Asked, "body"> => ({ body: (things) => versioned(body(things)) });
/** A request that is carried out once, however often it is sent. */
const once = (body: (things: SampleData) => object): Pick<Asked, "body"> => {
  const requestId = randomUUID();
  return sent((things) => ({ requestId, ...body(things) }));
};

const films = "/api/visual-explainers";
/** Of the film that was made. */
const madeFilm = (what = "") => ({ path: ({ films: { madeId } }: SampleData) => `${films}/jobs/${madeId}${what}` });
/** Of the one that was drawn up. */
const draftedFilm = (what: string) => ({ path: ({ films: { draftedId } }: SampleData) => `${films}/jobs/${draftedId}${what}` });
/** Of a worker, under a lease that it does not hold. */
const leaseId = randomUUID();
const lease = (what: string, body: object): Asked => ({
  path: ({ films: { madeId } }) => `${films}/worker/jobs/${madeId}/${what}`,
  ...sent(() => ({ leaseId, ...body })),
});

const course = ({ courseId }: SampleData): string => courseId;
const model = { choice: "automatic" };
/** Of a turn that is let go of while it runs. */
const running = randomUUID();

/** Every route of the services, as `METHOD path`. A route that is not in here fails the test. */
export const table: Record<string, Row<Actor>> = {
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
  "GET /api/tutor/sessions/:sessionId": row(elements(theLearners()), { path: ({ sessionId }) => `/api/tutor/sessions/${sessionId}` }),
  "GET /api/tutor/sessions/:sessionId/ledger": row(theLearners(), { path: ({ sessionId }) => `/api/tutor/sessions/${sessionId}/ledger` }),
  "GET /api/tutor/ledger-keys": row(anybody()),
  "GET /api/audit/sessions": row(auditors()),
  "GET /api/audit/sessions/:sessionId": row(auditors(), { path: ({ sessionId }) => `/api/audit/sessions/${sessionId}` }),
  "GET /api/audit/sessions/:sessionId/ledger": row(auditors(), { path: ({ sessionId }) => `/api/audit/sessions/${sessionId}/ledger` }),
  "GET /api/visual-explainers/offer": row(elements(signedIn()), { path: (things) => `${films}/offer?courseId=${course(things)}` }),
  "GET /api/visual-explainers/jobs": row(elements(signedIn())),
  "GET /api/visual-explainers/corrections": row(owners(), { path: (things) => `${films}/corrections?courseId=${course(things)}` }),
  "GET /api/visual-explainers/jobs/:jobId": row(elements(theLearners()), madeFilm()),
  "GET /api/visual-explainers/jobs/:jobId/events": row(elements(theLearners()), madeFilm("/events")),
  "GET /api/visual-explainers/jobs/:jobId/artifact": row(elements(theLearners()), madeFilm("/artifact?kind=video")),
  "GET /": row(anybody()),
  "GET /ai": row(anybody()),
  "GET /settings": row(anybody()),
  "GET /review": row(anybody()),
  "GET /audit": row({ ...everybody(403), visitor: 303, worker: 303, assistant: 303, foreign: 303, embed: 303, auditor: 200 }),
  "GET /sign-in": row({ ...everybody(303), visitor: 200, worker: 200, assistant: 200, foreign: 200, embed: 200 }),
  "GET /language": row({ ...anybody(303), foreign: 403, embed: 403 }, { path: () => "/language?to=de&return=/" }),
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
  // The window that a page which may embed opens; the page itself cannot ask for it with anybody's cookie.
  "GET /embed/sign-in": row(
    { ...anybody(), visitor: 303, worker: 303, assistant: 303, foreign: 303, embed: 303 },
    { path: () => `/embed/sign-in?${new URLSearchParams({ origin: embedOrigin, nonce })}` },
  ),
  "GET /offline": row(anybody()),
  "GET /worker.js": row(anybody()),
  "GET /icon.svg": row(anybody()),

  "GET /auth/login": row(anybody(303)),
  // Nobody is on the way in; who is signed in already is sent on.
  "GET /auth/callback": row({ ...everybody(303), visitor: 400, worker: 400, assistant: 400, foreign: 400, embed: 400 }),
  "GET /auth/demo": row({ ...anybody(303), foreign: 403, embed: 403 }, { path: () => "/auth/demo?as=learner&return=/" }),
  "POST /api/account/erase": row(writing(signedIn(400))),
  "POST /auth/embed": row(
    writing(signedIn()),
    sent(() => ({ origin: embedOrigin, nonce })),
  ),
  // Only with a token of one's own.
  "POST /auth/embed/renew": row(
    { ...writing(signedIn(403)), embed: 200 },
    sent(() => ({})),
  ),
  "GET /api/ai/models": row(anybody()),
  "POST /api/ai/ask": row(elements(writing(signedIn(400)))),
  "GET /api/ai/ask/:requestId": row(elements(theLearners()), { path: ({ requestId }) => `/api/ai/ask/${requestId}?after=0` }),
  // What is not there was let go of: whoever asks gets the same answer, and the learner's turn goes on.
  "DELETE /api/ai/ask/:requestId": row(elements(writing(signedIn())), {
    path: () => `/api/ai/ask/${running}`,
    first: ({ conversationId }) => ({ path: "/api/ai/ask", body: keptQuestion({ requestId: running, conversationId }) }),
    afterwards: {
      path: () => `/api/ai/ask/${running}?after=0`,
      answers: { ...anybody(), learner: 404, embed: 404 },
    },
  }),
  "POST /api/ai/tutor/goal": row(elements(writing(signedIn(400)))),
  // The conversation is a name the browser made up: whoever uses it begins a session of their own.
  "POST /api/ai/tutor/start": row(
    elements(writing(signedIn())),
    once(({ conversationId, courseId }) => ({
      conversationId,
      courseId,
      goal: "Know which directions a map leaves alone",
      references: [],
      model,
    })),
  ),
  "POST /api/ai/tutor/turn": row(
    elements(writing({ ...signedIn(404), learner: 409 })),
    once(({ sessionId, courseRevisionId }) => ({ sessionId, expectedVersion: 0, courseRevisionId, action: { type: "pause" } })),
  ),
  "GET /api/ai/assistants": row(signedIn()),
  "POST /api/ai/assistants": row({ ...writing(signedIn(400)), auditor: 400 }),
  "POST /api/embed/record": row(elements(writing(signedIn(400)))),
  "GET /api/course-editor/session": row(anybody(), { path: (things) => `/api/course-editor/session?course=${course(things)}` }),
  "GET /api/course-editor/source": row(owners(), { path: (things) => `/api/course-editor/source?course=${course(things)}` }),
  "GET /api/course-editor/history": row(owners(), { path: (things) => `/api/course-editor/history?course=${course(things)}` }),
  "POST /api/course-editor/tutored": row(
    writing(owners()),
    sent((things) => ({ courseId: course(things), changed: [] })),
  ),
  "POST /api/course-editor/publish": row(writing(owners(400)), { headers: { "x-course-publish": "1" } }),
  "PUT /api/course-editor/assets/:sha256": row(writing(owners(400)), {
    path: (things) => `/api/course-editor/assets/${"0".repeat(64)}?course=${course(things)}`,
    headers: { "x-course-publish": "1" },
  }),
  "POST /api/sync/push": row(writing(signedIn(400))),
  "POST /api/visual-explainers/storyboard": row(elements(writing(signedIn(400)))),
  "PUT /api/visual-explainers/jobs/:jobId/storyboard": row(elements(writing({ ...signedIn(404), learner: 409 })), {
    ...madeFilm("/storyboard"),
    ...once(({ films: { scenes } }) => ({ expectedVersion: 0, scenes, model })),
  }),
  // One after the other: what is approved is cancelled, what was cancelled is tried again, and that is what a worker claims.
  "POST /api/visual-explainers/jobs/:jobId/render": row(elements(writing(theLearners())), {
    ...draftedFilm("/render"),
    ...once(() => ({})),
  }),
  "POST /api/visual-explainers/jobs/:jobId/cancel": row(elements(writing(theLearners())), {
    ...draftedFilm("/cancel"),
    ...once(() => ({})),
  }),
  "POST /api/visual-explainers/jobs/:jobId/retry": row(elements(writing(theLearners())), {
    ...draftedFilm("/retry"),
    ...once(() => ({})),
  }),
  "POST /api/visual-explainers/jobs/:jobId/corrections": row(elements(writing(theLearners())), {
    ...madeFilm("/corrections"),
    ...once(() => ({ text: "That is wrong." })),
  }),
  "POST /api/visual-explainers/jobs/:jobId/answer": row(elements(writing(theLearners())), {
    ...madeFilm("/answer"),
    ...once(() => ({ choice: 0 })),
  }),
  "POST /api/visual-explainers/corrections/:correctionId/settle": row(writing(owners()), {
    path: ({ films: { correctionId } }) => `${films}/corrections/${correctionId}/settle`,
    ...once(() => ({})),
  }),
  "POST /api/visual-explainers/worker/claim": row(
    workers(200),
    sent(() => ({ workerId: "worker-1", capabilities: { rendererVersion, voices: false } })),
  ),
  "POST /api/visual-explainers/worker/jobs/:jobId/lease": row(
    workers(409),
    lease("lease", { progress: { stage: "drawing", done: 1, total: 2 } }),
  ),
  "PUT /api/visual-explainers/worker/jobs/:jobId/artifacts/:kind": row(
    workers(409),
    lease(`artifacts/video?leaseId=${leaseId}&sha256=${"0".repeat(64)}`, {}),
  ),
  "POST /api/visual-explainers/worker/jobs/:jobId/complete": row(workers(409), {
    ...lease("complete", {}),
    ...sent(({ films: { artifacts } }) => ({ leaseId, milliseconds: 50_000, artifacts, metrics })),
  }),
  "POST /api/visual-explainers/worker/jobs/:jobId/fail": row(workers(409), lease("fail", { code: "renderer_failed", retryable: false })),
  // Last: it ends the sessions.
  "POST /auth/sign-out": row({ ...anybody(), foreign: 403, embed: 403 }),
};

/** Routes with an id in their address that answer both learners alike, and why that is as it should be. */
export const sameForEveryLearner: Record<string, string> = {
  ...Object.fromEntries(
    [
      "GET /api/courses/:courseId",
      "GET /api/courses/:courseId/revision",
      "GET /api/courses/:courseId/identity",
      "GET /api/courses/:courseId/assets/:sha256",
      "GET /courses/:courseId",
      "GET /courses/:courseId/*slugs",
    ].map((route) => [route, "what is published is for everybody"]),
  ),
  ...Object.fromEntries(
    ["GET /api/audit/sessions/:sessionId", "GET /api/audit/sessions/:sessionId/ledger"].map((route) => [
      route,
      "auditors read it, no learner",
    ]),
  ),
  "PUT /api/course-editor/assets/:sha256": "owners of courses do it, no learner",
  "POST /api/visual-explainers/corrections/:correctionId/settle": "owners of courses do it, no learner, not even who reported it",
  ...Object.fromEntries(
    ["POST …/lease", "PUT …/artifacts/:kind", "POST …/complete", "POST …/fail"].map((route) => [
      route.replace("…", `${films}/worker/jobs/:jobId`),
      "workers do it, no learner",
    ]),
  ),
};
