import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";
import type { TutorHost } from "../conversations/tutor-commands.ts";
import { msg } from "../messages/page.ts";
import { MemoryTable } from "../store/memory-table.ts";
import type { WorkspaceRow } from "../store/rows.ts";
import { conversationTitle } from "../store/title.ts";
import { Tutoring } from "../tutor/tutoring.ts";
import type { Connection } from "./connection.ts";

/**
 * Tutoring on another site's page, in a conversation that starts with the first session. Nothing is stored in that page's browser store;
 * the service keeps the session, which is reopened by its id.
 */
export class EmbeddedTutoring implements TutorHost {
  readonly tutoring: Tutoring;
  readonly model: ModelSelection = { choice: "automatic" };
  /** The reader that it belongs to. */
  readonly reader: string | null;
  references: AttachedReference[] = [];
  readonly #connection: Connection;
  #conversationId = uuidv7();
  #begun = false;
  /** The session to continue. */
  readonly #sessionId: string | null;

  /** Records the start of its conversation. */
  readonly #keep: (record: () => Promise<boolean>) => void;

  /**
   * @param courseId the course named by the page, if it exists
   * @param keep records something in the reader's history, and shows a notice on failure
   */
  constructor(
    connection: Connection,
    { sessionId, courseId, keep }: { sessionId: string | null; courseId: string | null; keep: (record: () => Promise<boolean>) => void },
  ) {
    this.#connection = connection;
    this.reader = connection.reader;
    this.#keep = keep;
    this.#sessionId = sessionId;
    const { tutor, courses } = connection.api;
    const api = {
      // Another site's page may not list the reader's sessions.
      tutor: { ...tutor, sessions: async () => [] },
      async courses() {
        const all = await courses();
        const named = all.filter((course) => course.courseId === courseId);
        return named.length ? named : all;
      },
    };
    this.tutoring = new Tutoring({ api, store: { workspace: new MemoryTable<WorkspaceRow>() } }, this.#conversationId);
    if (courseId) this.tutoring.chooseCourse(courseId);
  }

  async openTutoring(): Promise<void> {
    const { tutoring } = this;
    if (this.#sessionId && tutoring.presence !== "present") await tutoring.open(this.#sessionId);
    else await tutoring.load(true);
    if (tutoring.session) {
      this.#conversationId = tutoring.session.conversationId;
      this.#begun = true;
    } else await tutoring.loadCourses();
  }

  async startTutoring(goal: string, carryFrom?: string, confirmedCourseId?: string): Promise<void> {
    const { references, model } = this;
    const conversationId = this.#conversationId;
    if (
      await this.tutoring.start({
        conversationId,
        goal,
        references,
        model,
        ...(carryFrom && { carryFrom }),
        ...(confirmedCourseId && { confirmedCourseId }),
      })
    )
      this.#started(goal);
  }

  async retryTutoring(): Promise<void> {
    const ask = this.tutoring.failed?.ask;
    if ((await this.tutoring.retry(this.model)) && ask?.kind === "start") await this.#started(ask.body.goal);
  }

  /** The first session started, so its conversation is recorded in the reader's history. */
  #started(goal: string): void {
    if (this.#begun) return;
    this.#begun = true;
    const { references, model } = this;
    const data = { mode: "tutor" as const, model, references, title: conversationTitle(msg("conversation.tutor", { goal })) };
    const conversationId = this.#conversationId;
    const change = { changeId: uuidv7(), at: new Date().toISOString(), type: "started" as const, data };
    this.#keep(() => this.#connection.record(conversationId, [change]));
  }
}
