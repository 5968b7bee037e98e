import type { EditorHistoryResponse } from "@colloquy/schemas/publication/requests.ts";
import { problemOfThrown, problemTitle } from "../../api/problems.ts";
import type { Outcome, Publisher } from "../publishing/publisher.ts";
import "./sheet.ts";

/**
 * Shows the live revision beside the draft, and publishes the merge that the author chooses.
 * @returns `kept` when the sheet was closed; `problem` if the live revision could not be loaded
 */
export async function openConflict(publisher: Publisher): Promise<{ outcome: Outcome; problem: string | null }> {
  const { closed, needs } = publisher;
  const { api, session, courseId, accountId } = needs;
  try {
    const [live, history] = await Promise.all([
      api.source(courseId),
      // The history is optional information.
      api.history(courseId).catch((): EditorHistoryResponse["revisions"] => []),
    ]);
    if (closed.aborted) return { outcome: "kept", problem: null };
    const { base } = session.state;
    const sheet = document.createElement("colloquy-conflict-sheet");
    const compare = (): void => {
      const { baseCourse, baseLost, course } = session.state;
      sheet.sides = { base: baseLost ? null : baseCourse, live: live.course, draft: course };
    };
    compare();
    sheet.published = history.filter(({ sequence }) => sequence > base.sequence && sequence <= live.sequence);
    sheet.accountId = accountId;
    document.body.append(sheet);
    // An upload can complete while the sheet is open and change the draft.
    session.addEventListener("change", compare, { signal: closed });
    closed.addEventListener("abort", () => sheet.close(), { once: true });
    const chosen = await sheet.ask().finally(() => session.removeEventListener("change", compare));
    sheet.remove();
    if (!chosen || closed.aborted) return { outcome: "kept", problem: null };
    session.rebase({ sequence: live.sequence, revisionId: live.revisionId }, live.course, chosen);
    return { outcome: await publisher.resolved(), problem: null };
  } catch (error) {
    return { outcome: "kept", problem: problemTitle(problemOfThrown(error)) };
  }
}
