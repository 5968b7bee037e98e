import type { ModelSelection } from "@colloquy/schemas/ask/models.ts";
import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { msg } from "../messages/page.ts";
import type { Emitter } from "../store/emitter.ts";
import { conversationTitle } from "../store/title.ts";
import type { Tutoring } from "../tutor/tutoring.ts";
import type { ComposerState } from "./composer-state.ts";
import type { Presence, SessionEvents, SessionParts } from "./session-parts.ts";

/** The conversation that is tutored in. */
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

/** The scheduler is loaded when a session is completed, and not before. */
const reviewDays = async (parts: SessionParts, objectiveIds: readonly string[], after: string | undefined) =>
  (await import("../review/when.ts")).daysToReview(parts, objectiveIds, after);

/**
 * The tutoring of one conversation: read, begun, tried again. A conversation that has not begun begins with it. Its code is loaded when
 * somebody is tutored, and not before.
 */
export class SessionTutoring {
  tutoring: Tutoring | null = null;
  readonly #conversation: ConversationHost;
  readonly #parts: SessionParts;
  readonly #composing: ComposerState;
  #loading: Promise<Tutoring> | null = null;
  #opening: Promise<void> | null = null;

  constructor(conversation: ConversationHost, parts: SessionParts, composing: ComposerState) {
    this.#conversation = conversation;
    this.#parts = parts;
    this.#composing = composing;
  }

  /** @throws when its code did not load; the next call tries again */
  load(): Promise<Tutoring> {
    this.#loading ??= this.#make().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #make(): Promise<Tutoring> {
    const { id, events } = this.#conversation;
    const parts = this.#parts;
    const { Tutoring } = await import("../tutor/tutoring.ts");
    const tutoring = new Tutoring({ ...parts, reviewDays: (ids, after) => reviewDays(parts, ids, after) }, id);
    tutoring.events.on("change", () => events.emit("change"));
    tutoring.events.on("announce", (said) => events.emit("announce", said));
    this.tutoring = tutoring;
    return tutoring;
  }

  /**
   * Reads the tutoring of this conversation, and the courses there are.
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
   * A tutoring session may have been begun elsewhere, in a conversation that was never recorded: this becomes that conversation. Gives back
   * whether it did; an id that names a session itself is answered with where that stands.
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
   * Begins a tutoring session with a goal; `carryFrom`: an earlier one whose evidence goes on counting; `knownIn`: the course in which the
   * learner wants it, whether it speaks of the goal or not.
   */
  async start(goal: string, carryFrom?: string, knownIn?: string): Promise<void> {
    const { id: conversationId, references, model } = this.#conversation;
    const more = { ...(carryFrom && { carryFrom }), ...(knownIn && { knownIn }) };
    const started = await (await this.load()).start({ conversationId, goal, references, model, ...more });
    if (started) await this.#begun(goal);
  }

  /** What failed in the tutoring once more, under the same request id. */
  async retry(): Promise<void> {
    const ask = this.tutoring?.failed?.ask;
    if ((await this.tutoring?.retry(this.#conversation.model)) && ask?.kind === "start") await this.#begun(ask.body.goal);
  }

  /** A session stands: a conversation that had not begun has now. */
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
