import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ChangeDataOf, Domain, PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";

export type PersonalDomain = Exclude<Domain, "conversation">;

/** What each personal domain holds of one entity. */
export interface PersonalStates {
  preferences: { choices: PreferenceChoices; hiddenModels: string[] };
  progress: { courseId: string; place: number; finished: boolean; at: string };
  annotation: ChangeDataOf<"annotation">["marked"] & { createdAt: string; updatedAt: string };
  review: { courseId: string; suspended: boolean; reviews: { at: string; rating: number }[] };
}

interface PersonalChange {
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
    if (type === "deleted" || !state) return null;
    return { ...state, ...data, updatedAt: at };
  },
  review(state, { type, at, data }) {
    const before = state ?? { courseId: "", suspended: false, reviews: [] };
    if (type === "suspended" || type === "resumed") return { ...before, suspended: type === "suspended" };
    if (type !== "reviewed") return state;
    const reviews = [...before.reviews, { at, rating: Number(data.rating) }].slice(-bounds.learner.reviewsKept);
    return { ...before, courseId: String(data.courseId), reviews };
  },
};

/** What a change makes of an entity of a personal domain. Null: there is none (any more). The last writing wins. Pure. */
export function personalAfter<Of extends PersonalDomain>(domain: Of, state: State<Of>, change: PersonalChange): State<Of> {
  return folds[domain](state, change);
}

/** The domains that go with everything an account owned; annotations have deletions of their own. */
export const erasedDomains: readonly PersonalDomain[] = ["preferences", "progress", "review"];

export const personalKey = ({ domain, entityId }: { domain: Domain; entityId: string }): string => `${domain} ${entityId}`;
