/** What a tab shows. A conversation without an id has not begun; a page's address may carry a mark (`?mark=`) and a block (`#`). */
export type Target = { kind: "conversation"; conversationId: string | null } | { kind: "page"; href: string; title: string };

export const newConversation: Target = { kind: "conversation", conversationId: null };

export const conversationTarget = (conversationId: string | null): Target => ({ kind: "conversation", conversationId });

/** The page an address leads to, without what only says where on it to look. */
export const pathOf = (href: string): string => href.replace(/[?#].*$/s, "").replace(/(.)\/+$/, "$1");

/** A page of a course or one of its parts, on this site. */
export const isCoursePage = (href: string): boolean => /^\/courses\/[^/?#]/.test(href);

/** Whether two targets are the same thing, wherever on it one looks. */
export function sameTarget(one: Target, other: Target): boolean {
  if (one.kind === "page") return other.kind === "page" && pathOf(one.href) === pathOf(other.href);
  return other.kind === "conversation" && one.conversationId === other.conversationId;
}
