import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { asPublished } from "@colloquy/schemas/courses/order.ts";
import type { EditorSourceResponse, PublishResponse, TutoredResponse } from "@colloquy/schemas/publication/requests.ts";
import type { EditorApi } from "../../api/editor.ts";
import { type ClientProblem, clientProblem, RequestFailed, unreachable } from "../../api/problems.ts";
import { DraftAutosave } from "../draft-autosave.ts";
import { Drafts } from "../drafts.ts";
import { Publisher } from "../publishing/publisher.ts";
import { TutoredLearners } from "../publishing/tutored-learners.ts";
import { EditingSession } from "../session.ts";
import { smallCourse } from "./course.ts";

type Request = Parameters<EditorApi["publish"]>[0];

/** A refusal of the service. */
type Refusal = Pick<ClientProblem, "code" | "status" | "retryAfterSeconds" | "fields">;

/** A service that publishes in memory by the rules of the real one, with trouble on demand. */
export class PublishingService implements EditorApi {
  readonly revisions: { revisionId: string; course: AuthoredCourse; requestId: string; publishedBy: string }[] = [];
  readonly requests: Request[] = [];
  /** What befalls the next requests, one each: the answer is lost after or before it took effect, or it is refused; `hang` never answers. */
  troubles: ("lost-after" | "lost-before" | "hang" | Refusal)[] = [];

  constructor(course: AuthoredCourse) {
    this.publishAs("acc_somebody", course);
  }

  get live(): PublishResponse & { course: AuthoredCourse } {
    const sequence = this.revisions.length;
    const { revisionId = "", course = smallCourse() } = this.revisions.at(-1) ?? {};
    return { schemaVersion: 1, sequence, revisionId, position: String(sequence), course };
  }

  publishAs(publishedBy: string, course: AuthoredCourse, requestId: string = crypto.randomUUID()): void {
    this.revisions.push({
      revisionId: `revision-${this.revisions.length + 1}`,
      course: asPublished(structuredClone(course)),
      requestId,
      publishedBy,
    });
  }

  async publish(request: Request, signal: AbortSignal): Promise<PublishResponse> {
    this.requests.push(structuredClone(request));
    const trouble = this.troubles.shift();
    if (trouble === "hang")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError"))));
    if (trouble === "lost-before") throw new RequestFailed(unreachable());
    if (typeof trouble === "object") {
      const { code, ...rest } = trouble;
      throw new RequestFailed({ ...clientProblem(code), ...rest });
    }
    const answer = this.#decide(request);
    if (trouble === "lost-after") throw new RequestFailed(unreachable());
    return answer;
  }

  #decide({ requestId, base, course }: Request): PublishResponse {
    const settled = this.revisions.findIndex((one) => one.requestId === requestId);
    if (settled >= 0)
      return { schemaVersion: 1, sequence: settled + 1, revisionId: this.revisions[settled]?.revisionId ?? "", position: "1" };
    const { course: present, ...live } = this.live;
    if (sameCourse(present, asPublished(course))) return live;
    if (base.revisionId !== live.revisionId) {
      const { sequence, revisionId } = live;
      throw new RequestFailed({ ...clientProblem("stale_base", { status: 409 }), live: { sequence, revisionId } });
    }
    this.publishAs("acc_owner000", course, requestId);
    const { course: _course, ...answer } = this.live;
    return answer;
  }

  async source(courseId: string, revisionId?: string): Promise<EditorSourceResponse> {
    const sequence =
      revisionId === undefined ? this.revisions.length : this.revisions.findIndex((one) => one.revisionId === revisionId) + 1;
    const found = this.revisions[sequence - 1];
    if (!found || found.course.manifest.courseId !== courseId) throw new RequestFailed(clientProblem("not_found", { status: 404 }));
    return { schemaVersion: 1, course: structuredClone(found.course), sequence, revisionId: found.revisionId };
  }

  /** Learners that are being tutored on what is asked about. */
  learners: TutoredResponse["learners"] = 0;
  /** What was asked about. */
  readonly places: (readonly string[])[] = [];
  async tutored(_courseId: string, changed: readonly string[]) {
    this.places.push(changed);
    return this.learners;
  }

  async history() {
    return this.revisions
      .map(({ revisionId, publishedBy }, index) => ({ sequence: index + 1, revisionId, publishedBy, at: "2026-11-21T10:42:00Z" }))
      .toReversed();
  }
}

/** An owner at work: a session over the service's live revision, its draft in this browser's database, and what publishes it. */
export function publishingStage({ chance = 1 }: { chance?: number } = {}) {
  const courseId = `course-${crypto.randomUUID()}`;
  const course = smallCourse(courseId);
  const service = new PublishingService(course);
  const { sequence, revisionId } = service.live;
  const session = new EditingSession({ base: { sequence, revisionId }, baseCourse: course, course, renamedIds: [] });
  const drafts = new Drafts();
  const autosave = new DraftAutosave({ session, drafts, courseId, accountId: "acc_owner000", draft: null });
  const publisher = new Publisher({ api: service, session, autosave, courseId, accountId: "acc_owner000", chance: () => chance });
  const tutored = new TutoredLearners({ api: service, session, autosave, courseId });
  const close = (): void => {
    publisher.dispose();
    autosave.dispose();
    drafts.close();
  };
  return { courseId, course, service, session, drafts, autosave, publisher, tutored, close };
}
