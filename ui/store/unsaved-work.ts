import type { AccountStore } from "./account-store.ts";
import { countCourseDrafts } from "./course-drafts.ts";
import { filmEditsPrefix, reviewDraftKey, tutorAnswerPrefix, tutorQuestionPrefix } from "./rows.ts";
import { readSetAside } from "./set-aside.ts";

/** What exists only in this browser, counted by kind. */
export interface UnsavedWork {
  /** Changes that the service has not accepted yet. */
  changes: number;
  /** Questions that were written and not sent. */
  drafts: number;
  /** Answers in Tutor and Review that were not checked. */
  answers: number;
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
  const [changes, written, kept, begun, setAside, reviewed] = await Promise.all([
    outbox.getAll(),
    drafts.getAll(),
    workspace.getAll(),
    quizzes.getAll(),
    readSetAside({ meta }),
    meta.get(reviewDraftKey),
  ]);
  return {
    changes: changes.filter(({ acknowledged }) => acknowledged === undefined).length,
    drafts: written.filter(({ text }) => text.trim()).length + (await running.getAll()).filter(({ unsent }) => unsent).length,
    answers: [
      ...kept
        .filter(({ key }) => [tutorAnswerPrefix, tutorQuestionPrefix].some((prefix) => key.startsWith(prefix)))
        .map(({ value }) => value),
      ...(reviewed ? [JSON.parse(reviewed.value) as unknown] : []),
    ].filter(holdsAnswer).length,
    films: kept.filter(({ key }) => key.startsWith(filmEditsPrefix)).length,
    quizzes: begun.filter(({ draft }) => Object.values(draft.answers).some((answer) => !Array.isArray(answer) || answer.length > 0)).length,
    courseDrafts: accountId === undefined ? 0 : await countCourseDrafts(accountId),
    setAside: setAside.length,
  };
}

export const isNothingUnsaved = (found: UnsavedWork): boolean => Object.values(found).every((count) => count === 0);

function holdsAnswer(value: unknown): boolean {
  const { choiceIds, text, response } = (value ?? {}) as { choiceIds?: unknown; text?: unknown; response?: object };
  const given = [choiceIds, text, ...Object.values(response ?? {})].flat();
  return given.some((one) => (typeof one === "string" ? one.trim() !== "" : one !== undefined));
}
