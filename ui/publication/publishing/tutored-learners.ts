import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse, Topic } from "@colloquy/schemas/courses/authored.ts";
import { sameValue } from "@colloquy/schemas/courses/editing/units.ts";
import type { TutoredResponse } from "@colloquy/schemas/publication/requests.ts";
import type { EditorApi } from "../../api/editor.ts";
import { problemOfThrown } from "../../api/problems.ts";
import type { DraftAutosave } from "../draft-autosave.ts";
import type { EditingSession } from "../session.ts";

interface Needs {
  api: Pick<EditorApi, "tutored">;
  session: EditingSession;
  autosave: DraftAutosave;
  courseId: string;
}

/**
 * The number of learners who are being tutored on changed places: publishing restarts their sessions, so the author is warned before. Queried after
 * a save that changes other places. Dispatches "change" when the number changes.
 */
export class TutoredLearners extends EventTarget {
  learners: TutoredResponse["learners"] = 0;
  readonly #needs: Needs;
  #asked = "";

  constructor(needs: Needs) {
    super();
    this.#needs = needs;
    needs.autosave.addEventListener("change", () => void this.#refresh());
    void this.#refresh();
  }

  async #refresh(): Promise<void> {
    const { api, session, autosave, courseId } = this.#needs;
    const { state } = autosave.status;
    // Waits until the draft is saved.
    if (state !== "kept" && state !== "refused" && state !== "none") return;
    const { baseCourse, course } = session.state;
    const changed = changedPlaces(baseCourse, course).slice(0, bounds.publication.changedPlaces);
    const key = changed.join();
    if (key === this.#asked) return;
    this.#asked = key;
    if (changed.length === 0) return this.#setLearners(0);
    try {
      const learners = await api.tutored(courseId, changed);
      if (this.#asked === key) this.#setLearners(learners);
    } catch (error) {
      problemOfThrown(error);
      // Optional information: queried again after the next save.
      if (this.#asked === key) this.#asked = "";
    }
  }

  #setLearners(learners: TutoredResponse["learners"]): void {
    if (learners === this.learners) return;
    this.learners = learners;
    this.dispatchEvent(new Event("change"));
  }
}

/** Ids of changed or deleted blocks, and of topics whose summary or objectives changed. */
export function changedPlaces(base: AuthoredCourse, draft: AuthoredCourse): string[] {
  const blocks = new Map(draft.topics.flatMap((topic) => topic.blocks.map((block) => [block.id, block] as const)));
  const topics = new Map(draft.topics.map((topic) => [topic.id, topic]));
  const aims = ({ summary, objectives }: Topic) => ({ summary, objectives });
  return base.topics.flatMap((topic) => {
    const now = topics.get(topic.id);
    if (now === topic) return [];
    const changed = topic.blocks.filter((block) => !sameValue(block, blocks.get(block.id))).map(({ id }) => id);
    return now && sameValue(aims(topic), aims(now)) ? changed : [topic.id, ...changed];
  });
}
