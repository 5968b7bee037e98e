import { pathOf } from "../../courses/paths.ts";

/**
 * The content of a tab. A conversation without id is new; a page's address may contain a highlight (`?mark=`) and a block (`#`). A ledger
 * is named by its session, or by a conversation until its newest session is known, and may open at an event. An explainer is named by
 * course and topic with a dot between, and shows one of their videos or starts another.
 */
export type Target =
  | { kind: "conversation"; conversationId: string | null }
  | { kind: "page"; href: string; title: string }
  | { kind: "ledger"; of: string; title: string; event: number | null }
  | { kind: "explainer"; of: string; title: string; film: string | null };

export const newConversation: Target = { kind: "conversation", conversationId: null };

export const conversationTarget = (conversationId: string | null): Target => ({ kind: "conversation", conversationId });

export const ledgerTarget = (of: string, event: number | null = null, title = ""): Target => ({ kind: "ledger", of, title, event });

/** Whether two targets are the same thing, at any place of it. */
export function sameTarget(one: Target, other: Target): boolean {
  if (one.kind === "page") return other.kind === "page" && pathOf(one.href) === pathOf(other.href);
  if (one.kind === "ledger" || one.kind === "explainer") return other.kind === one.kind && one.of === other.of;
  return other.kind === "conversation" && one.conversationId === other.conversationId;
}
