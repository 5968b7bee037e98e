import type { Conversation } from "./requests.ts";

/** Stands for who wrote an answer that came over from the earlier version, which did not keep that. */
export const earlierModel = "earlier-version";
/** Stands for a time that the earlier version did not keep. */
export const timeNotKept = new Date(0).toISOString();

type Turn = Conversation["turns"][number];
type NotKept = "at" | "provider" | "model" | "fallbackDepth" | "outcome";
export type ExportedTurn = Omit<Turn, NotKept> & Partial<Pick<Turn, NotKept>>;
type Dates = "createdAt" | "updatedAt";
/** A conversation as it is given away: what is not known of one from the earlier version is not there. */
export type ExportedConversation = Omit<Conversation, "turns" | Dates> & Partial<Pick<Conversation, Dates>> & { turns: ExportedTurn[] };

/** Whether a turn came over from the earlier version. Pure. */
export const isFromEarlier = ({ model }: Pick<Turn, "model">): boolean => model === earlierModel;

/** What is known of a conversation: nothing that stands for what is not, and no day of taking over for the day it was. Pure. */
export function exportedConversation(conversation: Conversation): ExportedConversation {
  const { turns, createdAt, updatedAt, ...rest } = conversation;
  if (!turns.some(isFromEarlier)) return conversation;
  const times = turns.map(({ at }) => at).filter((at) => at !== timeNotKept);
  const last = turns.at(-1);
  const begun = times.toSorted()[0];
  const changed = last && !isFromEarlier(last) ? updatedAt : times.toSorted().at(-1);
  return { ...rest, ...(begun && { createdAt: begun }), ...(changed && { updatedAt: changed }), turns: turns.map(known) };
}

function known(turn: Turn): ExportedTurn {
  if (!isFromEarlier(turn)) return turn;
  const { provider: _provider, model: _model, fallbackDepth: _depth, at, outcome, ...rest } = turn;
  // A question that stood alone was not answered; why is not known.
  return { ...rest, ...(at !== timeNotKept && { at }), ...(turn.answer && { outcome }) };
}
