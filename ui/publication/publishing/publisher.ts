import { checkCourse } from "@colloquy/schemas/courses/check-course.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { asPublished } from "@colloquy/schemas/courses/order.ts";
import { receiptIsSettled } from "@colloquy/schemas/publication/draft.ts";
import type { EditorApi } from "../../api/editor.ts";
import { isAbort, problemOfThrown } from "../../api/problems.ts";
import { pinRevision } from "../../courses/refresh/pinned.ts";
import { renewedEvent } from "../../courses/refresh/renewed.ts";
import type { DraftKeeper } from "../draft-keeper.ts";
import type { Base, EditingSession, EditingState } from "../session.ts";
import { atRest, isUnderWay, next, type PublishEvent, type PublishedBy, type PublishState } from "./machine.ts";
import { unsetFormulas } from "./unset-formulas.ts";

/** How an attempt ended: `kept` means that the draft is still in this browser only. */
export type Outcome = "unchanged" | "published" | "kept";

export interface PublisherNeeds {
  api: Pick<EditorApi, "publish" | "source" | "history">;
  session: EditingSession;
  keeper: Pick<DraftKeeper, "attempt" | "wasSent" | "settle" | "seen" | "draft">;
  courseId: string;
  accountId: string;
  /** Pictures on their way are waited for. */
  uploads?: { settled(): Promise<void> };
  now?: () => number;
  chance?: () => number;
}

/**
 * Publishes what a session holds: the same request again for the same content, after pauses, until there is an answer or only the author
 * can go on. It never takes anything from the draft: that stays until a page shows what was published. Says "change" with every state.
 */
export class Publisher extends EventTarget {
  readonly needs: PublisherNeeds;
  readonly #closed = new AbortController();
  #state: PublishState = atRest;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #request: AbortController | null = null;
  #waiting: ((outcome: Outcome) => void)[] = [];

  constructor(needs: PublisherNeeds) {
    super();
    this.needs = needs;
    const { signal } = this.#closed;
    needs.session.addEventListener(
      "change",
      (event) => "cause" in event && event.cause !== "rebase" && this.#happened({ type: "edited" }),
      { signal },
    );
    addEventListener("online", () => this.#happened({ type: "online" }), { signal });
    addEventListener(renewedEvent, () => void this.confirm(), { signal });
    void this.confirm();
  }

  get state(): PublishState {
    return this.#state;
  }

  /** Aborts once nothing goes out any more. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Edit is left: publishes if, and only if, the content changed. Resolves when that is done, or only the author can go on. */
  async leave(): Promise<Outcome> {
    const outcome = await this.publishNow();
    // A request that was out already has not what was written since: that goes out after it.
    return outcome === "published" && this.needs.session.changed ? this.publishNow() : outcome;
  }

  /** Tries again, or for the first time. */
  publishNow(): Promise<Outcome> {
    if (this.closed.aborted) return Promise.resolve("kept");
    const { changed } = this.needs.session;
    if (!changed && !isUnderWay(this.#state)) {
      this.#happened({ type: "wanted", changed, online: navigator.onLine });
      return Promise.resolve("unchanged");
    }
    const ended = new Promise<Outcome>((resolve) => this.#waiting.push(resolve));
    this.#happened({ type: "wanted", changed: changed || isUnderWay(this.#state), online: navigator.onLine });
    this.#settleWaiting();
    return ended;
  }

  /** Ends what is under way; the draft stays. */
  stop(): void {
    this.#happened({ type: "stop" });
  }

  /** The conflict is resolved: the session stands on the live revision. Goes on publishing what differs from it. */
  resolved(): Promise<Outcome> {
    if (this.closed.aborted) return Promise.resolve("kept");
    const { changed } = this.needs.session;
    const ended = changed ? new Promise<Outcome>((resolve) => this.#waiting.push(resolve)) : Promise.resolve<Outcome>("published");
    this.#happened({ type: "resolved", changed, online: navigator.onLine });
    this.#settleWaiting();
    return ended;
  }

  /** Lets go of the receipt once the page shows its revision, or a later one. */
  async confirm(): Promise<void> {
    const shown = document.querySelector<HTMLElement>("main [data-sequence]")?.dataset;
    const { keeper, courseId } = this.needs;
    const sequence = Number(shown?.sequence) || 0;
    if (shown?.course === courseId && keeper.draft && receiptIsSettled(keeper.draft, { sequence })) await keeper.seen(sequence);
  }

  /** Ends what is under way for good: whatever happens then, nothing goes out. */
  dispose(): void {
    this.#happened({ type: "stop" });
    this.#closed.abort();
  }

  #happened(event: PublishEvent): void {
    if (this.closed.aborted) return;
    const { state, effects } = next(this.#state, event);
    const changed = state !== this.#state;
    this.#state = state;
    for (const effect of effects) {
      if (effect.do === "cancel") this.#cancel();
      else if (effect.do === "wait") this.#timer = setTimeout(() => this.#happened({ type: "time-came" }), effect.ms);
      else void this.#send();
    }
    if (!changed) return;
    this.dispatchEvent(new Event("change"));
    this.#settleWaiting();
  }

  #cancel(): void {
    clearTimeout(this.#timer);
    this.#request?.abort();
    this.#request = null;
  }

  /** Whoever leaves Edit is kept no longer than the first pause: the rest goes on by itself. */
  #settleWaiting(): void {
    if (this.#state.kind === "publishing") return;
    const outcome = this.#state.kind === "published" ? "published" : "kept";
    for (const resolve of this.#waiting.splice(0)) resolve(outcome);
  }

  async #send(): Promise<void> {
    const { api, keeper, uploads, courseId } = this.needs;
    const request = new AbortController();
    this.#request = request;
    const holds = (): boolean => this.#request === request && !request.signal.aborted;
    try {
      await uploads?.settled();
      if (!holds()) return;
      // The id is in the draft before the request is on its way: whatever happens then, the same content goes out under it.
      const { requestId, state } = await keeper.attempt();
      if (!holds()) return;
      const errors = checkCourse(state.course);
      if (errors.length) return this.#happened({ type: "invalid", errors });
      const { base, course } = state;
      // The session also knows renames of what was never published, such as a block that was inserted since.
      const renamedIds = renamesOver(state.baseCourse, state.renamedIds);
      // Old addresses of what moved the service finds by itself; an editor knows of no others.
      const { sequence, revisionId } = await api.publish(
        { requestId, courseId, base: { ...base }, course, renamedIds, aliases: [] },
        request.signal,
      );
      if (!holds()) return;
      await this.#published({ sequence, revisionId }, state);
    } catch (error) {
      if (!holds() || isAbort(error)) return;
      const problem = problemOfThrown(error);
      if (problem.code === "stale_base" && (await this.#isOwn(holds).catch(() => false))) return;
      if (!holds()) return;
      const by = problem.code === "stale_base" ? await this.#publishedBy() : null;
      if (!holds()) return;
      const { now = Date.now, chance = Math.random } = this.needs;
      this.#happened({ type: "failed", problem, now: now(), chance: chance(), online: navigator.onLine, by });
    }
  }

  /** First the revision is remembered for this tab's pages, then the draft becomes its receipt. */
  async #published(base: Base, { course }: Pick<EditingState, "course">): Promise<void> {
    const { session, keeper, courseId, now = Date.now } = this.needs;
    pinRevision(courseId, base);
    // Nothing is kept from readers for a formula; its author is told with the publication.
    const looked = unsetFormulas(session.state.baseCourse, course).catch(() => []);
    session.rebase(base, course);
    await keeper.settle(base);
    this.#happened({ type: "answered", base, at: now(), unset: await looked });
    if (this.closed.aborted) return;
    const { showPinned } = await import("../../courses/refresh/follow.ts");
    await showPinned();
    await this.confirm();
  }

  /** Whose the revisions are that were published since: good to know, and nothing depends on it. */
  async #publishedBy(): Promise<PublishedBy> {
    const { api, session, courseId, accountId } = this.needs;
    const { sequence } = session.state.base;
    const since = (await api.history(courseId).catch(() => [])).filter((revision) => revision.sequence > sequence);
    if (!since.length) return null;
    return since.every(({ publishedBy }) => publishedBy === accountId) ? "you" : "another";
  }

  /**
   * Whether what is live is what went out from here without an answer, or just what is written here: then there is nothing to choose, and
   * what was written since goes out over it.
   * @param holds whether nobody stopped it in the meantime
   */
  async #isOwn(holds: () => boolean): Promise<boolean> {
    const { api, session, keeper, courseId } = this.needs;
    const { course, sequence, revisionId } = await api.source(courseId);
    if (!holds()) return false;
    const base = { sequence, revisionId };
    if (sameCourse(course, asPublished(session.state.course))) {
      await this.#published(base, session.state);
      return true;
    }
    if (!(await keeper.wasSent(course)) || !holds()) return false;
    pinRevision(courseId, base);
    session.rebase(base, course);
    void this.#send();
    return true;
  }
}
