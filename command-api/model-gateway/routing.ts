import type { ModelSelection } from "@colloquy/schemas/models.ts";
import type { ModelTarget } from "./targets.ts";

/** What a model is used for. */
export type Need = "ask" | "tutor" | "quiz";

/** One model to try. `depth` counts the models before it in the order; it is what the answer reports as fallbackDepth. */
export interface Attempt {
  model: ModelTarget;
  depth: number;
  /** Tried only if the model before it was unavailable, not if it rejected the request. */
  onlyWhenUnavailable: boolean;
}

export type Route = { ok: true; attempts: Attempt[] } | { ok: false; code: "ai_unavailable" | "model_not_capable" };

/**
 * The models to try, in order. Automatic: the defaults of P1, P2, P3, P4, with the default of the local models before or after them if it has a rank. A pinned model has no fallback unless the conversation allows it;
 * the newest flash model of P2 may be retried at P3. Ask-only models never tutor, and their quizzes go to a model that can make them.
 */
export function route(selection: ModelSelection, need: Need, available: readonly ModelTarget[]): Route {
  const capable = (model: ModelTarget) => need === "ask" || model[need];
  const inOrder = available.filter((model) => model.default && model.automaticRank !== null).sort(byRank);
  const chain = inOrder.filter(capable);

  if (selection.choice === "automatic") {
    if (chain.length) return attempts(chain);
    return { ok: false, code: inOrder.length ? "model_not_capable" : "ai_unavailable" };
  }

  const pinned = available.find((model) => `${model.provider}/${model.id}` === selection.id);
  if (pinned && !capable(pinned)) {
    if (need !== "quiz") return { ok: false, code: "model_not_capable" };
    const stand = chain.length ? chain : available.filter((model) => capable(model) && model.automaticRank !== null).sort(byRank);
    return stand.length ? attempts(stand) : { ok: false, code: "model_not_capable" };
  }

  const first = pinned ? [pinned, ...sameModelAtP3(pinned, available)] : [];
  const rest = selection.allowFallbackWhenPinned ? chain.filter((model) => !first.some((other) => isSame(model, other))) : [];
  if (!first.length && !rest.length) return { ok: false, code: "ai_unavailable" };
  // A pinned model that is no longer configured counts as the first model of the order.
  const offset = pinned ? 0 : 1;
  return {
    ok: true,
    attempts: [...first, ...rest].map((model, index) => ({
      model,
      depth: index + offset,
      onlyWhenUnavailable: index > 0 && index < first.length && !selection.allowFallbackWhenPinned,
    })),
  };
}

const byRank = (a: ModelTarget, b: ModelTarget) => (a.automaticRank ?? 9) - (b.automaticRank ?? 9);
const isSame = (a: ModelTarget, b: ModelTarget) => a.provider === b.provider && a.serviceId === b.serviceId;

function attempts(models: ModelTarget[]): Route {
  return { ok: true, attempts: models.map((model, depth) => ({ model, depth, onlyWhenUnavailable: false })) };
}

/** The newest flash model of P2 at P3: P3's own entry if listed, else the same model with P3's id. */
function sameModelAtP3(pinned: ModelTarget, available: readonly ModelTarget[]): ModelTarget[] {
  const serviceId = pinned.p3ServiceId;
  if (pinned.provider !== "p2" || !pinned.newestFlash || serviceId === undefined) return [];
  const atP3 = available.filter((model) => model.provider === "p3");
  const [any] = atP3;
  if (!any) return [];
  const listed = atP3.find((model) => model.serviceId === serviceId);
  if (listed) return [listed];
  return [
    {
      ...pinned,
      id: serviceId,
      serviceId,
      newestFlash: false,
      p3ServiceId: undefined,
      default: false,
      provider: "p3",
      providerLabel: any.providerLabel,
      service: any.service,
      automaticRank: any.automaticRank,
    },
  ];
}
