import { bounds } from "@colloquy/schemas/bounds.ts";
import { followRenames } from "@colloquy/schemas/courses/identity.ts";
import type { Stroke } from "@colloquy/schemas/sync/changes.ts";
import { uuidv7 } from "../api/uuid.ts";
import { Emitter } from "../store/emitter.ts";
import type { Library, LocalPersonalChange } from "../store/library.ts";
import { type Drawing, isDrawing } from "../store/personal-fold.ts";
import { emptyHistory, record, redo, type Step, type UndoHistory, undo } from "./undo-history.ts";

interface Needs {
  library: Pick<Library, "commitPersonal" | "events"> & { replica: Pick<Library["replica"], "allPersonal"> };
  courseId: string;
  /** Identifies the page: a topic keeps its id when its address changes. */
  topicId: string;
}

/** A former id of a topic or block, and its present one. */
type Rename = { from: string; to: string };

/** After this many changes a new drawing is started; the remaining allowed changes are left for erasing. */
const changesOfDrawing = bounds.annotation.changes / 2;

/** The strokes of one page, synced between the account's devices. Changes are stored at once and sent through the outbox. No DOM. */
export class PageInk {
  readonly events = new Emitter<{ change: undefined }>();
  readonly #needs: Needs;
  /** The topic's present and former ids. */
  #keys: ReadonlySet<string>;
  /** Maps the id that a block was drawn under to its present one. A new function when the mapping changes. */
  currentId: (id: string) => string = (id) => id;
  readonly #release: () => void;
  #steps: UndoHistory = emptyHistory;
  #all: readonly Stroke[] | null = null;
  /** Steps that are not stored yet. They are shown, so that nothing flickers while a stroke is stored and the next is drawn. */
  readonly #pending = new Set<Step>();
  #queue: Promise<void> = Promise.resolve();

  constructor(needs: Needs) {
    this.#needs = needs;
    this.#keys = new Set([needs.topicId]);
    this.#release = needs.library.events.on("personal", ({ domains }) => {
      if (!domains.has("annotation")) return;
      this.#all = null;
      this.events.emit("change");
    });
  }

  /** Includes strokes drawn before the topic or its blocks were renamed. */
  follow(renames: readonly Rename[]): void {
    const { topicId } = this.#needs;
    this.#keys = new Set([topicId, ...renames.filter(({ to }) => to === topicId).map(({ from }) => from)]);
    this.currentId = followRenames(renames);
    this.#all = null;
    this.events.emit("change");
  }

  dispose(): void {
    this.#release();
  }

  /** All strokes of the page in drawing order; the same array while nothing changes. */
  get strokes(): readonly Stroke[] {
    this.#all ??= [...this.#pending].reduce(
      withStep,
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

  /** Adds strokes as one undo step. */
  draw(...strokes: Omit<Stroke, "strokeId">[]): Promise<void> {
    return this.#do({ drawn: strokes.map((stroke) => ({ strokeId: uuidv7(), ...stroke })), erased: [] });
  }

  erase(strokes: readonly Stroke[]): Promise<void> {
    const here = new Set(this.strokes.map(({ strokeId }) => strokeId));
    const erased = strokes.filter(({ strokeId }) => here.has(strokeId));
    return erased.length ? this.#do({ drawn: [], erased }) : Promise.resolve();
  }

  /** Erases everything; can be undone. */
  clear(): Promise<void> {
    return this.erase(this.strokes);
  }

  async undo(): Promise<void> {
    const undone = undo(this.#steps);
    if (!undone) return;
    this.#steps = undone.steps;
    await this.#applyStep(undone.step);
  }

  async redo(): Promise<void> {
    const redone = redo(this.#steps);
    if (!redone) return;
    this.#steps = redone.steps;
    await this.#applyStep(redone.step);
  }

  get #drawings(): [string, Drawing][] {
    return [...this.#needs.library.replica.allPersonal("annotation")].flatMap(([entityId, annotation]): [string, Drawing][] =>
      isDrawing(annotation) && this.#keys.has(annotation.topicId) ? [[entityId, annotation]] : [],
    );
  }

  #do(step: Step): Promise<void> {
    this.#steps = record(this.#steps, step);
    return this.#applyStep(step);
  }

  /** Shows a step at once and stores steps in sequence: the drawing of a stroke depends on what was stored before. */
  #applyStep(step: Step): Promise<void> {
    this.#all = withStep(this.strokes, step);
    this.#pending.add(step);
    this.events.emit("change");
    const kept = this.#queue.then(() => this.#store(step)).then(() => void this.#pending.delete(step));
    this.#queue = kept.catch(() => undefined);
    return kept;
  }

  async #store({ drawn, erased }: Step): Promise<void> {
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

/** The strokes after a step; idempotent. */
function withStep(strokes: readonly Stroke[], { drawn, erased }: Step): readonly Stroke[] {
  const replaced = new Set([...erased, ...drawn].map(({ strokeId }) => strokeId));
  return [...strokes.filter(({ strokeId }) => !replaced.has(strokeId)), ...drawn];
}

const changesOf = ({ changes, strokes }: Drawing): number => changes ?? strokes.length;

function chunks<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size));
}
