import { bounds } from "@colloquy/schemas/bounds.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { EditorApi } from "../../api/editor.ts";
import { problemOfThrown, problemTitle } from "../../api/problems.ts";
import { msg } from "../../messages/page.ts";
import type { DraftKeeper } from "../draft-keeper.ts";
import type { EditingSession } from "../session.ts";

interface Needs {
  courseId: string;
  session: EditingSession;
  api: Pick<EditorApi, "source">;
  keeper: Pick<DraftKeeper, "draft">;
}

/** Whether a file was taken in; where it could not be, why, in plain words. Neither where its author kept a newer draft. */
export interface TakenIn {
  taken: boolean;
  problem: string | null;
}

/**
 * Takes in a draft that was saved as a file, as one step that can be undone; asks before it takes the place of a newer one. One that was
 * begun from another revision stands on that from then on, so that publishing it compares all three.
 */
export async function takeDraftFile(file: Blob, needs: Needs): Promise<TakenIn> {
  const draft = await readDraftFile(file, needs.courseId);
  if (typeof draft === "string") return { taken: false, problem: draft };
  if (!(await mayTakePlace(draft, needs))) return { taken: false, problem: null };
  const problem = await takeDraft(draft, needs);
  return { taken: problem === null, problem };
}

/** @returns why it is no draft of this course where it is none */
async function readDraftFile(file: Blob, courseId: string): Promise<CourseDraft | string> {
  if (file.size > bounds.courseDraft.fileBytes) return msg("editor.fileTooLargeDraft");
  const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
  const draft = readStoredDraft(
    await file
      .text()
      .then(JSON.parse)
      .catch(() => null),
  );
  if (!draft) return msg("editor.fileDraftCourseChoose");
  if (draft.courseId !== courseId) return msg("editor.fileDraftAnotherCourse");
  return draft;
}

async function mayTakePlace(draft: CourseDraft, { session, keeper }: Needs): Promise<boolean> {
  if (!session.changed || sameCourse(session.state.course, draft.course)) return true;
  // What the browser could not keep was written on this page, just now.
  const own = keeper.draft?.savedAt ?? new Date().toISOString();
  if (Date.parse(own) <= Date.parse(draft.savedAt)) return true;
  await import("./newer-draft.ts");
  const question = document.createElement("colloquy-newer-draft");
  Object.assign(question, { own, file: draft.savedAt });
  document.body.append(question);
  return question.ask().finally(() => question.remove());
}

/** @returns why it cannot be taken in; null when it is */
async function takeDraft(draft: CourseDraft, { courseId, session, api }: Needs): Promise<string | null> {
  const { revisionId } = draft.base;
  if (revisionId !== session.state.base.revisionId) {
    try {
      const base = await api.source(courseId, revisionId).catch((error) => {
        if (problemOfThrown(error).code !== "not_found") throw error;
        return null;
      });
      // One that is lost is stood in for by what is published.
      const { course } = base ?? (await api.source(courseId));
      session.rebase({ ...draft.base }, course, undefined, base === null);
    } catch (error) {
      return problemTitle(problemOfThrown(error));
    }
  }
  session.seal();
  session.apply(
    { label: msg("editor.draftTakenFile") },
    () => draft.course,
    () => renamesOver(session.state.baseCourse, draft.renamedIds),
  );
  return null;
}
