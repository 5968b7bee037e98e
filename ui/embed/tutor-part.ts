import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import type { TutorSession } from "@colloquy/schemas/tutor/session.ts";
import { html, nothing } from "lit";
import { customElement, query } from "lit/decorators.js";
import { msg } from "../messages/page.ts";
import "../composer/composer.ts";
import type { Composer } from "../composer/composer.ts";
import type { AttachEvent, DetachEvent, DraftEvent, GoalEvent } from "../composer/events.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import { runTutorCommand } from "../conversations/tutor-commands.ts";
import type { TutorEvent } from "../tutor/events.ts";
import "../tutor/tutor.ts";
import type { TutorElement } from "../tutor/tutor.ts";
import type { ListedCourse } from "../tutor/tutoring.ts";
import type { EmbeddedElement } from "./element.ts";
import { EmbeddedPart } from "./part.ts";
import { adoptSheets } from "./styles.ts";
import { EmbeddedTutoring } from "./tutoring.ts";
import type { EmbeddedProgress, TutorPart as Offered } from "./types.ts";

interface TutorHost extends EmbeddedElement {
  session: string | null;
}

/** @summary The content of `colloquy-tutor`: the goal's field, then the tutor as in the workspace. */
@customElement("colloquy-embedded-tutor")
export class TutorPart extends EmbeddedPart implements Offered {
  declare host: TutorHost;
  @query("colloquy-composer") private composer!: Composer | null;
  @query("colloquy-tutor") private tutor!: TutorElement | null;
  #tutoring: EmbeddedTutoring | null = null;
  #stop: (() => void)[] = [];
  /** The goal being written. */
  #draft: string | null = null;
  #page: string | null = null;
  /** The opened session, and the last announced version. */
  #opened: string | null = null;
  #version = "";
  #failed: object | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add("fixed");
    this.addEventListener("colloquy-tutor", this.#onCommand);
    window.addEventListener("focus", this.#onVisible);
  }
  override disconnectedCallback(): void {
    this.removeEventListener("colloquy-tutor", this.#onCommand);
    window.removeEventListener("focus", this.#onVisible);
    super.disconnectedCallback();
  }

  protected override heading() {
    return html`${msg("common.tutor")}`;
  }
  protected override invitation(): string {
    return msg("embed.signTutored");
  }
  protected override serviceChanged(): void {
    this.#leave();
  }

  get progress(): EmbeddedProgress | null {
    const session = this.#tutoring?.tutoring.session;
    return session ? progressOf(session) : null;
  }

  #leave(): void {
    this.#tutoring?.tutoring.stop();
    for (const stop of this.#stop) stop();
    this.#stop = [];
    this.#tutoring = null;
  }

  protected override willUpdate(): void {
    super.willUpdate();
    if (this.state === "refused") this.#leave();
    if (this.state !== "signed-in") return;
    const { session } = this.host;
    // Another reader or another session starts over.
    if (this.#tutoring && (this.#tutoring.reader !== this.connection.reader || (session !== null && session !== this.#opened)))
      this.#leave();
    if (!this.#tutoring) this.#begin(session);
    else this.#retryAfterSignIn(this.#tutoring);
    const page = this.host.getAttribute("page");
    if (page !== this.#page) void this.#attachPage(page);
  }

  #begin(sessionId: string | null): void {
    const lesson = new EmbeddedTutoring(this.connection, {
      sessionId,
      courseId: this.host.getAttribute("course"),
      keep: (record) => void this.record({ record, words: () => msg("embed.sessionCouldNotSavedHistory") }),
    });
    const { events } = lesson.tutoring;
    this.#tutoring = lesson;
    this.#opened = sessionId;
    this.#stop = [events.on("change", () => this.#changed(lesson)), events.on("announce", ({ text }) => this.announce(() => text))];
    void lesson.openTutoring();
  }

  /** Retries a request that failed on an expired token once the reader has signed in again. */
  #retryAfterSignIn(lesson: EmbeddedTutoring): void {
    const { failed, busy } = lesson.tutoring;
    if (failed?.problem.code === "sign_in_required" && !busy) void lesson.retryTutoring();
  }

  protected override attributeProblems(): Map<string, string> {
    const problems = super.attributeProblems();
    const course = this.host.getAttribute("course");
    const tutoring = this.#tutoring?.tutoring;
    if (course && tutoring?.courses && !tutoring.session && !tutoring.courses.some(({ courseId }) => courseId === course))
      problems.set("course", msg("embed.serviceNoCourse", { course }));
    const { session } = this.host;
    if (session && tutoring?.presence === "none" && !tutoring.session)
      problems.set("session", msg("ledger.sessionNotStartedDeletedConversationBelongs"));
    return problems;
  }

  async #attachPage(page: string | null): Promise<void> {
    this.#page = page;
    const reference = await this.resolvePage(page);
    if (page === this.#page) this.#refer(reference ? [reference] : []);
  }

  #refer(references: AttachedReference[]): void {
    if (this.#tutoring) this.#tutoring.references = references;
    this.#tutoring?.tutoring.followReferences(references);
    this.requestUpdate();
  }

  #changed({ tutoring }: EmbeddedTutoring): void {
    this.requestUpdate();
    const { session, failed } = tutoring;
    if (failed && failed !== this.#failed) this.host.emit("colloquy-failed", { code: failed.problem.code, title: failed.problem.title });
    this.#failed = failed;
    const version = session ? `${session.sessionId} ${session.version}` : "";
    if (version === this.#version) return;
    this.#version = version;
    this.#opened = session?.sessionId ?? null;
    this.host.session = this.#opened;
    if (session) this.host.emit("colloquy-progress", progressOf(session));
  }

  protected override content() {
    const lesson = this.#tutoring;
    if (!lesson) return nothing;
    const { tutoring, references, model } = lesson;
    const goal = tutoring.session === null && tutoring.presence === "none";
    return html`<div class="colloquy-talk"><colloquy-tutor .tutoring=${tutoring} .model=${model} .references=${references}></colloquy-tutor>
      ${
        goal
          ? html`<div class="foot"><colloquy-composer goal exportparts="box:composer, text:composer-text, send:composer-send" .text=${this.#initialGoal()} .models=${[]} .commands=${[]} .references=${references}
              .search=${(text: string, signal: AbortSignal) => this.connection.api.references(text, signal)}
              @colloquy-attach=${(event: AttachEvent) => this.#refer([...references, toAttachedReference(event.reference)])}
              @colloquy-detach=${(event: DetachEvent) => this.#refer(references.filter(({ href }) => href !== event.href))}
              .wanting=${this.#chosen(tutoring.courses) ? null : msg("conversation.chooseCourseFirstTutor")} ?busy=${tutoring.busy}
              @colloquy-draft=${(event: DraftEvent) => (this.#draft = event.text)} @colloquy-goal=${(event: GoalEvent) => void this.start(event.goal)}
              @colloquy-stop=${() => tutoring.stop()}></colloquy-composer></div>`
          : nothing
      }</div>`;
  }

  #initialGoal(): string {
    return this.composer?.text ?? this.#draft ?? this.host.getAttribute("goal") ?? "";
  }

  /** Whether the chosen course exists. */
  #chosen(courses: ListedCourse[] | null): boolean {
    const courseId = this.#tutoring?.tutoring.courseId;
    return courseId !== null && courseId !== undefined && (courses === null || courses.some((course) => course.courseId === courseId));
  }

  async start(goal: string): Promise<void> {
    const lesson = this.#tutoring;
    if (!lesson || this.state !== "signed-in" || lesson.tutoring.session || lesson.tutoring.busy || !goal.trim()) return;
    if (!this.#chosen(lesson.tutoring.courses)) {
      this.announce(() => msg("embed.chooseACourseFirst"));
      return this.tutor?.focusCourses();
    }
    await lesson.startTutoring(goal.trim());
    if (lesson.tutoring.session) this.#draft = "";
  }

  async pause(): Promise<void> {
    const tutoring = this.#tutoring?.tutoring;
    if (tutoring?.session && !tutoring.session.paused) await tutoring.act({ type: "pause" });
  }
  async resume(): Promise<void> {
    const tutoring = this.#tutoring?.tutoring;
    if (tutoring?.session?.paused) await tutoring.act({ type: "resume" });
  }

  readonly #onCommand = ({ command }: TutorEvent) => {
    if (this.#tutoring) void runTutorCommand(command, this.#tutoring);
  };

  /** The session may have continued on another device. */
  readonly #onVisible = () => {
    if (this.state === "signed-in") void this.#tutoring?.tutoring.refresh();
  };
}

const progressOf = ({ sessionId, courseId, phase, paused, mastery }: TutorSession): EmbeddedProgress => ({
  sessionId,
  courseId,
  phase,
  paused,
  objectives: mastery.length,
  mastered: mastery.filter(({ mastered }) => mastered).length,
});

/** Mounts the part in an element's shadow root. */
export function mount(host: EmbeddedElement, root: ShadowRoot): TutorPart {
  adoptSheets(root);
  const part = Object.assign(document.createElement("colloquy-embedded-tutor"), { host: host as TutorHost });
  root.replaceChildren(part);
  return part;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-embedded-tutor": TutorPart;
  }
}
