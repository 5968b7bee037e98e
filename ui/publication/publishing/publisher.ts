import { checkCourse } from "@colloquy/schemas/courses/check-course.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { asPublished } from "@colloquy/schemas/courses/order.ts";
import { receiptIsSettled } from "@colloquy/schemas/publication/draft.ts";
import type { PublishRequestBody } from "@colloquy/schemas/publication/requests.ts";
import type { EditorApi } from "../../api/editor.ts";
import { isAbort, problemOfThrown } from "../../api/problems.ts";
import { pageRefreshedEvent } from "../../courses/refresh/events.ts";
import { pinRevision } from "../../courses/refresh/pinned.ts";
import type { DraftAutosave } from "../draft-autosave.ts";
import type { Base, EditingSession, EditingState } from "../session.ts";
import { invalidFormulas } from "./invalid-formulas.ts";
import { idle, isUnderWay, next, type PublishEvent, type PublishedBy, type PublishState } from "./machine.ts";
import { errorsOfRefusal } from "./refusal.ts";

/** The outcome of publishing; `kept`: the draft is still in this browser only. */
export type Outcome = "unchanged" | "published" | "kept";

export interface PublisherOptions {
  api: Pick<EditorApi, "publish" | "source" | "history">;
  session: EditingSession;
  autosave: Pick<DraftAutosave, "prepareRequest" | "dropRequest" | "wasSent" | "markPublished" | "confirmReceipt" | "draft">;
  courseId: string;
  accountId: string;
  /** Publishing waits for running uploads. */
  uploads?: { settled(): Promise<void> };
  now?: () => number;
  chance?: () => number;
}

/**
 * Publishes a session: repeats the same request for the same content with backoff until it is answered or the author has to act. The draft stays
 * until a page shows the published revision. Dispatches "change" on every state.
 */
export class Publisher extends EventTarget {
  readonly needs: PublisherOptions;
  readonly #closed = new AbortController();
  #state: PublishState = idle;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;
  #waiting: ((outcome: Outcome) => void)[] = [];

  constructor(needs: PublisherOptions) {
    super();
    this.needs = needs;
    const { signal } = this.#closed;
    needs.session.addEventListener(
      "change",
      (event) => "cause" in event && event.cause !== "rebase" && this.#dispatch({ type: "edited" }),
      { signal },
    );
    addEventListener("online", () => this.#dispatch({ type: "online" }), { signal });
    addEventListener(pageRefreshedEvent, () => void this.confirmReceipt(), { signal });
    void this.confirmReceipt();
  }

  get state(): PublishState {
    return this.#state;
  }

  /** Aborted by `dispose`. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Publishes when Edit is left, if the content changed. Resolves when that is done or the author has to act. */
  async leave(): Promise<Outcome> {
    const outcome = await this.publishNow();
    // A request that was already running lacks later changes: publish again.
    return outcome === "published" && this.needs.session.changed ? this.publishNow() : outcome;
  }

  /** Publishes now, or retries now. */
  publishNow(): Promise<Outcome> {
    if (this.closed.aborted) return Promise.resolve("kept");
    const { changed } = this.needs.session;
    if (!changed && !isUnderWay(this.#state)) {
      this.#dispatch({ type: "wanted", changed, online: navigator.onLine });
      return Promise.resolve("unchanged");
    }
    const ended = new Promise<Outcome>((resolve) => this.#waiting.push(resolve));
    this.#dispatch({ type: "wanted", changed: changed || isUnderWay(this.#state), online: navigator.onLine });
    this.#resolveWaiting();
    return ended;
  }

  /** A listed problem was repaired: lists those that are left. */
  repaired(): void {
    this.#dispatch({ type: "repaired", errors: checkCourse(this.needs.session.state.course) });
  }

  /** Cancels publishing; the draft stays. */
  stop(): void {
    this.#dispatch({ type: "stop" });
  }

  /** Publishes after a resolved conflict, when the session is based on the live revision. */
  resolved(): Promise<Outcome> {
    if (this.closed.aborted) return Promise.resolve("kept");
    const { changed } = this.needs.session;
    const ended = changed ? new Promise<Outcome>((resolve) => this.#waiting.push(resolve)) : Promise.resolve<Outcome>("published");
    this.#dispatch({ type: "resolved", changed, online: navigator.onLine });
    this.#resolveWaiting();
    return ended;
  }

  /** Removes the receipt once the page shows its revision or a later one. */
  async confirmReceipt(): Promise<void> {
    const shown = document.querySelector<HTMLElement>("main [data-sequence]")?.dataset;
    const { autosave, courseId } = this.needs;
    const sequence = Number(shown?.sequence) || 0;
    if (shown?.course === courseId && autosave.draft && receiptIsSettled(autosave.draft, { sequence }))
      await autosave.confirmReceipt(sequence);
  }

  /** Cancels publishing for good: no request is sent afterwards. */
  dispose(): void {
    this.#dispatch({ type: "stop" });
    this.#closed.abort();
  }

  #dispatch(event: PublishEvent): void {
    if (this.closed.aborted) return;
    const { state, effects } = next(this.#state, event);
    const changed = state !== this.#state;
    this.#state = state;
    for (const effect of effects) {
      if (effect.do === "cancel") this.#cancel();
      else if (effect.do === "wait") this.#timer = setTimeout(() => this.#dispatch({ type: "time-came" }), effect.ms);
      else void this.#send();
    }
    if (!changed) return;
    this.dispatchEvent(new Event("change"));
    this.#resolveWaiting();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
  }

  /** Resolves callers at the first pause; retries continue in the background. */
  #resolveWaiting(): void {
    if (this.#state.kind === "publishing") return;
    const outcome = this.#state.kind === "published" ? "published" : "kept";
    for (const resolve of this.#waiting.splice(0)) resolve(outcome);
  }

  /** @param renewed whether the request already has a new id, because the service knew the former one */
  async #send(renewed = false): Promise<void> {
    const { api, autosave, uploads, courseId } = this.needs;
    const request = new AbortController();
    this.#request = request;
    const isCurrent = (): boolean => this.#request === request && !request.signal.aborted;
    let sent: Pick<PublishRequestBody, "course" | "renamedIds"> | null = null;
    try {
      await uploads?.settled();
      if (!isCurrent()) return;
      // The id is stored before the request is sent, so a repeat after any failure uses the same id.
      const { requestId, state } = await autosave.prepareRequest();
      if (!isCurrent()) return;
      const errors = checkCourse(state.course);
      if (errors.length) return this.#dispatch({ type: "invalid", errors });
      const { base, course } = state;
      // The session also knows renames of what was never published, such as a block that was inserted since.
      const renamedIds = renamesOver(state.baseCourse, state.renamedIds, course);
      sent = { course, renamedIds };
      // The service derives old addresses of moved pages itself.
      const { sequence, revisionId } = await api.publish(
        { requestId, courseId, base: { ...base }, course, renamedIds, aliases: [] },
        request.signal,
      );
      if (!isCurrent()) return;
      await this.#published({ sequence, revisionId }, state);
    } catch (error) {
      if (!isCurrent() || isAbort(error)) return;
      const problem = problemOfThrown(error);
      if (problem.code === "stale_base" && (await this.#adoptOwnPublication(isCurrent).catch(() => false))) return;
      if (!isCurrent()) return;
      if (problem.code === "request_id_reused" && !renewed) {
        autosave.dropRequest();
        return void this.#send(true);
      }
      const errors = sent ? errorsOfRefusal(problem, sent) : [];
      if (errors.length) return this.#dispatch({ type: "invalid", errors });
      const by = problem.code === "stale_base" ? await this.#publishedBy() : null;
      if (!isCurrent()) return;
      const { now = Date.now, chance = Math.random } = this.needs;
      this.#dispatch({ type: "failed", problem, now: now(), chance: chance(), online: navigator.onLine, by });
    }
  }

  /** Pins the revision for this tab's pages, then turns the draft into a receipt. */
  async #published(base: Base, { course }: Pick<EditingState, "course">): Promise<void> {
    const { session, autosave, courseId, now = Date.now } = this.needs;
    pinRevision(courseId, base);
    // Invalid formulas do not block publication; the author sees them with the result.
    const formulas = invalidFormulas(session.state.baseCourse, course).catch(() => []);
    session.rebase(base, course);
    await autosave.markPublished(base);
    this.#dispatch({ type: "answered", base, at: now(), invalidFormulas: await formulas });
    if (this.closed.aborted) return;
    const { showPinned } = await import("../../courses/refresh/follow.ts");
    await showPinned();
    await this.confirmReceipt();
  }

  /** Who published since the base; optional information. */
  async #publishedBy(): Promise<PublishedBy> {
    const { api, session, courseId, accountId } = this.needs;
    const { sequence } = session.state.base;
    const since = (await api.history(courseId).catch(() => [])).filter((revision) => revision.sequence > sequence);
    if (!since.length) return null;
    return since.every(({ publishedBy }) => publishedBy === accountId) ? "you" : "another";
  }

  /**
   * Handles a conflict with the author's own publication: if the live course equals the session or was sent from here without an answer, adopts it
   * as base and publishes later changes.
   * @param isCurrent false once publishing was stopped
   * @returns whether it was the own publication
   */
  async #adoptOwnPublication(isCurrent: () => boolean): Promise<boolean> {
    const { api, session, autosave, courseId } = this.needs;
    const { course, sequence, revisionId } = await api.source(courseId);
    if (!isCurrent()) return false;
    const base = { sequence, revisionId };
    if (sameCourse(course, asPublished(session.state.course))) {
      await this.#published(base, session.state);
      return true;
    }
    if (!(await autosave.wasSent(course)) || !isCurrent()) return false;
    pinRevision(courseId, base);
    session.rebase(base, course);
    void this.#send();
    return true;
  }
}
