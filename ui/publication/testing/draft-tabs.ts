import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { editTopic } from "@colloquy/schemas/courses/editing/edit.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { deleteCourseDrafts } from "../../store/course-drafts.ts";
import { DraftAutosave } from "../draft-autosave.ts";
import { DraftStorageError, Drafts } from "../drafts.ts";
import { EditingSession } from "../session.ts";
import { smallCourse } from "./course.ts";

/** Tabs that keep drafts of one course, and databases that are slow or full. */

export const accountId = "acc_owner";
export const base = { sequence: 1, revisionId: "revision-1" };
export const entitle = (session: EditingSession, title: string) =>
  session.apply({ label: "Title" }, (course) => editTopic(course, "topic-one", { title }));
export const titleOf = (course: AuthoredCourse | undefined) => course?.topics[0]?.title;

/** A course of its own for each test of the `describe` it is called in. */
export function draftTabs() {
  const opened: { close(): void }[] = [];
  const editor = {
    courseId: "",
    course: smallCourse(""),
    /** A tab that opens the editor. */
    async tab(more: { drafts?: Drafts; idleMs?: number; account?: string } = {}) {
      const { courseId, course } = editor;
      const account = more.account ?? accountId;
      const drafts = more.drafts ?? new Drafts();
      const kept = await drafts.open(courseId, account);
      const { draft } = kept;
      const own = draft && !draft.receipt ? draft : null;
      const session = new EditingSession({ base, baseCourse: course, course: own?.course ?? course, renamedIds: own?.renamedIds ?? [] });
      const autosave = new DraftAutosave({ session, drafts, courseId, accountId: account, draft, idleMs: more.idleMs ?? 60_000 });
      opened.push({
        close() {
          autosave.dispose();
          drafts.close();
        },
      });
      return { session, autosave, drafts, kept };
    },
  };
  beforeEach(() => {
    editor.courseId = `course-${uuidv7()}`;
    editor.course = smallCourse(editor.courseId);
  });
  afterEach(async () => {
    for (const one of opened.splice(0)) one.close();
    await deleteCourseDrafts(accountId);
    await deleteCourseDrafts("acc_other");
  });
  return editor;
}

export const until = async (autosave: DraftAutosave, state: string): Promise<void> => {
  while (autosave.status.state !== state) await new Promise((heard) => autosave.addEventListener("change", heard, { once: true }));
};

/** A database whose next save waits, as on a slow disk, until it is let go. */
export class Held extends Drafts {
  begun: Promise<void> | null = null;
  release = (): void => undefined;
  #hold: Promise<void> | null = null;
  hold(): void {
    const begun = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    this.begun = begun.promise;
    this.release = going.resolve;
    this.#hold = going.promise;
    this.#begin = begun.resolve;
  }
  #begin = (): void => undefined;
  override async save(...args: Parameters<Drafts["save"]>) {
    this.#begin();
    const hold = this.#hold;
    this.#hold = null;
    await hold;
    return super.save(...args);
  }
}

/** A browser without room. */
export class Full extends Drafts {
  isFull = true;
  override async save(...args: Parameters<Drafts["save"]>) {
    if (this.isFull) throw new DraftStorageError(new DOMException("full", "QuotaExceededError"));
    return super.save(...args);
  }
}
