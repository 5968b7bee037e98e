import { filmBounds } from "../film-bounds.ts";
import type { WrittenBy } from "../models.ts";
import type { ExplainerEvent } from "./events.ts";
import type { Counted } from "./evidence.ts";
import type { Film, RenderSettings } from "./film.ts";
import type { ExplainerJob, JobState } from "./job.ts";
import { isDifferentScene, onScreen } from "./on-screen.ts";
import { percentOf } from "./progress.ts";
import type { FailureCode, Progress } from "./render.ts";
import type { Review } from "./review.ts";
import { sceneTitle } from "./scene-title.ts";
import type { ScreenLine } from "./screen-line.ts";
import type { Emphasis, QuestionKey, Scene, Storyboard } from "./storyboard.ts";

/** The current render, or the last one. */
export interface RenderState {
  readonly renderId: string;
  readonly storyboardId: string;
  readonly settings: RenderSettings;
  readonly rendererVersion: number;
  readonly contentHash: string;
  /** Of the storyboard's content alone; missing in older approvals. */
  readonly boardHash?: string;
  readonly queuedAt: string;
  /** Attempts that began. */
  readonly attempt: number;
  /** The earliest time of the next claim, after a failure. */
  readonly notBefore: string | null;
  readonly lease: { readonly leaseId: string; readonly workerId: string; readonly until: string; readonly voices?: boolean } | null;
  readonly progress: Progress | null;
  /** When progress was last reported, and when this attempt began. */
  readonly progressedAt: string | null;
  readonly claimedAt: string | null;
  /** Of the whole render; never decreases, not even in a new attempt. */
  readonly percent: number;
  readonly failure: { readonly code: FailureCode; readonly retryable: boolean } | null;
  /** The lease at the time of a cancellation. */
  readonly stopped: string | null;
  /** The lease under which it was completed. */
  readonly finished: string | null;
  /** Of the trace of its approval; only while commands are decided, read models leave it out. */
  readonly traceparent?: string;
}

export interface KeptFilm extends Film {
  readonly contentHash: string;
  readonly boardHash?: string;
  /** Made of an edited storyboard. */
  readonly edited: boolean;
  /** Reported after the storyboard changed, or made again of reported content. */
  readonly marked?: boolean;
}

export interface KeptCorrection {
  readonly correctionId: string;
  /** Of the reported video; if none was made yet, the storyboard at that time. */
  readonly storyboardId: string;
  readonly boardHash?: string;
  readonly sceneId: string | null;
  readonly text: string;
  readonly at: string;
  /** The reported scene or video at that time. The narration is empty if the scene's version in the video was not kept. */
  readonly sceneTitle: string;
  readonly narration: string;
  readonly quotes: readonly { sourceId: string; quote: string; href?: string }[];
  /** What the scene showed below its title, and whether its owner had changed it; missing in older rows. */
  readonly onScreen?: readonly ScreenLine[];
  readonly edited?: boolean | null;
  /** Address of the topic; missing in older rows, as in quotes. */
  readonly href?: string | null;
  /** When an owner of the course dealt with it. */
  readonly settledAt?: string | null;
}

/** The part of a storyboard that reports concern. */
type Board = Pick<Storyboard, "title" | "scenes" | "sources">;

/** The outcome of a request. */
export interface SettledRequest {
  readonly digest: string;
  readonly version: number;
  readonly state: JobState;
}

/** One job as a fold of its stream: plain JSON, so that a read model can keep it. Holds the answer key; `view.ts` leaves it out. */
export interface ExplainerState {
  readonly version: number;
  /** Revision of the last event that changed the storyboard or its review; missing in older rows. */
  readonly boardVersion?: number;
  readonly accountId: string;
  readonly jobId: string;
  readonly courseId: string;
  readonly topicId: string;
  readonly topicTitle: string;
  readonly courseRevisionId: string;
  readonly emphasis: Emphasis;
  readonly createdAt: string;
  readonly state: JobState;
  readonly storyboard: Storyboard | null;
  readonly questionKey: QuestionKey | null;
  /** Its owner changed it, so it is no longer the course's text alone. */
  readonly edited: boolean;
  /** The drafted storyboard, once it was edited; missing in older rows. */
  readonly drafted?: Board;
  readonly review: Review | null;
  readonly render: RenderState | null;
  /** The latest video for each content and settings, the newest last. */
  readonly films: readonly KeptFilm[];
  readonly corrections: readonly KeptCorrection[];
  /** `sessionId`: of the tutoring session in which the answer counts. */
  readonly answered: (Omit<NonNullable<ExplainerJob["answered"]>, keyof Counted> & Partial<Counted> & { sessionId?: string | null }) | null;
  /** Offered to everyone who reads the page; missing in older rows. */
  readonly offered?: { readonly at: string } | null;
  /** Who wrote the storyboard; missing in older rows. */
  readonly by?: WrittenBy | null;
  /** By request id. */
  readonly requests: Readonly<Record<string, SettledRequest>>;
  readonly erased: boolean;
}

export const initialState: ExplainerState = {
  version: -1,
  accountId: "",
  jobId: "",
  courseId: "",
  topicId: "",
  topicTitle: "",
  courseRevisionId: "",
  emphasis: "intuition",
  createdAt: "",
  state: "drafted",
  storyboard: null,
  questionKey: null,
  edited: false,
  review: null,
  render: null,
  films: [],
  corrections: [],
  answered: null,
  requests: {},
  erased: false,
};

/** An event with the metadata that its fold needs. `traceparent`: of the span that appended it, where its trace is kept. */
export type RecordedExplainerEvent = ExplainerEvent & {
  metadata: { revision: number; accountId?: string | undefined; requestId?: string | undefined; traceparent?: string | undefined };
};

/** The job after one more event. Pure. */
export function evolve(before: ExplainerState, event: RecordedExplainerEvent): ExplainerState {
  const { revision: version, requestId, accountId } = event.metadata;
  // An erased job stays erased.
  if (event.type === "ExplainerErased" || before.erased) return { ...initialState, version, erased: true };
  const state = { ...evolveJob(before, event), version, accountId: before.accountId || (accountId ?? "") };
  const digest = "digest" in event.data ? event.data.digest : requestId && before.requests[requestId]?.digest;
  if (!requestId || !digest) return state;
  return { ...state, requests: { ...state.requests, [requestId]: { digest, version, state: state.state } } };
}

/** The job after an event of an unknown type, which may have changed the storyboard. */
export const withUnknownEvent = (state: ExplainerState, revision: number): ExplainerState => ({
  ...state,
  version: revision,
  boardVersion: revision,
});

function evolveJob(state: ExplainerState, event: RecordedExplainerEvent): ExplainerState {
  const { render } = state;
  const { revision: boardVersion, traceparent } = event.metadata;
  switch (event.type) {
    case "StoryboardDrafted": {
      const { jobId, courseId, topicId, topicTitle, courseRevisionId, emphasis, storyboard, questionKey, by, at } = event.data;
      const of = { jobId, courseId, topicId, topicTitle, courseRevisionId, emphasis, createdAt: at };
      return { ...state, ...of, by, storyboard, questionKey, boardVersion };
    }
    case "StoryboardReviewed":
      return { ...state, review: event.data.review, boardVersion };
    case "StoryboardEdited":
      return {
        ...state,
        storyboard: event.data.storyboard,
        questionKey: event.data.questionKey,
        edited: true,
        ...draftedOf(state),
        boardVersion,
        state: "drafted",
        review: null,
        // What is offered was approved as it is.
        offered: null,
      };
    case "RenderApproved": {
      const { renderId, storyboardId, settings, rendererVersion, contentHash, boardHash, at } = event.data;
      const fresh = { attempt: 0, notBefore: null, progress: null, progressedAt: null, claimedAt: null, percent: 0, failure: null };
      const approved = {
        renderId,
        storyboardId,
        settings,
        rendererVersion,
        contentHash,
        ...optionalBoardHash(boardHash),
        queuedAt: at,
        lease: null,
        stopped: null,
        finished: null,
        ...(traceparent !== undefined && { traceparent }),
      };
      return { ...state, render: { ...approved, ...fresh } };
    }
    case "RenderQueued":
      return { ...state, state: "queued", render: render && { ...render, queuedAt: event.data.at } };
    case "RenderClaimed": {
      const { leaseId, workerId, attempt, leaseUntil: until, voices, at } = event.data;
      const lease = { leaseId, workerId, until, ...(voices && { voices }) };
      const begun = { attempt, notBefore: null, claimedAt: at, failure: null, lease };
      return { ...state, state: "rendering", render: render && { ...render, ...begun, ...progressed(render, starting, at) } };
    }
    case "RenderProgressed": {
      const { leaseUntil: until, progress, at } = event.data;
      return {
        ...state,
        render: render?.lease ? { ...render, ...progressed(render, progress, at), lease: { ...render.lease, until } } : render,
      };
    }
    case "RenderLeaseExpired":
      return { ...state, state: "queued", render: render && { ...render, lease: null, failure: { code: "worker_lost", retryable: true } } };
    case "RenderFailed": {
      const { code, retryable, again } = event.data;
      return { ...state, state: again ? "queued" : "failed", render: render && { ...render, lease: null, failure: { code, retryable } } };
    }
    case "RenderRequeued": {
      const { notBefore } = event.data;
      return { ...state, state: "queued", render: render && { ...render, notBefore, progress: null } };
    }
    case "RenderCompleted":
    case "RenderReused":
      return { ...state, state: "completed", ...completed(state, event) };
    case "RenderCancelled":
      return { ...state, state: "cancelled", render: render && { ...render, lease: null, stopped: render.lease?.leaseId ?? null } };
    case "CorrectionReported": {
      const { correctionId, renderId, sceneId, text, at } = event.data;
      const about = reportedScene(state, renderId, sceneId);
      const correction = { correctionId, sceneId, text, at, ...about, settledAt: null };
      const isOfIt = (film: KeptFilm) => film.storyboardId === about.storyboardId || isSame(film.boardHash, about.boardHash);
      const films = state.films.map((film) => (isOfIt(film) ? { ...film, marked: true } : film));
      return { ...state, films, corrections: [...state.corrections, correction] };
    }
    case "CorrectionSettled": {
      const { correctionId, at } = event.data;
      const settled = (one: KeptCorrection) => (one.correctionId === correctionId ? { ...one, settledAt: at } : one);
      return { ...state, corrections: state.corrections.map(settled) };
    }
    case "FilmOffered":
      return { ...state, offered: { at: event.data.at } };
    case "FilmWithdrawn":
      return { ...state, offered: null };
    case "ClosingQuestionAnswered": {
      const { right, explanation } = state.questionKey ?? { right: 0, explanation: "" };
      const { choice, sessionId, unrecorded = null } = event.data;
      return { ...state, answered: { choice, right, explanation, sessionId, evidence: null, unrecorded } };
    }
    case "ClosingQuestionCounted": {
      const { evidence, unrecorded } = event.data;
      return { ...state, answered: state.answered && { ...state.answered, evidence, unrecorded } };
    }
    case "ExplainerErased":
      return state;
  }
}

const filmOf = ({ films }: Pick<ExplainerState, "films">, renderId: string | null): KeptFilm | undefined =>
  films.find((one) => one.renderId === renderId);

/** The storyboard of a video, without a video the present one; null if it was not kept. */
export function storyboardOfFilm(state: Pick<ExplainerState, "films" | "storyboard" | "drafted">, renderId: string | null): Board | null {
  const { storyboard, drafted = null } = state;
  const film = filmOf(state, renderId);
  if (!film || film.storyboardId === storyboard?.storyboardId) return storyboard;
  // A video of an unedited storyboard was made of the draft.
  return film.edited ? null : drafted;
}

/** The reported scene as the video had it; if that was not kept, what is known of it. */
function reportedScene(state: ExplainerState, renderId: string | null, sceneId: string | null) {
  const { storyboard, drafted } = state;
  const film = filmOf(state, renderId);
  const storyboardId = film?.storyboardId ?? storyboard?.storyboardId ?? "";
  const filmed = storyboardOfFilm(state, renderId);
  const sceneOf = (board: Board | null | undefined) => board?.scenes.find((one) => one.sceneId === sceneId);
  const board = filmed ?? storyboard ?? { title: "", scenes: [], sources: [] };
  const seen = sceneOf(filmed);
  const left = seen ?? sceneOf(storyboard);
  // Only the draft still has a scene that was removed since.
  const scene = left ?? sceneOf(drafted);
  const hrefs = new Map(board.sources.map(({ sourceId, href }) => [sourceId, href]));
  return {
    storyboardId,
    ...optionalBoardHash(film?.boardHash),
    sceneTitle: scene ? sceneTitle(scene) : board.title,
    narration: seen?.narration ?? "",
    onScreen: seen ? onScreen(seen) : [],
    edited: scene && !left ? null : isEdited(state, scene, board),
    quotes: (scene?.quotes ?? []).map((quote) => ({ ...quote, ...optionalHref(hrefs.get(quote.sourceId)) })),
    href: board.sources[0]?.href.split("#")[0] ?? null,
  };
}

/** Whether the owner changed a scene (or without one, anything) since the draft; null if unknown. */
function isEdited({ edited, drafted }: ExplainerState, scene: Scene | undefined, { scenes }: Board): boolean | null {
  if (!edited) return false;
  if (!drafted) return null;
  const before = new Map(drafted.scenes.map((one) => [one.sceneId, one]));
  if (scene) return isDifferentScene(scene, before.get(scene.sceneId));
  return scenes.length !== drafted.scenes.length || scenes.some((one, index) => isDifferentScene(one, drafted.scenes[index]));
}

/** The storyboard before its first edit. */
function draftedOf({ edited, drafted, storyboard }: ExplainerState): Pick<ExplainerState, "drafted"> {
  if (edited) return drafted ? { drafted } : {};
  return storyboard ? { drafted: { title: storyboard.title, scenes: storyboard.scenes, sources: storyboard.sources } } : {};
}

const optionalBoardHash = (boardHash: string | undefined) => (boardHash === undefined ? {} : { boardHash });
const isSame = (one: string | undefined, other: string | undefined): boolean => one !== undefined && one === other;

const optionalHref = (href: string | undefined) => (href === undefined ? {} : { href });

const starting: Progress = { stage: "starting", done: 0, total: 1 };

function progressed({ percent }: RenderState, progress: Progress, at: string) {
  return { progress, progressedAt: at, percent: Math.max(percent, percentOf(progress)) };
}

function completed(
  state: ExplainerState,
  { type, data }: Extract<ExplainerEvent, { type: "RenderCompleted" | "RenderReused" }>,
): Pick<ExplainerState, "films" | "render"> {
  const { films, render, edited } = state;
  if (!render) return { films, render };
  const { renderId, milliseconds, artifacts, metrics } = data;
  const { storyboardId, settings, contentHash, boardHash } = render;
  const reused = type === "RenderReused";
  const hashes = { contentHash, ...optionalBoardHash(boardHash) };
  const made = { renderId, storyboardId, settings, milliseconds, artifacts, metrics, reused, ...hashes, edited };
  const film = isReportedContent(state, hashes) ? { ...made, marked: true } : made;
  const others = films.filter((one) => one.contentHash !== contentHash);
  return {
    films: [...others, film].slice(-filmBounds.films),
    render: {
      ...render,
      finished: "leaseId" in data ? data.leaseId : null,
      lease: null,
      progress: null,
      failure: null,
      notBefore: null,
      percent: 100,
    },
  };
}

export const exists = ({ version, erased }: ExplainerState): boolean => version >= 0 && !erased;

/** Whether a mistake in the storyboard was reported. */
export const isReportedStoryboard = ({ corrections }: Pick<ExplainerState, "corrections">, storyboardId: string): boolean =>
  corrections.some((correction) => correction.storyboardId === storyboardId);

/** Whether a mistake in a video was reported: of its storyboard or its content. */
export const isReportedFilm = (state: Pick<ExplainerState, "corrections">, { storyboardId, marked = false }: KeptFilm): boolean =>
  marked || isReportedStoryboard(state, storyboardId);

/** Whether a mistake in this content was reported, of any storyboard and settings. */
export const isReportedContent = (
  state: Pick<ExplainerState, "corrections" | "films">,
  { contentHash, boardHash }: Pick<KeptFilm, "contentHash" | "boardHash">,
): boolean =>
  state.corrections.some((correction) => isSame(correction.boardHash, boardHash)) ||
  state.films.some((film) => film.contentHash === contentHash && isReportedFilm(state, film));
