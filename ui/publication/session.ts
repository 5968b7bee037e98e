import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { mergeCourses } from "@colloquy/schemas/courses/editing/merge.ts";
import { composedRenames, type HeldIds, heldAmong, type RenamedId, renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { uuidv7 } from "../api/uuid.ts";

/** The revision that an author started from. */
export interface Base {
  readonly sequence: number;
  readonly revisionId: string;
}

/** The state of an editing session. Immutable: each edit makes a new one that shares unchanged parts. */
export interface EditingState {
  readonly base: Base;
  readonly baseCourse: AuthoredCourse;
  /** The base no longer exists and `baseCourse` is the live one: who changed what is unknown. */
  readonly baseLost?: boolean;
  readonly course: AuthoredCourse;
  readonly renamedIds: RenamedId[];
}

export interface Edit {
  /** Name of the edit in the reader's language: "Undo: …". */
  label: string;
  /** Consecutive edits with the same key are one undo step, such as typing in one block. */
  coalesce?: string;
  /** Where to go when the edit is undone. */
  place?: { topicId?: string; blockId?: string };
}

/** The session changed. `edit` is what was done or undone; null for a rebase. */
export class SessionChangeEvent extends Event {
  static readonly type = "change";
  readonly cause: "apply" | "undo" | "redo" | "rebase";
  readonly edit: Edit | null;
  constructor(cause: SessionChangeEvent["cause"], edit: Edit | null) {
    super(SessionChangeEvent.type);
    this.cause = cause;
    this.edit = edit;
  }
}

type Content = Pick<EditingState, "course" | "renamedIds">;

interface Step {
  readonly edit: Edit;
  readonly before: Content;
  readonly after: Content;
}

/** A pause this long starts a new undo step, so that one undo never removes an hour of typing. */
const pauseMs = 5_000;

/**
 * One editing session: the base, the present course, and an undo log of all edits. Steps share unchanged parts, so the log is unbounded.
 * Dispatches "change" (`SessionChangeEvent`) after every change.
 */
export class EditingSession extends EventTarget {
  #state: EditingState;
  #done: Step[] = [];
  #undone: Step[] = [];
  #lastAt = Number.NEGATIVE_INFINITY;
  #compared: { state: EditingState; changed: boolean } | null = null;
  readonly #now: () => number;

  constructor(state: EditingState, now: () => number = Date.now) {
    super();
    const { baseCourse, course, renamedIds } = state;
    this.#state = { ...state, course: withSharedParts(baseCourse, course), renamedIds: renamesOver(baseCourse, renamedIds, course) };
    this.#now = now;
  }

  get state(): EditingState {
    return this.#state;
  }

  /** Whether the content differs from the base, so that there is something to publish. */
  get changed(): boolean {
    const state = this.#state;
    if (this.#compared?.state !== state) this.#compared = { state, changed: !sameCourse(state.course, state.baseCourse) };
    return this.#compared.changed;
  }

  get undoLabel(): string | null {
    return this.#done.at(-1)?.edit.label ?? null;
  }

  get redoLabel(): string | null {
    return this.#undone.at(-1)?.edit.label ?? null;
  }

  /** Applies an edit. An edit without effect is not recorded. */
  apply(edit: Edit, to: (course: AuthoredCourse) => AuthoredCourse, renamed?: (before: RenamedId[]) => RenamedId[]): void {
    const before = contentOf(this.#state);
    const course = to(before.course);
    if (course === before.course) return;
    const after: Content = { course, renamedIds: renamesKept(renamed ? renamed(before.renamedIds) : before.renamedIds, course) };
    const last = this.#done.at(-1);
    const now = this.#now();
    const coalesces = edit.coalesce !== undefined && last?.edit.coalesce === edit.coalesce && now - this.#lastAt < pauseMs;
    const step: Step = coalesces && last ? { edit, before: last.before, after } : { edit, before, after };
    this.#done = [...(coalesces ? this.#done.slice(0, -1) : this.#done), step];
    this.#undone = [];
    this.#lastAt = now;
    this.#setState({ ...this.#state, ...after }, "apply", edit);
  }

  /** Ends the present undo step: the next edit starts a new one, also with the same `coalesce`. */
  endStep(): void {
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  /** Undoes the last step that still has an effect. @returns its edit; null if there is none */
  undo(): Edit | null {
    for (let step = this.#done.at(-1); step; step = this.#done.at(-1)) {
      this.#done = this.#done.slice(0, -1);
      this.#undone = [...this.#undone, step];
      if (this.#applyStep(step.after, step.before, "undo", step.edit)) return step.edit;
    }
    return null;
  }

  redo(): Edit | null {
    for (let step = this.#undone.at(-1); step; step = this.#undone.at(-1)) {
      this.#undone = this.#undone.slice(0, -1);
      this.#done = [...this.#done, step];
      if (this.#applyStep(step.before, step.after, "redo", step.edit)) return step.edit;
    }
    return null;
  }

  /**
   * Moves the session to another base: after publishing, where `baseCourse` is the course that was sent; or after a resolved conflict, where
   * `course` is the merged one. The undo log stays.
   */
  rebase(base: Base, baseCourse: AuthoredCourse, course: AuthoredCourse = this.#state.course, baseLost = false): void {
    const published = this.#renamesPublished(baseCourse);
    const lists = new Set([this.#state, ...this.#contents()].map(({ renamedIds }) => renamedIds));
    const held = heldAmong(published, ...lists);
    const renamesOf = (content: Content): RenamedId[] =>
      renamesOver(baseCourse, renamesSince(published, content, held), content.course, held);
    const onNewBase = (content: Content): Content => ({ ...content, renamedIds: renamesOf(content) });
    const onBase = (step: Step): Step => ({ ...step, before: onNewBase(step.before), after: onNewBase(step.after) });
    this.#done = this.#done.map(onBase);
    this.#undone = this.#undone.map(onBase);
    this.endStep();
    const renamedIds = renamesOf({ course, renamedIds: this.#state.renamedIds });
    this.#setState({ base, baseCourse, baseLost, course: withSharedParts(baseCourse, course), renamedIds }, "rebase", null);
  }

  /** The renames that were published with a course; none for a course that is not of this session. */
  #renamesPublished(course: AuthoredCourse): readonly RenamedId[] {
    const renamed = [contentOf(this.#state), ...this.#contents()].filter(({ renamedIds }) => renamedIds.length > 0);
    // A course loaded from the service is another object with the same content.
    return renamed.find((content) => content.course === course || sameCourse(content.course, course))?.renamedIds ?? [];
  }

  /** The content before and after each step. */
  #contents(): Content[] {
    return [...this.#done, ...this.#undone].flatMap(({ before, after }) => [before, after]);
  }

  /**
   * Replaces the course if it still is what the step produced. After a resolved conflict it merges, and reverts only units that were unchanged
   * since: undo never overwrites what somebody else published.
   * @returns false if nothing of the step was left to change
   */
  #applyStep(from: Content, to: Content, cause: "undo" | "redo", edit: Edit): boolean {
    this.endStep();
    const present = contentOf(this.#state);
    const isLatest = sameCourse(present.course, from.course);
    const next = isLatest ? to : mergedStep(present, from, to, this.#state.baseCourse);
    const changes = isLatest || !sameCourse(present.course, next.course);
    this.#setState({ ...this.#state, ...next }, cause, edit);
    return changes;
  }

  #setState(state: EditingState, cause: SessionChangeEvent["cause"], edit: Edit | null): void {
    this.#state = state;
    this.dispatchEvent(new SessionChangeEvent(cause, edit));
  }
}

const contentOf = ({ course, renamedIds }: EditingState): Content => ({ course, renamedIds });

/** The renames without those of what an edit deleted; the same list if there are none, because steps share it. */
function renamesKept(renames: RenamedId[], course: AuthoredCourse): RenamedId[] {
  const kept = composedRenames(renames, [], course);
  return kept.length === renames.length ? renames : kept;
}

/** Merges a step into later content, unit by unit, where the unit is as the step left it. */
function mergedStep(present: Content, from: Content, to: Content, base: AuthoredCourse): Content {
  const { course } = mergeCourses({ base: from.course, live: present.course, draft: to.course }, new Map(), uuidv7);
  const renamedIds = composedRenames(present.renamedIds, renamesSince(from.renamedIds, to), course);
  return { course, renamedIds: renamesOver(base, renamedIds, course) };
}

/** Renames relative to a course that was published with some of them. */
function renamesSince(published: readonly RenamedId[], { course, renamedIds }: Content, held?: HeldIds): RenamedId[] {
  const back = published.map(({ from, to }) => ({ from: to, to: from }));
  return composedRenames(back, renamedIds, course, held);
}

/** The course with equal parts replaced by the base's own objects, so that comparing them is fast. */
function withSharedParts(base: AuthoredCourse, course: AuthoredCourse): AuthoredCourse {
  if (base === course || sameCourse(base, course)) return base;
  const shared = <Part extends { id: string }>(theirs: readonly Part[], own: readonly Part[]): Part[] => {
    const known = new Map(theirs.map((part) => [part.id, JSON.stringify(part)] as const));
    const parts = new Map(theirs.map((part) => [part.id, part]));
    return own.map((part) => (known.get(part.id) === JSON.stringify(part) ? (parts.get(part.id) ?? part) : part));
  };
  return {
    ...course,
    collections: shared(base.collections, course.collections),
    topics: shared(base.topics, course.topics).map((topic) => {
      const before = base.topics.find(({ id }) => id === topic.id);
      return !before || before === topic ? topic : { ...topic, blocks: shared(before.blocks, topic.blocks) };
    }),
  };
}
