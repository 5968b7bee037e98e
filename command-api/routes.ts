import type { Config } from "@colloquy/infra/config.ts";
import { aliveRoutes } from "@colloquy/infra/http/alive.ts";
import { metricsRoutes } from "@colloquy/infra/http/metrics.ts";
import type { EndedSessions } from "@colloquy/infra/identity/ended-sessions.ts";
import { authRoutes } from "@colloquy/infra/identity/routes.ts";
import { session } from "@colloquy/infra/identity/session.ts";
import type { ObjectStore } from "@colloquy/infra/object-store/store.ts";
import type { Logger } from "@colloquy/infra/telemetry/log.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedAnswer, GivenAnswer } from "@colloquy/projections/questions/queries.ts";
import type { SearchProgress } from "@colloquy/schemas/health.ts";
import { Router } from "express";
import { type erasure, erasureRoutes } from "./accounts/erasure.ts";
import { endBrowserSessions, type SignIns, signInRoutes } from "./accounts/sign-ins.ts";
import type { QuizBank } from "./ask/answer.ts";
import { askRoutes, modelsRoutes } from "./ask/routes.ts";
import type { RunningTurns } from "./ask/running-turns.ts";
import type { Assistants } from "./assistants/assistants.ts";
import { assistantRoutes } from "./assistants/routes.ts";
import type { ExplainerHandlers } from "./explainers/handlers.ts";
import { explainerRoutes } from "./explainers/routes.ts";
import type { StoryboardHandlers } from "./explainers/storyboard/handlers.ts";
import type { PreviewStoryboard } from "./explainers/storyboard/preview.ts";
import { storyboardRoutes } from "./explainers/storyboard/routes.ts";
import type { ExplainerWork } from "./explainers/worker.ts";
import { workerFigureLog } from "./explainers/worker-figures.ts";
import { workerRoutes } from "./explainers/worker-routes.ts";
import type { CoursePages } from "./grounding/course-pages.ts";
import { publishedRevisions } from "./grounding/retrieve.ts";
import { questionRewriter } from "./grounding/rewrite-question.ts";
import { supportModelOf } from "./grounding/support-model.ts";
import type { ModelGateway } from "./model-gateway/gateway.ts";
import { modelStreamLimit } from "./model-gateway/stream-limit.ts";
import { editorRoutes } from "./publication/editor-routes.ts";
import type { Publication } from "./publication/handlers.ts";
import type { ReviewReminders } from "./reminders/reminders.ts";
import { reminderRoutes } from "./reminders/routes.ts";
import type { ChangeHandlers } from "./sync/handlers.ts";
import { embedRecordRoutes, syncPushRoutes } from "./sync/routes.ts";
import type { TutorHandlers } from "./tutor/handlers.ts";
import type { ReviewAnswers } from "./tutor/review-answers.ts";
import { reviewAnswerRoutes } from "./tutor/review-routes.ts";
import { tutorRoutes } from "./tutor/routes.ts";

interface Needs {
  config: Config;
  log: Logger;
  gateway: ModelGateway;
  library: PassageLibrary;
  pages: CoursePages;
  handlers: ChangeHandlers;
  turns: RunningTurns;
  erase: ReturnType<typeof erasure>;
  tutor: TutorHandlers;
  /** The courses' own questions for quizzes. */
  quizBank: QuizBank;
  reviewAnswers: ReviewAnswers;
  ended: EndedSessions;
  publication: Publication;
  objectStore: ObjectStore;
  /** The number of learners who are tutored on these sources of a course. */
  countTutored: (courseId: string, sourceIds: readonly string[]) => Promise<number>;
  /** What learners answered to a course's questions. */
  answersOf: (courseId: string) => Promise<readonly GivenAnswer[]>;
  generatedAnswersOf: (courseId: string) => Promise<readonly GeneratedAnswer[]>;
  assistants: Assistants;
  signIns: SignIns;
  reminders: ReviewReminders;
  explainers: ExplainerHandlers;
  /** The job of the video that a correction was reported for. */
  jobOfCorrection: (correctionId: string) => Promise<string | null>;
  storyboards: StoryboardHandlers;
  preview: PreviewStoryboard;
  work: ExplainerWork;
  /** Aborted when the service stops; ends running answers. */
  stopping: AbortSignal;
  /** Progress of search by meaning; absent while it is off. */
  searchProgress?: () => SearchProgress;
  /** Loads what a question needs, when one may follow soon. */
  prepare(): void;
}

/** All routes of this service, in order. */
export function commandRoutes({
  config,
  log,
  gateway,
  library,
  pages,
  handlers,
  turns,
  erase,
  tutor,
  quizBank,
  reviewAnswers,
  ended,
  publication,
  objectStore,
  countTutored,
  answersOf,
  generatedAnswersOf,
  assistants,
  signIns,
  reminders,
  explainers,
  jobOfCorrection,
  storyboards,
  preview,
  work,
  stopping,
  searchProgress,
  prepare,
}: Needs): Router[] {
  const streams = modelStreamLimit();
  const heard = workerFigureLog();
  return [
    aliveRoutes(() => ({ ...(searchProgress && { search: searchProgress() }), renderWorkers: heard.workers() })),
    metricsRoutes(config, async () => [heard.text()]),
    workerRoutes({ config, work, heard }),
    Router().use(session(config, ended)),
    authRoutes({
      config,
      log,
      ended,
      onSignIn: assistants.signedIn,
      onSession: signIns.record,
      endSession: (session, requestId) => endBrowserSessions({ signIns, ended, reminders }, session, requestId),
      onEndAll: async (accountId, requestId) =>
        void (await reminders.handle(accountId, { type: "turn off", device: null, reason: "signed-out" }, requestId)),
      endAssistants: assistants.endAll,
    }),
    signInRoutes({ signIns, ended, reminders }),
    reminderRoutes({ config, reminders }),
    modelsRoutes({ gateway, prepare }),
    askRoutes({
      gateway,
      supportModel: supportModelOf(config.SUPPORT_CHECK_MODEL),
      library,
      isRevision: publishedRevisions(objectStore),
      pages,
      quizBank,
      rewriter: questionRewriter({ gateway, now: () => performance.now() }),
      now: () => performance.now(),
      log,
      handlers,
      turns,
      streams,
    }),
    tutorRoutes({ handlers: tutor, log, stopping, streams }),
    reviewAnswerRoutes({ answers: reviewAnswers }),
    storyboardRoutes({ handlers: storyboards, preview, log, stopping, streams }),
    explainerRoutes({ handlers: explainers, jobOfCorrection }),
    assistantRoutes({ config, assistants }),
    syncPushRoutes({ handlers }),
    embedRecordRoutes({ handlers }),
    erasureRoutes({ erase }),
    editorRoutes({ config, publication, objectStore, countTutored, answersOf, generatedAnswersOf }),
  ];
}
