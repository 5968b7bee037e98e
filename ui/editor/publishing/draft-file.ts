import { bounds } from "@colloquy/schemas/bounds.ts";
import { renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import type { EditorApi } from "../../api/editor.ts";
import { problemOfThrown, titleOf } from "../../api/problems.ts";
import { msg } from "../../words/page.ts";
import type { EditingSession } from "../session.ts";

/**
 * Takes in a draft that was saved as a file, as one step that can be undone. One that was begun from another revision stands on that from
 * then on, so that publishing it compares all three.
 * @returns why it cannot be taken in, in plain words; null when it is
 */
export async function takeDraftFile(
  file: Blob,
  { courseId, session, api }: { courseId: string; session: EditingSession; api: Pick<EditorApi, "source"> },
): Promise<string | null> {
  if (file.size > bounds.courseDraft.fileBytes) return msg("This file is too large to be a draft.");
  const { readStoredDraft } = await import("@colloquy/schemas/course-editor/stored-draft.ts");
  const draft = readStoredDraft(
    await file
      .text()
      .then(JSON.parse)
      .catch(() => null),
  );
  if (!draft) return msg("This file is no draft of a course. Choose the JSON file that was saved here.");
  if (draft.courseId !== courseId) return msg("This file is a draft of another course.");
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
      return titleOf(problemOfThrown(error));
    }
  }
  session.seal();
  session.apply(
    { label: msg("Draft taken in from a file") },
    () => draft.course,
    () => renamesOver(session.state.baseCourse, draft.renamedIds),
  );
  return null;
}
