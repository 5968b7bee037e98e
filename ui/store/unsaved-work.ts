import type { AccountStore } from "./account-store.ts";
import { countCourseDrafts } from "./course-drafts.ts";
import { filmEditsPrefix, tutorAnswerPrefix } from "./rows.ts";
import { readSetAside } from "./set-aside.ts";

/** How much this browser has that is nowhere else, by kind. */
export interface UnsavedWork {
  /** Changes the service has not taken yet. */
  changes: number;
  /** Questions written and not sent, in conversations and in ones that have not begun. */
  drafts: number;
  /** Answers to the tutor that were chosen or written and not confirmed. */
  tutorAnswers: number;
  /** Films whose scenes were changed and not checked. */
  films: number;
  /** Quizzes with answers that are not handed in. */
  quizzes: number;
  /** Courses an owner changed and has not published. */
  courseDrafts: number;
  /** Conversations of the earlier prototype that could not be taken over. */
  setAside: number;
}

/** Counts what would be lost if all that this browser keeps of the account went now. */
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
    quizzes: begun.filter(({ draft }) => draft.checked.length > 0 || Object.values(draft.answers).some((chosen) => chosen.length > 0))
      .length,
    courseDrafts: accountId === undefined ? 0 : await countCourseDrafts(accountId),
    setAside: setAside.length,
  };
}

export const isNothingUnsaved = (found: UnsavedWork): boolean => Object.values(found).every((count) => count === 0);

function holdsAnswer(value: unknown): boolean {
  const { choiceIds, text } = (value ?? {}) as { choiceIds?: unknown; text?: unknown };
  return (Array.isArray(choiceIds) && choiceIds.length > 0) || (typeof text === "string" && text.trim() !== "");
}
