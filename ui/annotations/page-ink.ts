import { bounds } from "@colloquy/schemas/bounds.ts";
import { followRenames } from "@colloquy/schemas/courses/identity.ts";
import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";
import { Emitter } from "../store/emitter.ts";
import type { Library, LocalPersonalChange } from "../store/library.ts";
import { type Drawing, isDrawing } from "../store/personal-fold.ts";
import { did, noSteps, redo, type Step, type Steps, undo } from "./steps.ts";

interface Needs {
  library: Pick<Library, "commitPersonal" | "events"> & { replica: Pick<Library["replica"], "allPersonal"> };
  courseId: string;
  /** The page's key: a topic keeps its id when its address moves. */
  topicId: string;
}

/** From an id that a topic or block had to its present one. */
type Rename = { from: string; to: string };

/** A drawing takes strokes until it has had so many changes, then another is begun: the rest of what it may have is for erasing them. */
const changesOfDrawing = bounds.annotation.changes / 2;

/** The ink of one page as the account has it on every device. What is drawn here is kept at once and goes out through the outbox. Knows nothing of elements. */
export class PageInk {
  readonly events = new Emitter<{ change: undefined }>();
  readonly #needs: Needs;
  /** The page's own key, and those it had before. */
  #keys: ReadonlySet<string>;
  /** The id that a block has now, from the one it was drawn on under. Another function once that changes. */
  present: (id: string) => string = (id) => id;
  readonly #release: () => void;
  #steps: Steps = noSteps;
  #all: readonly Stroke[] | null = null;
  /** What was done here and is not kept yet: shown all the same, so that nothing flickers while one stroke is kept and the next is drawn. */
  readonly #pending = new Set<Step>();
  #working: Promise<void> = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#keys = new Set([needs.topicId]);
    this.#release = needs.library.events.on("personal", ({ domains }) => {
      if (!domains.has("annotation")) return;
      this.#all = null;
      this.events.emit("change");
    });
  }

  /** Shows as well what was drawn before the topic or its blocks were renamed. */
  follow(renames: readonly Rename[]): void {
    const { topicId } = this.#needs;
    this.#keys = new Set([topicId, ...renames.filter(({ to }) => to === topicId).map(({ from }) => from)]);
    this.present = followRenames(renames);
    this.#all = null;
    this.events.emit("change");
  }

  dispose(): void {
    this.#release();
  }

  /** Every stroke of the page, in the order they were drawn within each drawing; the same array as long as nothing changes. */
  get strokes(): readonly Stroke[] {
    this.#all ??= [...this.#pending].reduce(
      after,
      this.#drawings.flatMap(([, { strokes }]) => strokes),
    );
    return this.#all;
  }

  get canUndo(): boolean {
    return this.#steps.done.length > 0;
  }
  get canRedo(): boolean {
    return this.#steps.undone.length > 0;
  }

  /** What was drawn in one go is one step, and undone as one. */
  draw(...strokes: Omit<Stroke, "strokeId">[]): Promise<void> {
    return this.#do({ drawn: strokes.map((stroke) => ({ strokeId: uuidv7(), ...stroke })), erased: [] });
  }

  erase(strokes: readonly Stroke[]): Promise<void> {
    const here = new Set(this.strokes.map(({ strokeId }) => strokeId));
    const erased = strokes.filter(({ strokeId }) => here.has(strokeId));
    return erased.length ? this.#do({ drawn: [], erased }) : Promise.resolve();
  }

  /** Erases everything, which can be undone like everything else. */
  clear(): Promise<void> {
    return this.erase(this.strokes);
  }

  async undo(): Promise<void> {
    const undone = undo(this.#steps);
    if (!undone) return;
    this.#steps = undone.steps;
    await this.#carryOut(undone.step);
  }

  async redo(): Promise<void> {
    const redone = redo(this.#steps);
    if (!redone) return;
    this.#steps = redone.steps;
    await this.#carryOut(redone.step);
  }

  get #drawings(): [string, Drawing][] {
    return [...this.#needs.library.replica.allPersonal("annotation")].flatMap(([entityId, annotation]): [string, Drawing][] =>
      isDrawing(annotation) && this.#keys.has(annotation.topicId) ? [[entityId, annotation]] : [],
    );
  }

  #do(step: Step): Promise<void> {
    this.#steps = did(this.#steps, step);
    return this.#carryOut(step);
  }

  /** Shown at once; kept one after the other, because which drawing a stroke belongs to depends on what was kept before. */
  #carryOut(step: Step): Promise<void> {
    this.#all = after(this.strokes, step);
    this.#pending.add(step);
    this.events.emit("change");
    const kept = this.#working.then(() => this.#keep(step)).then(() => void this.#pending.delete(step));
    this.#working = kept.catch(() => undefined);
    return kept;
  }

  async #keep({ drawn, erased }: Step): Promise<void> {
    const changes = [...this.#erasures(erased), ...this.#additions(drawn)];
    if (changes.length) await this.#needs.library.commitPersonal(changes);
  }

  #erasures(erased: readonly Stroke[]): LocalPersonalChange[] {
    const gone = new Set(erased.map(({ strokeId }) => strokeId));
    return this.#drawings.flatMap(([entityId, { strokes }]) =>
      chunks(
        strokes.flatMap(({ strokeId }) => (gone.has(strokeId) ? strokeId : [])),
        bounds.annotation.strokesErased,
      ).map((strokeIds): LocalPersonalChange => ({ domain: "annotation", entityId, type: "strokes_erased", data: { strokeIds } })),
    );
  }

  #additions(drawn: readonly Stroke[]): LocalPersonalChange[] {
    if (!drawn.length) return [];
    const { courseId, topicId } = this.#needs;
    const own = this.#drawings
      .filter(([, { topicId: key }]) => key === topicId)
      .map(([id, drawing]) => ({ id, changes: changesOf(drawing) }));
    let current = own.findLast(({ changes }) => changes < changesOfDrawing);
    return chunks(drawn, bounds.annotation.strokesPerChange).map((strokes) => {
      if (!current || current.changes >= changesOfDrawing) current = { id: uuidv7(), changes: 0 };
      current.changes += 1;
      return { domain: "annotation", entityId: current.id, type: "drawn", data: { courseId, topicId, strokes: [...strokes] } };
    });
  }
}

/** The strokes after a step, whether or not it is among them already. */
function after(strokes: readonly Stroke[], { drawn, erased }: Step): readonly Stroke[] {
  const replaced = new Set([...erased, ...drawn].map(({ strokeId }) => strokeId));
  return [...strokes.filter(({ strokeId }) => !replaced.has(strokeId)), ...drawn];
}

const changesOf = ({ changes, strokes }: Drawing): number => changes ?? strokes.length;

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
