import { randomUUID } from "node:crypto";
import { metrics } from "@colloquy/command-api/explainers/explainer.fixture.ts";
import { type Contract, routeKey } from "@colloquy/schemas/contracts/contract.ts";
import { exampleForecast, exampleSubscription } from "@colloquy/schemas/contracts/example-ids.ts";
import { contracts } from "@colloquy/schemas/contracts/index.ts";
import { rendererVersion } from "@colloquy/schemas/explainers/film.ts";
import { versioned } from "@colloquy/schemas/payload.ts";
import { type Actor, actorNames, embedOrigin, nonce } from "./actors.ts";
import type { Row } from "./row.ts";
import { keptQuestion, type SampleData } from "./sample-data.ts";

type Answers = Row<Actor>["answers"];
const everybody = (status: number): Answers => Object.fromEntries(actorNames.map((actor) => [actor, status])) as Answers;

/** What a contract's access means for each caller, where an allowed one gets `status`. */
function answersBy({ access, method, owned, embed, auditorsMayWrite }: Contract, status: number): Answers {
  const anonymous = { visitor: 401, worker: 401, assistant: 401, foreign: 401, embed: 401 };
  const answers =
    access === "public" || access === "operator"
      ? everybody(status)
      : access === "worker"
        ? { ...everybody(401), worker: status }
        : access === "account"
          ? { ...everybody(owned ? 404 : status), ...anonymous, learner: status }
          : { ...everybody(403), ...anonymous, [access]: status };
  if (method !== "GET") {
    // Pages of other sites are refused before anything else.
    Object.assign(answers, { foreign: 403, embed: 403 });
    if (access !== "public" && access !== "worker" && auditorsMayWrite !== true) answers.auditor = 403;
  }
  if (embed === "learner") answers.embed = answers.learner;
  return answers;
}

interface Requested extends Omit<Row<Actor>, "answers"> {
  /** What an allowed caller gets; 200 unless set. */
  status?: number;
  /** Where a caller gets something else than the contract's access means. */
  answers?: Partial<Answers>;
}

const sent = (body: (things: SampleData) => object): Pick<Requested, "body"> => ({ body: (things) => versioned(body(things)) });
/** A request that is carried out once, however often it is sent. */
const once = (body: (things: SampleData) => object): Pick<Requested, "body"> => {
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
const lease = (what: string, body: object): Requested => ({
  path: ({ films: { madeId } }) => `${films}/worker/jobs/${madeId}/${what}`,
  ...sent(() => ({ leaseId, ...body })),
});

const course = ({ courseId }: SampleData): string => courseId;
const model = { choice: "automatic" };
/** Of a turn that is let go of while it runs. */
const running = randomUUID();

/** How each route is requested; with its path, an empty body and 200 where nothing is said. In this order, after all others. */
const requests: Record<string, Requested> = {
  "GET /metrics": { status: 404 },
  "GET /api/courses/source": { path: ({ topic }) => `/api/courses/source?href=${encodeURIComponent(topic)}` },
  "GET /api/courses/:courseId/assets/:sha256": { path: ({ courseId, assetSha256 }) => `/api/courses/${courseId}/assets/${assetSha256}` },
  "GET /api/ai/references": { path: () => "/api/ai/references?q=map" },
  "GET /api/visual-explainers/fonts/:font": { path: () => `${films}/fonts/colloquy-film-literata-400-latin` },
  "GET /api/visual-explainers/offer": { path: (things) => `${films}/offer?courseId=${course(things)}` },
  "GET /api/visual-explainers/corrections": { path: (things) => `${films}/corrections?courseId=${course(things)}` },
  "GET /api/visual-explainers/jobs/:jobId": madeFilm(),
  "GET /api/visual-explainers/jobs/:jobId/events": madeFilm("/events"),
  "GET /api/visual-explainers/jobs/:jobId/artifact": madeFilm("/artifact?kind=video"),
  "GET /audit": { status: 403, answers: { visitor: 303, auditor: 200, worker: 303, assistant: 303, foreign: 303, embed: 303 } },
  "GET /sign-in": { status: 303, answers: { visitor: 200, worker: 200, assistant: 200, foreign: 200, embed: 200 } },
  "GET /language": { status: 303, answers: { foreign: 403, embed: 403 }, path: () => "/language?to=de&return=/" },
  "GET /courses/:courseId/*slugs": { path: ({ topic }) => topic },
  "GET /icons/:name": { path: () => "/icons/app-192.png" },
  "GET /assets/*path": { status: 404, path: () => "/assets/nothing.js" },
  // The window that a page which may embed opens; the page itself cannot ask for it with anybody's cookie.
  "GET /embed/sign-in": {
    answers: { visitor: 303, worker: 303, assistant: 303, foreign: 303, embed: 303 },
    path: () => `/embed/sign-in?${new URLSearchParams({ origin: embedOrigin, nonce })}`,
  },
  "GET /auth/login": { status: 303 },
  // The provider's word is in the request.
  "POST /auth/back-channel-logout": { status: 400, headers: { "content-type": "application/x-www-form-urlencoded" } },
  "POST /auth/sign-out": sent(() => ({})),
  "POST /auth/sessions/end": { status: 404, ...sent(() => ({ sessionId: "session-0001" })) },
  // Nobody is on the way in; who is signed in already is sent on.
  "GET /auth/callback": { status: 303, answers: { visitor: 400, worker: 400, assistant: 400, foreign: 400, embed: 400 } },
  "GET /auth/demo": { status: 303, answers: { foreign: 403, embed: 403 }, path: () => "/auth/demo?as=learner&return=/" },
  "POST /api/account/erase": { status: 400 },
  "POST /auth/embed": sent(() => ({ origin: embedOrigin, nonce })),
  // Only with a token of one's own.
  "POST /auth/embed/renew": { status: 403, answers: { embed: 200 }, ...sent(() => ({})) },
  "POST /api/ai/ask": { status: 400 },
  "GET /api/ai/ask/:requestId": { path: ({ requestId }) => `/api/ai/ask/${requestId}?after=0` },
  // What is not there was let go of: whoever asks gets the same answer, and the learner's turn goes on.
  "DELETE /api/ai/ask/:requestId": {
    path: () => `/api/ai/ask/${running}`,
    first: ({ conversationId }) => ({ path: "/api/ai/ask", body: keptQuestion({ requestId: running, conversationId }) }),
    afterwards: {
      path: () => `/api/ai/ask/${running}?after=0`,
      answers: { ...everybody(200), learner: 404, embed: 404 },
    },
  },
  "POST /api/ai/tutor/goal": { status: 400 },
  "POST /api/review/answers": { status: 400 },
  "POST /api/reminders/on": sent(() => ({ subscription: exampleSubscription, forecast: exampleForecast })),
  "POST /api/reminders/off": sent(() => ({})),
  "POST /api/reminders/forecast": sent(() => ({ forecast: exampleForecast })),
  // The conversation is a name the browser made up: whoever uses it begins a session of their own.
  "POST /api/ai/tutor/start": {
    ...once(({ conversationId, courseId }) => ({
      conversationId,
      courseId,
      goal: "Know which directions a map leaves alone",
      references: [],
      model,
    })),
  },
  "POST /api/ai/tutor/turn": {
    status: 409,
    answers: { other: 404, owner: 404 },
    ...once(({ sessionId, courseRevisionId }) => ({ sessionId, expectedVersion: 0, courseRevisionId, action: { type: "pause" } })),
  },
  "POST /api/ai/assistants": { status: 400 },
  "POST /api/embed/record": { status: 400 },
  "GET /api/course-editor/session": { path: (things) => `/api/course-editor/session?course=${course(things)}` },
  "GET /api/course-editor/source": { path: (things) => `/api/course-editor/source?course=${course(things)}` },
  "GET /api/course-editor/history": { path: (things) => `/api/course-editor/history?course=${course(things)}` },
  "GET /api/course-editor/questions": { path: (things) => `/api/course-editor/questions?course=${course(things)}` },
  "POST /api/course-editor/tutored": sent((things) => ({ courseId: course(things), changed: [] })),
  "POST /api/course-editor/publish": { status: 400, headers: { "x-course-publish": "1" } },
  "PUT /api/course-editor/assets/:sha256": {
    status: 400,
    path: (things) => `/api/course-editor/assets/${"0".repeat(64)}?course=${course(things)}`,
    headers: { "x-course-publish": "1" },
  },
  "POST /api/sync/push": { status: 400 },
  "POST /api/visual-explainers/storyboard": { status: 400 },
  "PUT /api/visual-explainers/jobs/:jobId/storyboard": {
    status: 409,
    ...madeFilm("/storyboard"),
    ...once(({ films: { scenes } }) => ({ expectedVersion: 0, scenes, model })),
  },
  "POST /api/visual-explainers/jobs/:jobId/preview": {
    ...madeFilm("/preview"),
    ...sent(({ films: { scenes } }) => ({ aspect: "16:9", scenes })),
  },
  // One after the other: what is approved is cancelled, what was cancelled is tried again, and that is what a worker claims.
  "POST /api/visual-explainers/jobs/:jobId/render": { ...draftedFilm("/render"), ...once(() => ({})) },
  "POST /api/visual-explainers/jobs/:jobId/cancel": { ...draftedFilm("/cancel"), ...once(() => ({})) },
  "POST /api/visual-explainers/jobs/:jobId/retry": { ...draftedFilm("/retry"), ...once(() => ({})) },
  "POST /api/visual-explainers/jobs/:jobId/corrections": { ...madeFilm("/corrections"), ...once(() => ({ text: "That is wrong." })) },
  "POST /api/visual-explainers/jobs/:jobId/answer": { ...madeFilm("/answer"), ...once(() => ({ choice: 0 })) },
  "POST /api/visual-explainers/corrections/:correctionId/settle": {
    path: ({ films: { correctionId } }) => `${films}/corrections/${correctionId}/settle`,
    ...once(() => ({})),
  },
  // The film is a learner's: an owner can neither offer it nor withdraw what is not offered.
  "POST /api/visual-explainers/jobs/:jobId/offer": { ...madeFilm("/offer"), ...once(() => ({})), status: 404 },
  "POST /api/visual-explainers/jobs/:jobId/withdraw": { ...madeFilm("/withdraw"), ...once(() => ({})), status: 404 },
  "POST /api/visual-explainers/worker/claim": {
    ...sent(() => ({ workerId: "worker-1", capabilities: { rendererVersion, voices: false } })),
  },
  "POST /api/visual-explainers/worker/jobs/:jobId/lease": {
    status: 409,
    ...lease("lease", { progress: { stage: "drawing", done: 1, total: 2 } }),
  },
  "PUT /api/visual-explainers/worker/jobs/:jobId/artifacts/:kind": {
    status: 409,
    ...lease(`artifacts/video?leaseId=${leaseId}&sha256=${"0".repeat(64)}`, {}),
  },
  "POST /api/visual-explainers/worker/jobs/:jobId/complete": {
    status: 409,
    ...lease("complete", {}),
    ...sent(({ films: { artifacts } }) => ({ leaseId, milliseconds: 50_000, artifacts, metrics })),
  },
  "POST /api/visual-explainers/worker/jobs/:jobId/fail": { status: 409, ...lease("fail", { code: "renderer_failed", retryable: false }) },
};

/** Puts the sample data's ids into a path. */
const pathWithIds =
  (pattern: string) =>
  (things: SampleData): string =>
    pattern.replaceAll(/:(\w+)/g, (parameter, name: string) => {
      const id = Object.entries(things).find(([key]) => key === name)?.[1];
      return typeof id === "string" ? id : parameter;
    });

const signOut = "POST /auth/sign-out";
const keys = contracts.map(routeKey);
const order = [
  ...keys.filter((key) => !(key in requests) && key !== signOut),
  ...Object.keys(requests).filter((key) => key !== signOut),
  signOut,
];
const byKey = new Map(contracts.map((contract) => [routeKey(contract), contract]));

/** Every route of the services, as `METHOD path`, with the status that each caller gets by its contract. Signing out comes last. */
export const table: Record<string, Row<Actor>> = Object.fromEntries(
  order.map((key) => {
    const { status = 200, answers, ...request } = requests[key] ?? {};
    const contract = byKey.get(key);
    if (!contract) throw new Error(`${key} is no route of the services`);
    return [key, { path: pathWithIds(contract.path), ...request, answers: { ...answersBy(contract, status), ...answers } }];
  }),
);

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
  "GET /icons/:name": "part of the program",
  "GET /api/visual-explainers/fonts/:font": "part of the program",
  "PUT /api/course-editor/assets/:sha256": "owners of courses do it, no learner",
  "POST /api/visual-explainers/jobs/:jobId/offer": "owners of courses offer videos of their own, no learner",
  "POST /api/visual-explainers/jobs/:jobId/withdraw": "owners of courses withdraw videos, no learner",
  "POST /api/visual-explainers/corrections/:correctionId/settle": "owners of courses do it, no learner, not even who reported it",
  ...Object.fromEntries(
    ["POST …/lease", "PUT …/artifacts/:kind", "POST …/complete", "POST …/fail"].map((route) => [
      route.replace("…", `${films}/worker/jobs/:jobId`),
      "workers do it, no learner",
    ]),
  ),
};
