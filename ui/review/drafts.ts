import type { QuestionResponse } from "@colloquy/schemas/questions/response.ts";
import type { ReviewAsk } from "@colloquy/schemas/review/requests.ts";
import type { AccountStore } from "../store/account-store.ts";
import { reviewDraftKey } from "../store/rows.ts";

type ReviewDraft = Pick<ReviewAsk, "blockId" | "digest"> & { response: QuestionResponse };

/** Keeps what was given to a question so far, on this device; null once it was marked, or cannot be any more. */
export async function keepDraft(
  meta: AccountStore["meta"],
  { blockId, digest }: ReviewAsk,
  response: QuestionResponse | null,
): Promise<void> {
  if (response === null) await meta.delete(reviewDraftKey);
  else await meta.put({ key: reviewDraftKey, value: JSON.stringify({ blockId, digest, response }) });
}

/** What was given to this version of the question before the page was left. */
export async function draftOf(meta: AccountStore["meta"], { blockId, digest }: ReviewAsk): Promise<QuestionResponse | null> {
  const kept = (await meta.get(reviewDraftKey))?.value;
  if (kept === undefined) return null;
  const draft = JSON.parse(kept) as ReviewDraft;
  return draft.blockId === blockId && draft.digest === digest ? draft.response : null;
}
