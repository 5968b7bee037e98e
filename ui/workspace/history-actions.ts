import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { MenuItem } from "../controls/menu.ts";
import { msg } from "../messages/page.ts";
import type { Library } from "../store/library.ts";
import { ledgerTarget, type Target } from "./layout/target.ts";

/** Asked and offered seldom, so loaded then. */
const dialogs = () => import("./history-dialogs.ts");

interface Ways {
  /** Opens what belongs to the conversation. */
  show(target: Target): void;
  /** Renames in place, where there is a place. */
  rename?(): void;
}

/** What can be done with a conversation of the history, from its row or its own menu. */
export function conversationMenu(library: Library, summary: ConversationSummary, { show, rename }: Ways): MenuItem[] {
  const { conversationId, pinned, state, mode } = summary;
  return [
    ...(mode === "tutor" ? [{ words: msg("workspace.openItsLedger"), act: () => show(ledgerTarget(conversationId)) }] : []),
    { words: msg("workspace.rename"), act: rename ?? (() => void renameInDialog(library, summary)) },
    pinned
      ? { words: msg("workspace.unpin"), act: () => void change(library, conversationId, "unpinned") }
      : { words: msg("workspace.pin"), act: () => void change(library, conversationId, "pinned") },
    state === "archived"
      ? { words: msg("workspace.restore"), act: () => void change(library, conversationId, "restored") }
      : { words: msg("workspace.archive"), act: () => void archive(library, summary) },
    { words: msg("workspace.exportAsMarkdown"), act: () => void exportAs(library, conversationId, "md") },
    { words: msg("workspace.exportAsJson"), act: () => void exportAs(library, conversationId, "json") },
    { words: msg("workspace.delete"), act: () => void remove(library, summary) },
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
  (await dialogs()).offerUndo(msg("workspace.isArchived", { title }), () => void change(library, conversationId, "restored"));
}

/** An empty title, or the same one, changes nothing. */
export async function rename(library: Library, { conversationId, title: before }: ConversationSummary, title: string): Promise<void> {
  const words = title.trim().slice(0, 200);
  if (words && words !== before) await library.commit([{ conversationId, type: "renamed", data: { title: words } }]);
}

async function renameInDialog(library: Library, summary: ConversationSummary): Promise<void> {
  const title = await (await dialogs()).askTitle(summary.title);
  if (title !== null) await rename(library, summary, title);
}

/** Deletes after saying what goes. Resolves to whether it was deleted. */
export async function remove(library: Library, summary: ConversationSummary): Promise<boolean> {
  const record = await library.stored(summary.conversationId);
  if (!(await (await dialogs()).confirmDeletion(summary, record))) return false;
  await change(library, summary.conversationId, "deleted");
  return true;
}

async function exportAs(library: Library, conversationId: string, ending: "md" | "json"): Promise<void> {
  const record = (await library.stored(conversationId)) ?? (await library.open(conversationId).catch(() => null));
  if (!record) return;
  const { exportedFile } = await import("./exported-file.ts");
  const { text, name, type } = exportedFile(record, ending);
  save(text, name, type);
}

/** Saves a file where the browser puts downloads. */
export function save(text: string, download: string, type: string): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type })), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
