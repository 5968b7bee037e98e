import { bounds } from "@colloquy/schemas/bounds.ts";
import type { AuthoredCourse, Topic } from "@colloquy/schemas/courses/authored.ts";
import { sameValue } from "@colloquy/schemas/courses/editing/units.ts";
import type { TutoredResponse } from "@colloquy/schemas/publication/requests.ts";
import type { EditorApi } from "../../api/editor.ts";
import { problemOfThrown } from "../../api/problems.ts";
import type { DraftKeeper } from "../draft-keeper.ts";
import type { EditingSession } from "../session.ts";

interface Needs {
  api: Pick<EditorApi, "tutored">;
  session: EditingSession;
  keeper: DraftKeeper;
  courseId: string;
}

/**
 * How many learners are being tutored on what a draft changes: their sessions begin again once it is published, so its author is told
 * before. Asked whenever a draft was saved that changes other places than the one before. Says "change" when it is another number.
 */
export class Tutored extends EventTarget {
  learners: TutoredResponse["learners"] = 0;
  readonly #needs: Needs;
  #asked = "";

  constructor(needs: Needs) {
    super();
    this.#needs = needs;
    needs.keeper.addEventListener("change", () => void this.#look());
    void this.#look();
  }

  async #look(): Promise<void> {
    const { api, session, keeper, courseId } = this.#needs;
    const { state } = keeper.standing;
    // Whoever is still writing is not asked about; nothing to keep is nothing to publish.
    if (state !== "kept" && state !== "refused" && state !== "none") return;
    const { baseCourse, course } = session.state;
    const changed = changedPlaces(baseCourse, course).slice(0, bounds.publication.changedPlaces);
    const key = changed.join();
    if (key === this.#asked) return;
    this.#asked = key;
    if (changed.length === 0) return this.#become(0);
    try {
      const learners = await api.tutored(courseId, changed);
      if (this.#asked === key) this.#become(learners);
    } catch (error) {
      problemOfThrown(error);
      // Good to know, and nothing depends on it: it is asked again with the next save.
      if (this.#asked === key) this.#asked = "";
    }
  }

  #become(learners: TutoredResponse["learners"]): void {
    if (learners === this.learners) return;
    this.learners = learners;
    this.dispatchEvent(new Event("change"));
  }
}

/** Blocks whose text is another or which are gone, and topics that say otherwise what is to be learned, by their ids. */
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
