import { offersExplainers, readConfig } from "@colloquy/infra/config.ts";
import { openDatabase } from "@colloquy/infra/database/open.ts";
import { demonstrationFilms } from "@colloquy/infra/demo/films.ts";
import { openEmbeddings } from "@colloquy/infra/embeddings/open.ts";
import { openEventStore } from "@colloquy/infra/event-store/client.ts";
import { eventStoreUrl } from "@colloquy/infra/event-store/embedded/security/address.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { endedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { sessionSecret } from "@colloquy/infra/identity/session.ts";
import { openLedgerSigner } from "@colloquy/infra/ledger/keys.ts";
import { probeAtStart } from "@colloquy/infra/object-store/at-start.ts";
import { isWhole } from "@colloquy/infra/object-store/film-objects.ts";
import { openObjectStore } from "@colloquy/infra/object-store/open.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { serveAsChild } from "@colloquy/infra/process/serve-as-child.ts";
import { pushSender } from "@colloquy/infra/push/send.ts";
import { reminderPublicKey, vapidKeys, vapidSubject } from "@colloquy/infra/push/vapid.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { measureProcess } from "@colloquy/infra/telemetry/metrics.ts";
import { startTraces } from "@colloquy/infra/telemetry/traces.ts";
import { type CheckpointTables, projectionPosition, waitForTables } from "@colloquy/projections/checkpoints/queries.ts";
import { type ConversationTables, isAnsweredSince, quizzesOf } from "@colloquy/projections/conversations/queries.ts";
import { type CourseTables, courseCatalogue } from "@colloquy/projections/courses/queries.ts";
import {
  cachedFilms,
  type ExplainerTables,
  jobOfCorrection,
  jobsUnderWay,
  storyboardsSince,
  unneededObjects,
} from "@colloquy/projections/explainers/queries.ts";
import { meaningSearch, measureVectors, openPassageLibrary, shippedVectors } from "@colloquy/projections/passages/queries.ts";
import { answersOfCourse, generatedAnswersOf, type QuestionTables } from "@colloquy/projections/questions/queries.ts";
import type { ReminderTables } from "@colloquy/projections/reminders/queries.ts";
import { entitiesOfChanges, type SyncTables } from "@colloquy/projections/sync/queries.ts";
import { countLearnersTaughtFrom, courseTutorSessions, openTutorSessions, type TutorTables } from "@colloquy/projections/tutor/queries.ts";
import { checkLayout } from "@colloquy/render-service/layout/check.ts";
import { erasure } from "./accounts/erasure.ts";
import { isSignedOut, signInsOf } from "./accounts/sign-ins.ts";
import { preparation } from "./ask/preparation.ts";
import { createRunningTurns } from "./ask/running-turns.ts";
import { assistantsOf } from "./assistants/assistants.ts";
import { connector } from "./assistants/routes.ts";
import { planTickets, planVerifier } from "./assistants/tickets.ts";
import { explainerHandlers } from "./explainers/handlers.ts";
import { explainerJobs } from "./explainers/jobs.ts";
import { storyboardHandlers } from "./explainers/storyboard/handlers.ts";
import { storyboardPreview } from "./explainers/storyboard/preview.ts";
import { filmTopics } from "./explainers/storyboard/topics.ts";
import { keepSweepingFilms, objectSweep, recentObjects } from "./explainers/sweep.ts";
import { explainerWork } from "./explainers/worker.ts";
import { citationCheck } from "./grounding/citation-check.ts";
import { openCoursePages } from "./grounding/course-pages.ts";
import { createModelGateway } from "./model-gateway/gateway.ts";
import { openLocalModels } from "./model-gateway/local-models.ts";
import { openModelUsage } from "./model-gateway/usage.ts";
import { createPublication } from "./publication/handlers.ts";
import { reviewReminders } from "./reminders/reminders.ts";
import { commandRoutes } from "./routes.ts";
import { changeHandlers } from "./sync/handlers.ts";
import { sweepPeriodically } from "./sync/truncation-sweep.ts";
import { assistantProposals } from "./tutor/assistant-proposals.ts";
import { tutorCourses } from "./tutor/course.ts";
import { filmEvidence } from "./tutor/film-evidence.ts";
import { tutorHandlers } from "./tutor/handlers.ts";
import { quizBank } from "./tutor/quiz-bank.ts";
import { reviewAnswers } from "./tutor/review-answers.ts";
import { tutorSessions } from "./tutor/sessions.ts";
import { textDeletion } from "./tutor/text-deletion.ts";

/** How long background tasks wait for tables at the first start (ms). */
const tablesWithinMs = 10_000;

/** Everything that changes something: commands in, events out. */
const config = readConfig();
const log = createLog("command-api", config);
measureProcess("command-api");
const traces = await startTraces(config, "command-api", log);
const stopping = new AbortController();
const { signal } = stopping;
const store = openEventStore(eventStoreUrl(config), { log });
const database = openDatabase<
  CheckpointTables & CourseTables & ExplainerTables & SyncTables & ConversationTables & TutorTables & QuestionTables & ReminderTables
>(config, {
  readOnly: true,
  onIdleError: (error) => log.warn({ err: error }, "a database connection broke"),
});
const objectStore = openObjectStore(config);
const probed = probeAtStart(objectStore, log);
const local = openLocalModels({ config, log });
const usage = openModelUsage({ config, log });
const gateway = createModelGateway({ config, log, local, usage });
const catalogue = courseCatalogue(database);
const embeddings = openEmbeddings(config);
const meaning = embeddings && meaningSearch({ objectStore, log, shipped: shippedVectors, ...embeddings });
if (meaning) measureVectors(() => meaning.progress());
const library = openPassageLibrary({
  objectStore,
  catalogue,
  publicUrl: config.publicUrl,
  ...(meaning && { embedQuestion: meaning.embedQuestion, closeness: meaning.closeness }),
  onDamaged: (courseId, error) => log.error({ err: error, courseId }, "a course's search index cannot be read"),
});
const ended = endedSessions({ store, log, signal });
const turns = createRunningTurns();
const sessions = tutorSessions({ store, signer: openLedgerSigner(config) });
const forgetting = textDeletion({ database, sessions, log });
const onDeleted = (accountId: string, conversationId: string): void => {
  turns.releaseConversation(accountId, conversationId);
  forgetting.conversationDeleted(accountId, conversationId);
};
const handlers = changeHandlers({
  store,
  log,
  onDeleted,
  citations: citationCheck({ objectStore, log }),
  feed: (accountId, changeIds) => entitiesOfChanges(database, accountId, changeIds),
});
const now = (): string => new Date().toISOString();
const clockAndRandom = { now, clock: () => performance.now(), random: Math.random };
const pages = openCoursePages({ objectStore, library, catalogue, log });
const tutoring = {
  gateway,
  library,
  pages,
  sessions,
  courses: tutorCourses({ objectStore, library }),
  quizzesOf: (accountId: string) => quizzesOf(database, accountId),
  isAnsweredSince: (accountId: string, asked: { courseId: string; since: string }) => isAnsweredSince(database, accountId, asked),
  sessionsOf: (accountId: string, courseId: string) => courseTutorSessions(database, accountId, courseId),
  ...clockAndRandom,
};
const tutor = tutorHandlers(tutoring);
const assistants = assistantsOf(store);
const signIns = signInsOf(store);
const reminders = reviewReminders(store);
const propose = assistantProposals({ ...tutoring, tickets: planTickets(sessionSecret(config)), verifier: planVerifier(config) });
const mcp = connector({ ...tutoring, config, log, assistants, catalogue, database, tutor, propose, changes: handlers });

const jobs = explainerJobs({ store });
const recent = recentObjects();
const work = explainerWork({ jobs, objectStore, recent, log, now, listInProgress: () => jobsUnderWay(database) });
const evidence = filmEvidence({
  sessions,
  library,
  courses: tutoring.courses,
  openSessions: (accountId, courseId) => openTutorSessions(database, accountId, courseId),
});
const offers = (courseId: string): boolean => offersExplainers(config, courseId);
const explainers = explainerHandlers({
  jobs,
  evidence,
  offers,
  countInProgress: work.countInProgress,
  voices: config.EXPLAINER_VOICES === "on",
  now,
  cached: (accountId, content) => cachedFilms(database, accountId, content),
  isIntact: (artifact) => isWhole(objectStore, artifact),
});
const storyboards = storyboardHandlers({
  gateway,
  offers,
  topics: filmTopics({ objectStore, library }),
  jobs: explainers,
  checkLayout,
  handmade: demonstrationFilms,
  now,
  clock: clockAndRandom.clock,
  draftedSince: (accountId, since) => storyboardsSince(database, accountId, since),
});
const erase = erasure({ store, handlers, database, sessions, assistants, signIns, reminders, jobs, usage });
const publication = createPublication({ eventStore: store, objectStore });
const routers = commandRoutes({
  erase,
  config,
  log,
  gateway,
  library,
  pages,
  handlers,
  turns,
  tutor,
  quizBank: quizBank(tutoring),
  reviewAnswers: reviewAnswers(tutoring),
  ended,
  publication,
  objectStore,
  countTutored: (courseId, sourceIds) => countLearnersTaughtFrom(database, courseId, sourceIds),
  answersOf: (courseId) => answersOfCourse(database, courseId),
  generatedAnswersOf: (courseId) => generatedAnswersOf(database, courseId),
  assistants,
  signIns,
  reminders,
  explainers,
  storyboards,
  preview: storyboardPreview(explainers),
  jobOfCorrection: (correctionId) => jobOfCorrection(database, correctionId),
  work,
  stopping: signal,
  ...(meaning && { searchProgress: meaning.progress }),
  prepare: preparation(meaning?.prepare),
});
const app = createApp({ config, log, routers, apart: mcp.router });
local?.watch(signal);
const demonstration = await startDemonstration();
const { server, port } = await listen(app, config.COMMAND_API_PORT, log, undefined, config.SERVICE_HOST);

/** The demonstration accounts and model, if the launcher has this process serve them. */
async function startDemonstration(): Promise<{ close(): Promise<void> } | null> {
  const names = process.argv.slice(2);
  if (names.length === 0) return null;
  const { serveDemonstration } = await import("@colloquy/infra/demo/serve.ts");
  return serveDemonstration(config, names);
}

/** Tasks beside the requests. Their modules are loaded after the server listens. */
async function startBackgroundTasks(): Promise<void> {
  const { keepPointers } = await import("./publication/pointers.ts");
  const seed = async (): Promise<void> => {
    if (config.DEMO_COURSES === "off") return;
    const { demonstrationCourses } = await import("@colloquy/infra/demo/courses.ts");
    const { seedDemonstrationCourses } = await import("./publication/seed.ts");
    await seedDemonstrationCourses({ courses: demonstrationCourses, publication, dataDir: config.DATA_DIR, log, signal });
  };
  const follow = async (): Promise<void> => {
    // Without tables all publications are processed.
    const readable = await waitForTables(database, ["courses"], tablesWithinMs);
    // The position first: a publication in between is processed twice instead of never.
    const position = readable ? await projectionPosition(database, "courses") : null;
    const courseIds = readable ? (await catalogue.list()).map(({ courseId }) => courseId) : [];
    await keepPointers({ eventStore: store, publication, known: { courseIds, position }, log, signal });
  };
  const forget = async (): Promise<void> => {
    if (await waitForTables(database, ["conversations", "tutor"], tablesWithinMs)) await forgetting.sweepUntil(signal);
  };
  // Opens the search indexes, so that the first question does not wait for them, and makes the vectors of their passages.
  const openIndexes = async (): Promise<void> => {
    if (await waitForTables(database, ["courses"], tablesWithinMs)) await library.references("");
    await meaning?.keepVectors(library, signal);
  };
  const sweepFilms = async (): Promise<void> => {
    const sweepObjects = objectSweep({ objectStore, recent, unneeded: (sha256s) => unneededObjects(database, sha256s) });
    if (await waitForTables(database, ["explainers"], tablesWithinMs)) await keepSweepingFilms({ work, sweepObjects, log, signal });
  };
  const remind = async (): Promise<void> => {
    if (reminderPublicKey(config) === null || !(await waitForTables(database, ["reminders"], tablesWithinMs))) return;
    const { reminderSender } = await import("./reminders/sender.ts");
    const isOut = (accountId: string, device: string) => isSignedOut({ signIns, ended }, accountId, device);
    const send = pushSender({ keys: vapidKeys(config), subject: vapidSubject(config) });
    await reminderSender({ database, reminders, send, isSignedOut: isOut, log, signal }).keepSending();
  };
  const tasks = {
    "sending reminders": remind(),
    "following publications": follow(),
    "sweeping deleted conversations": sweepPeriodically({ store, log, signal }),
    "deleting texts of tutoring sessions": forget(),
    "seeding the demonstration courses": seed(),
    "sweeping videos": sweepFilms(),
    "opening the search indexes": openIndexes(),
  };
  for (const [name, job] of Object.entries(tasks)) job.catch(failed(name));
}
const failed = (what: string) => (error: unknown) => {
  if (!signal.aborted) log.error({ err: error }, `${what} failed`);
};
startBackgroundTasks().catch(failed("starting the background tasks"));
await probed;

serveAsChild({
  port,
  async close() {
    // Aborted tasks continue at the next start.
    stopping.abort();
    await Promise.all([turns.close(), mcp.close(), embeddings?.embedder.close()]);
    // The model after the turns, so that they end as stopped and not as failed.
    await Promise.all([closeServer(server), demonstration?.close()]);
    await store.close();
    await Promise.all([database.destroy(), usage.close()]);
    await traces.close();
  },
});
