import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@colloquy/infra/config.ts";
import { type DemonstrationCourse, demonstrationCourses } from "@colloquy/infra/demo/courses.ts";
import { startDemoModel } from "@colloquy/infra/demo/model/server.ts";
import { type EventStore, openEventStore } from "@colloquy/infra/event-store/client.ts";
import { startEventStore } from "@colloquy/infra/event-store/embedded/server.ts";
import { type LedgerSigner, openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import { openPassageLibrary, type PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { CourseListing } from "@colloquy/schemas/courses/revision.ts";
import type { Quiz } from "@colloquy/schemas/quiz/quiz.ts";
import type { TutorAction, TutorReply, TutorStartRequest, TutorTurnRequest } from "@colloquy/schemas/tutor/requests.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { type CoursePages, openCoursePages } from "../grounding/course-pages.ts";
import { createModelGateway, type ModelGateway } from "../model-gateway/gateway.ts";
import { createPublication, type Publication } from "../publication/handlers.ts";
import { importCourse } from "../publication/import/import-course.ts";
import { type TutorCourses, tutorCourses } from "./course.ts";
import { type TurnRun, type TutorHandlers, tutorHandlers } from "./handlers.ts";
import type { SessionsOf } from "./revealed.ts";
import { type TutorSessions, tutorSessions } from "./sessions.ts";

/** Tutoring as it is served, over an embedded event store, demonstration courses and the demonstration model. */
export interface ServedTutor {
  readonly folder: string;
  readonly store: EventStore;
  readonly signer: LedgerSigner;
  readonly library: PassageLibrary;
  readonly gateway: ModelGateway;
  readonly pages: CoursePages;
  readonly handlers: TutorHandlers;
  readonly courses: TutorCourses;
  readonly sessions: TutorSessions;
  readonly publication: Publication;
  readonly objectStore: ObjectStore;
  readonly catalogue: CourseCatalogue;
  /** Says which revision is live, as the catalogue would. */
  list(listing: Partial<CourseListing> & Pick<CourseListing, "courseId">): void;
  start(change?: Partial<TutorStartRequest>, run?: Partial<TurnRun> & { accountId?: string }): Promise<TutorReply>;
  act(
    session: TutorSession,
    action: TutorAction,
    change?: Partial<TutorTurnRequest>,
    run?: Partial<TurnRun> & { accountId?: string },
  ): Promise<TutorReply>;
  close(): Promise<void>;
}

interface Options {
  courses?: string[];
  /** Courses that do not ship with the product. */
  others?: DemonstrationCourse[];
  /** Puts something between the tutor and the model. */
  around?: (gateway: ModelGateway) => ModelGateway;
  secondLookMs?: number;
  /** Quizzes that every account was given. */
  quizzes?: readonly { at: string; quiz: Quiz }[];
  /** Whether the account asks beside its session. */
  isAnsweredSince?: NonNullable<Parameters<typeof tutorHandlers>[0]["isAnsweredSince"]>;
  /** The sessions that an account had before; none as a rule, so that tests of one account stay apart. */
  sessionsOf?: SessionsOf;
}

export async function serveTutor({
  courses: demonstrated = ["linear-maps"],
  others = [],
  around = (gateway) => gateway,
  secondLookMs,
  quizzes = [],
  sessionsOf = async () => [],
  isAnsweredSince = async () => false,
}: Options = {}): Promise<ServedTutor> {
  const folder = mkdtempSync(join(tmpdir(), "tutor-"));
  const log = createLog("test", { LOG_LEVEL: "silent" });
  const embedded = await startEventStore({ dataDir: folder, port: 0, insecure: true });
  const store = openEventStore(embedded.url);
  const objectStore = openObjectStore({ DATA_DIR: folder });
  const publication = createPublication({ eventStore: store, objectStore });
  const model = await startDemoModel({ port: 0, wordMs: 0 });
  const listings = new Map<string, CourseListing>();
  for (const course of [...others, ...demonstrationCourses.filter(({ courseId }) => demonstrated.includes(courseId))]) {
    const { published } = await importCourse({ publication, ...course, accountId: "acc_test_owner" });
    const { courseId, origin } = course;
    const common = { courseId, origin, title: courseId, summary: "", language: "en", topics: 1, publishedAt: new Date().toISOString() };
    listings.set(courseId, { ...common, sequence: published.sequence, revisionId: published.revisionId, position: published.position });
  }
  const catalogue = { list: async () => [...listings.values()], get: async (id: string) => listings.get(id) ?? null };
  const library = openPassageLibrary({ objectStore, catalogue });
  const config = readConfig({ DATA_DIR: folder, NODE_ENV: "development", DEMO_MODEL_URL: model.url });
  const gateway = around(createModelGateway({ config, log }));
  const signer = openLedgerSigner({ DATA_DIR: folder });
  const sessions = tutorSessions({ store, signer });
  const real = tutorCourses({ objectStore, library });
  // Questions of the demonstration courses' own, and of their text, would be asked first: here they are generated, as practice.
  const isPractised = others.length === 0;
  const courses: TutorCourses = isPractised
    ? { ...real, live: async (id) => ({ ...(await real.live(id)), questions: [], practice: () => [] }) }
    : real;
  const pages = openCoursePages({ objectStore, library, catalogue, log });
  const handlers = tutorHandlers({
    gateway,
    library,
    courses,
    pages,
    sessions,
    quizzesOf: async () => quizzes,
    sessionsOf,
    isAnsweredSince,
    clock: () => performance.now(),
    random: Math.random,
    ...(secondLookMs !== undefined && { secondLookMs }),
  });
  let requests = 0;
  const nextRequest = (): string => {
    requests += 1;
    return `request-${String(requests).padStart(6, "0")}`;
  };
  const runOf = (requestId: string, { accountId = "acc_mira_0001", ...run }: Partial<TurnRun> & { accountId?: string } = {}): TurnRun => ({
    context: { accountId, requestId, correlationId: requestId },
    signal: new AbortController().signal,
    streamed: true,
    emit: () => undefined,
    ...run,
  });
  return {
    folder,
    store,
    signer,
    library,
    gateway,
    pages,
    handlers,
    courses,
    sessions,
    publication,
    objectStore,
    catalogue,
    list: (listing) => {
      const before = listings.get(listing.courseId);
      if (before) listings.set(listing.courseId, { ...before, ...listing });
    },
    start(change = {}, run = {}) {
      const requestId = change.requestId ?? nextRequest();
      const practice = isPractised && { practice: true as const };
      const common = {
        schemaVersion: 1 as const,
        requestId,
        conversationId: "conversation-01",
        courseId: others[0]?.courseId ?? demonstrated[0] ?? "",
      };
      const request = {
        ...common,
        goal: "Understand eigenvectors",
        references: [],
        model: { choice: "automatic" as const },
        ...practice,
        ...change,
      };
      return handlers.start(request, runOf(requestId, run));
    },
    act(session, action, change = {}, run = {}) {
      const requestId = change.requestId ?? nextRequest();
      const { sessionId, version, courseRevisionId } = session;
      const request = { schemaVersion: 1 as const, requestId, sessionId, expectedVersion: version, courseRevisionId, action, ...change };
      return handlers.turn(request, runOf(requestId, run));
    },
    async close() {
      await model.close();
      await store.close();
      await embedded.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
