import { exportedConversation } from "@colloquy/schemas/conversations/export.ts";
import type { Conversation } from "@colloquy/schemas/conversations/requests.ts";
import { conversationAsMarkdown, fileNameOf } from "../rendering/conversation-markdown.ts";

/** A conversation as a file. Loaded on first export. */
export function exportedFile(record: Conversation, ending: "md" | "json"): { text: string; name: string; type: string } {
  const text =
    ending === "md"
      ? conversationAsMarkdown(record, location.origin)
      : `${JSON.stringify({ schemaVersion: 1, conversation: exportedConversation(record) }, null, 2)}\n`;
  return { text, name: fileNameOf(record.title, ending), type: ending === "md" ? "text/markdown" : "application/json" };
}
