import type { AuthoredCourse } from "@colloquy/schemas/courses/authored.ts";
import { mergeCourses } from "@colloquy/schemas/courses/editing/merge.ts";
import { composedRenames, type HeldIds, heldAmong, type RenamedId, renamesOver } from "@colloquy/schemas/courses/editing/rename.ts";
import { sameCourse } from "@colloquy/schemas/courses/editing/units.ts";
import { uuidv7 } from "../api/uuid.ts";

/** The live revision an author began from. */
export interface Base {
  readonly sequence: number;
  readonly revisionId: string;
}

/** What one owner is editing. Values never change: each edit makes new ones that share what it did not touch. */
export interface EditingState {
  readonly base: Base;
  readonly baseCourse: AuthoredCourse;
  /** The base itself is lost, and `baseCourse` is what is published instead: nobody knows who changed what. */
  readonly baseLost?: boolean;
  readonly course: AuthoredCourse;
  readonly renamedIds: RenamedId[];
}

export interface Edit {
  /** What was done, in the reader's language: "Undo: …". */
  label: string;
  /** Consecutive edits with the same key are one step to undo, such as typing in one block. */
  coalesce?: string;
  /** Where undoing leads. */
  place?: { topicId?: string; blockId?: string };
}

/** Why the session is another now. `edit` is what was done or undone; a rebase has none. */
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

/** Whoever pauses for so long begins a new step, so that one undo never takes away an hour of typing. */
const pauseMs = 5_000;

/**
 * One session of editing a course: its base, the course as it stands now, and one log of everything that was done, whatever it was done
 * with; a step shares what it left alone, so that all can be kept. Says "change" (`SessionChangeEvent`) after every change.
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
    this.#state = { ...state, course: sharing(baseCourse, course), renamedIds: renamesOver(baseCourse, renamedIds) };
    this.#now = now;
  }

  get state(): EditingState {
    return this.#state;
  }

  /** Whether the content differs from the base: what publishing depends on. */
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

  /** Does something with the course. What changes nothing is no step. */
  apply(edit: Edit, to: (course: AuthoredCourse) => AuthoredCourse, renamed?: (before: RenamedId[]) => RenamedId[]): void {
    const before = contentOf(this.#state);
    const course = to(before.course);
    if (course === before.course) return;
    const after: Content = { course, renamedIds: renamed ? renamed(before.renamedIds) : before.renamedIds };
    const last = this.#done.at(-1);
    const now = this.#now();
    const goesOn = edit.coalesce !== undefined && last?.edit.coalesce === edit.coalesce && now - this.#lastAt < pauseMs;
    const step: Step = goesOn && last ? { edit, before: last.before, after } : { edit, before, after };
    this.#done = [...(goesOn ? this.#done.slice(0, -1) : this.#done), step];
    this.#undone = [];
    this.#lastAt = now;
    this.#become({ ...this.#state, ...after }, "apply", edit);
  }

  /** Ends the step being made: what comes next is one of its own, also with the same `coalesce`. */
  seal(): void {
    this.#lastAt = Number.NEGATIVE_INFINITY;
  }

  /** Takes the last step back that there is anything left of. @returns what was undone; null where there is nothing */
  undo(): Edit | null {
    for (let step = this.#done.at(-1); step; step = this.#done.at(-1)) {
      this.#done = this.#done.slice(0, -1);
      this.#undone = [...this.#undone, step];
      if (this.#turn(step.after, step.before, "undo", step.edit)) return step.edit;
    }
    return null;
  }

  redo(): Edit | null {
    for (let step = this.#undone.at(-1); step; step = this.#undone.at(-1)) {
      this.#undone = this.#undone.slice(0, -1);
      this.#done = [...this.#done, step];
      if (this.#turn(step.before, step.after, "redo", step.edit)) return step.edit;
    }
    return null;
  }

  /**
   * Stands on another revision: after publishing, where `baseCourse` is the course that was sent, while typing may have gone on; or after a
   * conflict was resolved, where `course` is what was chosen. The log stays.
   */
  rebase(base: Base, baseCourse: AuthoredCourse, course: AuthoredCourse = this.#state.course, baseLost = false): void {
    const published = this.#renamesPublished(baseCourse);
    const lists = new Set([this.#state, ...this.#contents()].map(({ renamedIds }) => renamedIds));
    const held = heldAmong(published, ...lists);
    const renamesOf = (content: Content): RenamedId[] => renamesOver(baseCourse, renamesSince(published, content, held));
    const onNewBase = (content: Content): Content => ({ ...content, renamedIds: renamesOf(content) });
    const onBase = (step: Step): Step => ({ ...step, before: onNewBase(step.before), after: onNewBase(step.after) });
    this.#done = this.#done.map(onBase);
    this.#undone = this.#undone.map(onBase);
    this.seal();
    const renamedIds = renamesOf({ course, renamedIds: this.#state.renamedIds });
    this.#become({ base, baseCourse, baseLost, course: sharing(baseCourse, course), renamedIds }, "rebase", null);
  }

  /** The renames a published course went out with; none for a course that is not of this session. */
  #renamesPublished(course: AuthoredCourse): readonly RenamedId[] {
    const renamed = [contentOf(this.#state), ...this.#contents()].filter(({ renamedIds }) => renamedIds.length > 0);
    // One that comes from the service is another object with the same content.
    return renamed.find((content) => content.course === course || sameCourse(content.course, course))?.renamedIds ?? [];
  }

  /** What was in the session before and after each step. */
  #contents(): Content[] {
    return [...this.#done, ...this.#undone].flatMap(({ before, after }) => [before, after]);
  }

  /**
   * Where the course is what the step left, it becomes what was before. Where a conflict was resolved since, only what nobody changed after
   * the step is taken back: undoing never brings an old text over one that somebody else published.
   * @returns whether the course became another: of a step nothing may be left
   */
  #turn(from: Content, to: Content, cause: "undo" | "redo", edit: Edit): boolean {
    this.seal();
    const present = contentOf(this.#state);
    const isLatest = sameCourse(present.course, from.course);
    const next = isLatest ? to : turnedWithin(present, from, to, this.#state.baseCourse);
    const changes = isLatest || !sameCourse(present.course, next.course);
    this.#become({ ...this.#state, ...next }, cause, edit);
    return changes;
  }

  #become(state: EditingState, cause: SessionChangeEvent["cause"], edit: Edit | null): void {
    this.#state = state;
    this.dispatchEvent(new SessionChangeEvent(cause, edit));
  }
}

const contentOf = ({ course, renamedIds }: EditingState): Content => ({ course, renamedIds });

/** What a step changed, taken back from content that has gone on since: unit by unit, and only where a unit is as the step left it. */
function turnedWithin(present: Content, from: Content, to: Content, base: AuthoredCourse): Content {
  const { course } = mergeCourses({ base: from.course, live: present.course, draft: to.course }, new Map(), uuidv7);
  const renamedIds = composedRenames(present.renamedIds, renamesSince(from.renamedIds, to), course);
  return { course, renamedIds: renamesOver(base, renamedIds) };
}

/** Renames as they are from a course that was published with some of them. */
function renamesSince(published: readonly RenamedId[], { course, renamedIds }: Content, held?: HeldIds): RenamedId[] {
  const back = published.map(({ from, to }) => ({ from: to, to: from }));
  return composedRenames(back, renamedIds, course, held);
}

/** The course with every part that equals the base's being the base's: comparing the two is then a matter of microseconds. */
function sharing(base: AuthoredCourse, course: AuthoredCourse): AuthoredCourse {
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
