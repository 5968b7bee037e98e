import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations.ts";
import { conversationAsMarkdown, fileNameOf } from "../rendering/conversation-markdown.ts";
import type { Library } from "../store/library.ts";
import { askTitle, confirmDeletion, offerUndo } from "./history-dialogs.ts";
import type { MenuItem } from "./menu.ts";

/** What can be done with a conversation of the history, from its row or its own menu. `rename` renames in place, where there is a place. */
export function conversationMenu(library: Library, summary: ConversationSummary, rename?: () => void): MenuItem[] {
  const { conversationId, pinned, state } = summary;
  return [
    { words: "Rename", act: rename ?? (() => void renameInDialog(library, summary)) },
    pinned
      ? { words: "Unpin", act: () => void change(library, conversationId, "unpinned") }
      : { words: "Pin", act: () => void change(library, conversationId, "pinned") },
    state === "archived"
      ? { words: "Restore", act: () => void change(library, conversationId, "restored") }
      : { words: "Archive", act: () => void archive(library, summary) },
    { words: "Export as Markdown", act: () => void exportAs(library, conversationId, "md") },
    { words: "Export as JSON", act: () => void exportAs(library, conversationId, "json") },
    { words: "Delete…", act: () => void remove(library, summary) },
  ];
}

function change(
  library: Library,
  conversationId: string,
  type: "pinned" | "unpinned" | "archived" | "restored" | "deleted",
): Promise<void> {
  return library.commit([{ conversationId, type, data: {} }]);
}

/** Archives, and offers to take it back for a while. */
export async function archive(library: Library, { conversationId, title }: ConversationSummary): Promise<void> {
  await change(library, conversationId, "archived");
  offerUndo(`“${title}” is archived.`, () => void change(library, conversationId, "restored"));
}

/** An empty title, or the same one, changes nothing. */
export async function rename(library: Library, { conversationId, title: before }: ConversationSummary, title: string): Promise<void> {
  const words = title.trim().slice(0, 200);
  if (words && words !== before) await library.commit([{ conversationId, type: "renamed", data: { title: words } }]);
}

async function renameInDialog(library: Library, summary: ConversationSummary): Promise<void> {
  const title = await askTitle(summary.title);
  if (title !== null) await rename(library, summary, title);
}

/** Deletes after saying what goes. Resolves to whether it was deleted. */
export async function remove(library: Library, summary: ConversationSummary): Promise<boolean> {
  const record = await library.kept(summary.conversationId);
  if (!(await confirmDeletion(summary, record))) return false;
  await change(library, summary.conversationId, "deleted");
  return true;
}

async function exportAs(library: Library, conversationId: string, ending: "md" | "json"): Promise<void> {
  const record = (await library.kept(conversationId)) ?? (await library.open(conversationId).catch(() => null));
  if (!record) return;
  const text = ending === "md" ? conversationAsMarkdown(record, location.origin) : jsonOf(record);
  save(text, fileNameOf(record.title, ending), ending === "md" ? "text/markdown" : "application/json");
}

const jsonOf = (conversation: Conversation): string => `${JSON.stringify({ schemaVersion: 1, conversation }, null, 2)}\n`;

/** Saves a file where the browser puts downloads. */
export function save(text: string, download: string, type: string): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type })), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
