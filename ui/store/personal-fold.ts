import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ChangeDataOf, Domain, PreferenceChoices, Stroke } from "@colloquy/schemas/sync/changes.ts";

export type PersonalDomain = Exclude<Domain, "conversation">;

interface Kept {
  createdAt: string;
  updatedAt: string;
}
/** A highlighted passage of a page, with or without a note. */
export type Mark = ChangeDataOf<"annotation">["marked"] & Kept;
/** Ink on a page: strokes in drawing order, without the erased ones. */
export type Drawing = ChangeDataOf<"annotation">["drawn"] &
  Kept & {
    /** How many changes the drawing has taken; their number is limited. Absent in rows of older versions. */
    changes?: number;
  };
export const isDrawing = (annotation: Mark | Drawing): annotation is Drawing => "strokes" in annotation;

/** The state of an entity in each personal domain. */
export interface PersonalStates {
  preferences: { choices: PreferenceChoices; hiddenModels: string[] };
  progress: { courseId: string; place: number; finished: boolean; at: string };
  annotation: Mark | Drawing;
  /** `buriedAt`: when the card was last postponed to the next day. */
  review: { courseId: string; suspended: boolean; buriedAt?: string; reviews: { changeId: string; at: string; rating: number }[] };
}

interface PersonalChange {
  changeId: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
}
type State<Of extends PersonalDomain> = PersonalStates[Of] | null;
type Fold<Of extends PersonalDomain> = (state: State<Of>, change: PersonalChange) => State<Of>;

const folds: { [Of in PersonalDomain]: Fold<Of> } = {
  preferences(state, { type, data }) {
    const { choices, hiddenModels } = state ?? { choices: {}, hiddenModels: [] };
    if (type === "chosen") return { choices: { ...choices, ...(data as PreferenceChoices) }, hiddenModels };
    const modelId = String(data.modelId);
    const others = hiddenModels.filter((id) => id !== modelId);
    if (type === "model_hidden") return { choices, hiddenModels: [...others, modelId].sort() };
    return type === "model_shown" ? { choices, hiddenModels: others } : state;
  },
  progress(state, { type, at, data }) {
    const courseId = String(data.courseId);
    if (type === "read_to") return { courseId, place: Number(data.place), finished: state?.finished ?? false, at };
    if (type === "finished") return { courseId, place: 1, finished: true, at };
    return type === "reopened" ? { courseId, place: 0, finished: false, at } : state;
  },
  annotation(state, { type, at, data }) {
    if (type === "marked") return state ?? { ...(data as ChangeDataOf<"annotation">["marked"]), createdAt: at, updatedAt: at };
    if (type === "drawn") {
      const drawn = data as ChangeDataOf<"annotation">["drawn"];
      if (!state) return { ...drawn, changes: 1, createdAt: at, updatedAt: at };
      return isDrawing(state) ? { ...state, ...counted(state), strokes: [...state.strokes, ...drawn.strokes], updatedAt: at } : state;
    }
    if (type === "deleted" || !state) return null;
    if (type === "strokes_erased")
      return isDrawing(state) ? { ...state, ...counted(state), strokes: without(state.strokes, data), updatedAt: at } : state;
    return { ...state, ...data, updatedAt: at };
  },
  review(state, { changeId, type, at, data }) {
    const before = state ?? { courseId: "", suspended: false, reviews: [] };
    if (type === "suspended") return { ...before, suspended: true };
    if (type === "buried") return { ...before, buriedAt: at };
    if (type === "resumed") {
      const { buriedAt: _, ...rest } = before;
      return { ...rest, suspended: false };
    }
    if (type === "taken_back") return { ...before, reviews: before.reviews.filter((one) => one.changeId !== data.changeId) };
    if (type !== "reviewed") return state;
    const reviews = [...before.reviews, { changeId, at, rating: Number(data.rating) }].slice(-bounds.learner.reviewsKept);
    return { ...before, courseId: String(data.courseId), reviews };
  },
};

const counted = ({ changes, strokes }: Drawing): { changes: number } => ({ changes: (changes ?? strokes.length) + 1 });

function without(strokes: readonly Stroke[], data: Record<string, unknown>): Stroke[] {
  const gone = new Set(data.strokeIds as string[]);
  return strokes.filter(({ strokeId }) => !gone.has(strokeId));
}

/** An entity's state after a change; null: deleted or unknown. The last write wins. Pure. */
export function personalAfter<Of extends PersonalDomain>(domain: Of, state: State<Of>, change: PersonalChange): State<Of> {
  return folds[domain](state, change);
}

/** Domains that an erasure of the account empties; annotations are deleted by events of their own. */
export const erasedDomains: readonly PersonalDomain[] = ["preferences", "progress", "review"];

export const personalKey = ({ domain, entityId }: { domain: Domain; entityId: string }): string => `${domain} ${entityId}`;
