import { bounds } from "@colloquy/schemas/bounds.ts";
import { demonstrationModel, type ModelSelection, type WrittenBy } from "@colloquy/schemas/models.ts";
import type { SessionObjective, TutorItem } from "@colloquy/schemas/tutor/events.ts";
import type { TurnPassage } from "../grounding/retrieve.ts";
import type { ModelGateway } from "../model-gateway/gateway.ts";
import type { TutorCommand } from "./commands.ts";
import { keyed } from "./course.ts";
import type { Occasion } from "./draft.ts";
import { generate, type ModelContext } from "./model-calls.ts";
import { guessPrompt, lookPrompt } from "./prompts.ts";
import { type Looked, lookedAt, type Refused, shownToLook, turnedBy, unchecked } from "./second-look.ts";

/** What every written question passes before it is asked: a second look, by which it counts, is practice, or is refused. */
export interface QuestionGate {
  /** Each question as it may be asked, or what is wrong with it; in the order given. @throws the signal's reason */
  look(passages: readonly TurnPassage[], items: readonly TutorItem[]): Promise<Looked[]>;
}

interface Needs {
  objectives: readonly SessionObjective[];
  /** Statements that the learner was shown. */
  revealed(): readonly string[];
  /** Told of every question that is refused. */
  refuse(refused: Refused): void;
}

/** Questions that one call is shown. */
const mostQuestions = 8;

export function questionGate(context: ModelContext, { objectives, revealed, refuse }: Needs): QuestionGate {
  // The work that these calls belong to reports its own progress.
  const silent: ModelContext = { ...context, emit: () => undefined };

  async function lookAt(passages: readonly TurnPassage[], items: readonly TutorItem[]): Promise<Looked[]> {
    const [first] = items;
    const model = first && lookerFor(context.gateway, first.by);
    if (!model) return items.map(unchecked);
    const { ms, guesses: count, revealed: most } = bounds.tutor.secondLook;
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(context.secondLookMs ?? ms)]);
    const called: ModelContext = { ...silent, model, signal };
    const titleOf = (objectiveId: string): string => objectives.find((one) => one.objectiveId === objectiveId)?.title ?? "";
    const isNamed = ({ sourceId }: TurnPassage): boolean => items.some(({ sourceIds }) => sourceIds.includes(sourceId));
    const named = keyed(passages, isNamed);
    const questions = items.map((item, index) => shownToLook(item, index + 1, titleOf(item.objectiveId), named));
    const withChoices = questions.filter(({ choices }) => choices.length > 0);
    const { look: lookTokens, guess: guessTokens } = bounds.tutor.outputTokens;
    const guess = async (turn: number) => {
      const turned = withChoices.map(({ number, prompt, kind, choices }) => ({ number, prompt, kind, choices: turnedBy(choices, turn) }));
      return generate(called, "guess", "checking", guessPrompt(turned), "Choose.", guessTokens);
    };
    const prompt = lookPrompt(named, questions, revealed().slice(-most));
    try {
      const [look, ...guesses] = await Promise.all([
        generate(called, "look", "checking", prompt, "Look the questions over.", lookTokens),
        ...(withChoices.length > 0 ? Array.from({ length: count }, (_, turn) => guess(turn)) : []),
      ]);
      if ([look, ...guesses].some(({ by }) => by.model === demonstrationModel)) return items.map(unchecked);
      const found = { look: look.object, guesses: guesses.map(({ object }) => object), verifiedBy: look.by };
      return items.map((item, index) => lookedAt(item, index + 1, found));
    } catch {
      context.signal.throwIfAborted();
      return items.map(unchecked);
    }
  }

  return {
    async look(passages, items) {
      // What the demonstration model writes is practice whatever is found.
      const counting = items.filter(({ evidence }) => evidence?.counts !== false).slice(0, mostQuestions);
      const looked = counting.length > 0 ? await lookAt(passages, counting) : [];
      for (const one of looked) if (!one.fit) refuse(one);
      return items.map(
        (item): Looked =>
          looked.find((one) => one.item.itemId === item.itemId) ??
          (item.evidence?.counts === false ? { fit: true, item } : unchecked(item)),
      );
    },
  };
}

/** The command that records a refusal. */
export function refusal(occasion: Occasion, { item, problems, reason, verifiedBy }: Refused): TutorCommand {
  const { objectiveId, prompt, digest, by } = item;
  return { type: "refuse question", ...occasion, objectiveId, prompt, digest, problems, reason, by, verifiedBy };
}

/**
 * The model that looks: another than the writer's where one is configured, else the same; null where none can judge questions. Where it does
 * not answer, the others do.
 */
export function lookerFor(gateway: Pick<ModelGateway, "choices">, { provider, model }: WrittenBy): ModelSelection | null {
  const able = gateway
    .choices()
    .filter(({ id, capabilities }) => capabilities.tutor && !id.endsWith(`/${demonstrationModel}`))
    .toSorted((one, other) => (one.automaticRank ?? 9) - (other.automaticRank ?? 9));
  const chosen = able.find(({ id }) => id !== `${provider}/${model}`) ?? able[0];
  return chosen ? { choice: "pinned", id: chosen.id, allowFallbackWhenPinned: true } : null;
}
