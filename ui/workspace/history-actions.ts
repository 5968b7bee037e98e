import type { ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import type { MenuItem } from "../controls/menu.ts";
import { msg } from "../messages/page.ts";
import type { Library } from "../store/library.ts";
import { ledgerTarget, type Target } from "./layout/target.ts";

/** Loaded on first use. */
const dialogs = () => import("./history-dialogs.ts");

interface Ways {
  /** Opens the conversation's ledger. */
  show(target: Target): void;
  /** Renames in the row, where there is one. */
  rename?(): void;
}

/** The menu of a conversation, in its row or its tab. */
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

/** Archives a conversation and offers to undo that. */
export async function archive(library: Library, { conversationId, title }: ConversationSummary): Promise<void> {
  await change(library, conversationId, "archived");
  (await dialogs()).offerUndo(msg("workspace.isArchived", { title }), () => void change(library, conversationId, "restored"));
}

/** Ignores an empty or unchanged title. */
export async function rename(library: Library, { conversationId, title: before }: ConversationSummary, title: string): Promise<void> {
  const words = title.trim().slice(0, 200);
  if (words && words !== before) await library.commit([{ conversationId, type: "renamed", data: { title: words } }]);
}

async function renameInDialog(library: Library, summary: ConversationSummary): Promise<void> {
  const title = await (await dialogs()).askTitle(summary.title);
  if (title !== null) await rename(library, summary, title);
}

/** Deletes after confirmation. Resolves to whether it was deleted. */
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

/** Saves a file as a download. */
export function save(text: string, download: string, type: string): void {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(new Blob([text], { type })), download });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
