import { pathOf } from "../../courses/paths.ts";

/**
 * What a tab shows. A conversation without an id has not begun; a page's address may carry a mark (`?mark=`) and a block (`#`). A ledger
 * is named by its tutoring session, or by a conversation until it is known which session is its newest; it may be opened at an event.
 * An explainer is named by its course and topic with a dot between, and shows one of their films or begins another.
 */
export type Target =
  | { kind: "conversation"; conversationId: string | null }
  | { kind: "page"; href: string; title: string }
  | { kind: "ledger"; of: string; title: string; event: number | null }
  | { kind: "explainer"; of: string; title: string; film: string | null };

export const newConversation: Target = { kind: "conversation", conversationId: null };

export const conversationTarget = (conversationId: string | null): Target => ({ kind: "conversation", conversationId });

export const ledgerTarget = (of: string, event: number | null = null, title = ""): Target => ({ kind: "ledger", of, title, event });

/** Whether two targets are the same thing, wherever on it one looks. */
export function sameTarget(one: Target, other: Target): boolean {
  if (one.kind === "page") return other.kind === "page" && pathOf(one.href) === pathOf(other.href);
  if (one.kind === "ledger" || one.kind === "explainer") return other.kind === one.kind && one.of === other.of;
  return other.kind === "conversation" && one.conversationId === other.conversationId;
}
