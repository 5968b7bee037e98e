import type { AccountStore } from "./account-store.ts";
import { countCourseDrafts } from "./course-drafts.ts";
import { filmEditsPrefix, tutorAnswerPrefix } from "./rows.ts";
import { readSetAside } from "./set-aside.ts";

/** What exists only in this browser, counted by kind. */
export interface UnsavedWork {
  /** Changes that the service has not accepted yet. */
  changes: number;
  /** Questions that were written and not sent. */
  drafts: number;
  /** Answers to the tutor that were not confirmed. */
  tutorAnswers: number;
  /** Videos with edited scenes that were not checked. */
  films: number;
  /** Quizzes with unsubmitted answers. */
  quizzes: number;
  /** Courses with unpublished changes. */
  courseDrafts: number;
  /** Conversations of the prototype that could not be migrated. */
  setAside: number;
}

/** Counts what would be lost if this browser's data of the account were deleted now. */
export async function countUnsavedWork({
  accountId,
  outbox,
  drafts,
  running,
  workspace,
  quizzes,
  meta,
}: Pick<AccountStore, "outbox" | "drafts" | "running" | "workspace" | "quizzes" | "meta"> &
  Partial<Pick<AccountStore, "accountId">>): Promise<UnsavedWork> {
  const [changes, written, kept, begun, setAside] = await Promise.all([
    outbox.getAll(),
    drafts.getAll(),
    workspace.getAll(),
    quizzes.getAll(),
    readSetAside({ meta }),
  ]);
  return {
    changes: changes.filter(({ acknowledged }) => acknowledged === undefined).length,
    drafts: written.filter(({ text }) => text.trim()).length + (await running.getAll()).filter(({ unsent }) => unsent).length,
    tutorAnswers: kept.filter(({ key, value }) => key.startsWith(tutorAnswerPrefix) && holdsAnswer(value)).length,
    films: kept.filter(({ key }) => key.startsWith(filmEditsPrefix)).length,
    quizzes: begun.filter(({ draft }) => Object.values(draft.answers).some((answer) => !Array.isArray(answer) || answer.length > 0)).length,
    courseDrafts: accountId === undefined ? 0 : await countCourseDrafts(accountId),
    setAside: setAside.length,
  };
}

export const isNothingUnsaved = (found: UnsavedWork): boolean => Object.values(found).every((count) => count === 0);

function holdsAnswer(value: unknown): boolean {
  const { choiceIds, text, response } = (value ?? {}) as { choiceIds?: unknown; text?: unknown; response?: unknown };
  return response !== undefined || (Array.isArray(choiceIds) && choiceIds.length > 0) || (typeof text === "string" && text.trim() !== "");
}
