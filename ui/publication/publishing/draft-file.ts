import { bounds } from "@colloquy/schemas/bounds.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import type { CourseDraft } from "@colloquy/schemas/publication/draft.ts";
import type { EditorApi } from "../../api/editor.ts";
import { problemOfThrown, problemTitle } from "../../api/problems.ts";
import { msg } from "../../messages/page.ts";
import type { DraftAutosave } from "../draft-autosave.ts";
import type { EditingSession } from "../session.ts";

interface Needs {
  courseId: string;
  session: EditingSession;
  api: Pick<EditorApi, "source">;
  autosave: Pick<DraftAutosave, "draft">;
}

/** Whether a file was imported, or why not. Neither if the author kept a newer draft. */
export interface ImportResult {
  imported: boolean;
  problem: string | null;
}

/**
 * Imports a draft from a file as one undo step; asks before replacing a newer draft. The session moves to the base of the imported draft, so that
 * publishing it compares all three versions.
 */
export async function importDraftFile(file: Blob, needs: Needs): Promise<ImportResult> {
  const draft = await readDraftFile(file, needs.courseId);
  if (typeof draft === "string") return { imported: false, problem: draft };
  if (!(await mayReplaceDraft(draft, needs))) return { imported: false, problem: null };
  const problem = await replaceDraft(draft, needs);
  return { imported: problem === null, problem };
}

/** @returns the draft, or why the file is not a draft of this course */
async function readDraftFile(file: Blob, courseId: string): Promise<CourseDraft | string> {
  if (file.size > bounds.courseDraft.fileBytes) return msg("editor.fileTooLargeDraft");
  const { readStoredDraft } = await import("@colloquy/schemas/publication/stored-draft.ts");
  const draft = readStoredDraft(
    await file
      .text()
      .then(JSON.parse)
      .catch(() => null),
  );
  if (!draft) return msg("editor.fileNotCourseDraftChooseJson");
  if (draft.courseId !== courseId) return msg("editor.fileDraftAnotherCourse");
  return draft;
}

async function mayReplaceDraft(draft: CourseDraft, { session, autosave }: Needs): Promise<boolean> {
  if (!session.changed || sameCourse(session.state.course, draft.course)) return true;
  // Without a stored draft, the text was typed on this page just now.
  const own = autosave.draft?.savedAt ?? new Date().toISOString();
  if (Date.parse(own) <= Date.parse(draft.savedAt)) return true;
  await import("./newer-draft.ts");
  const question = document.createElement("colloquy-newer-draft");
  Object.assign(question, { own, file: draft.savedAt });
  document.body.append(question);
  return question.ask().finally(() => question.remove());
}

/** @returns why it cannot be imported; null on success */
async function replaceDraft(draft: CourseDraft, { courseId, session, api }: Needs): Promise<string | null> {
  const { revisionId } = draft.base;
  if (revisionId !== session.state.base.revisionId) {
    try {
      const base = await api.source(courseId, revisionId).catch((error) => {
        if (problemOfThrown(error).code !== "not_found") throw error;
        return null;
      });
      // A base that no longer exists is replaced by the live revision.
      const { course } = base ?? (await api.source(courseId));
      session.rebase({ ...draft.base }, course, undefined, base === null);
    } catch (error) {
      return problemTitle(problemOfThrown(error));
    }
  }
  session.endStep();
  session.apply(
    { label: msg("editor.draftTakenFile") },
    () => draft.course,
    () => renamesOver(session.state.baseCourse, draft.renamedIds, draft.course),
  );
  return null;
}
