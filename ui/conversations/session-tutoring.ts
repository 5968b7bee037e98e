import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { loadOnce } from "../controls/load-once.ts";
import { msg } from "../messages/page.ts";
import type { Emitter } from "../store/emitter.ts";
import { conversationTitle } from "../store/title.ts";
import type { Tutoring } from "../tutor/tutoring.ts";
import type { ComposerState } from "./composer-state.ts";
import type { Presence, SessionEvents, SessionParts } from "./session-parts.ts";

/** The conversation in which somebody is tutored. */
interface ConversationHost {
  readonly id: string;
  readonly events: Emitter<SessionEvents>;
  readonly references: AttachedReference[];
  readonly model: ModelSelection;
  readonly recorded: boolean;
  presence: Presence;
  load(): Promise<void>;
  write(text: string): void;
}

/** Loads the scheduler when a session is completed. */
const reviewDays = async (parts: SessionParts, objectiveIds: readonly string[], after: string | undefined) =>
  (await import("../review/review-days.ts")).daysToReview(parts, objectiveIds, after);

/**
 * Tutoring in one conversation: loading, starting, retrying. Starting also begins a new conversation. Loads the tutor's code on first use.
 */
export class SessionTutoring {
  tutoring: Tutoring | null = null;
  readonly #conversation: ConversationHost;
  readonly #parts: SessionParts;
  readonly #composing: ComposerState;
  #opening: Promise<void> | null = null;

  constructor(conversation: ConversationHost, parts: SessionParts, composing: ComposerState) {
    this.#conversation = conversation;
    this.#parts = parts;
    this.#composing = composing;
  }

  /** @throws if the code did not load; the next call retries */
  readonly load = loadOnce(() => this.#make());

  async #make(): Promise<Tutoring> {
    const { id, events } = this.#conversation;
    const parts = this.#parts;
    const { Tutoring } = await import("../tutor/tutoring.ts");
    const tutoring = new Tutoring({ ...parts, reviewDays: (ids, after) => reviewDays(parts, ids, after) }, id);
    tutoring.events.on("change", () => events.emit("change"));
    tutoring.events.on("announce", (announcement) => events.emit("announce", announcement));
    tutoring.followReferences(this.#conversation.references);
    this.tutoring = tutoring;
    return tutoring;
  }

  /**
   * Loads the conversation's tutoring and the courses.
   * @throws as `load`
   */
  open(): Promise<void> {
    this.#opening ??= this.#open().finally(() => (this.#opening = null));
    return this.#opening;
  }

  async #open(): Promise<void> {
    const tutoring = await this.load();
    await this.#conversation.load().catch(() => undefined);
    await tutoring.load(this.#conversation.presence === "new");
    if (!tutoring.session) await tutoring.loadCourses();
  }

  /**
   * A session may have been started elsewhere, in a conversation that was not recorded: records it. Returns whether that was so; for the id
   * of a session, returns its conversation.
   */
  async adopt(): Promise<boolean | { conversationId: string }> {
    const { id: conversationId, events } = this.#conversation;
    const [newest] = await this.#parts.api.tutor.sessions({ conversationId });
    if (!newest) {
      const named = await this.#parts.api.tutor.session(conversationId, {});
      return { conversationId: named.session.conversationId };
    }
    const { session } = await this.#parts.api.tutor.session(newest.sessionId, {});
    const { model, references, goal, courseTitle, startedAt: at } = session;
    const title = (goal || courseTitle).slice(0, bounds.conversation.titleLength);
    this.#composing.markBegun();
    await this.#parts.library.commit([{ conversationId, type: "started", at, data: { mode: "tutor", model, references, title } }]);
    events.emit("outline");
    return true;
  }

  /**
   * Starts a session with a goal. `carryFrom`: an earlier session whose evidence counts; `confirmedCourseId`: the chosen course, even if it does not
   * seem to cover the goal.
   */
  async start(goal: string, carryFrom?: string, confirmedCourseId?: string): Promise<void> {
    const { id: conversationId, references, model } = this.#conversation;
    const more = { ...(carryFrom && { carryFrom }), ...(confirmedCourseId && { confirmedCourseId }) };
    const started = await (await this.load()).start({ conversationId, goal, references, model, ...more });
    if (started) await this.#begun(goal);
  }

  /** Retries the failed request with the same id; `practice`: starts for practice. */
  async retry(practice?: true): Promise<void> {
    const ask = this.tutoring?.failed?.ask;
    if ((await this.tutoring?.retry(this.#conversation.model, practice)) && ask?.kind === "start") await this.#begun(ask.body.goal);
  }

  /** The session has started: records the conversation if it is new. */
  async #begun(goal: string): Promise<void> {
    const { id: conversationId, events, references, model, recorded } = this.#conversation;
    this.#conversation.write("");
    events.emit("returned", { question: "" });
    if (recorded) return;
    this.#composing.markBegun();
    events.emit("claimed");
    this.#conversation.presence = "present";
    const data = { mode: "tutor" as const, model, references, title: conversationTitle(msg("conversation.tutor", { goal })) };
    await this.#parts.library.commit([{ conversationId, type: "started", data }]);
    await this.#composing.record();
    events.emit("change");
    events.emit("outline");
  }
}
