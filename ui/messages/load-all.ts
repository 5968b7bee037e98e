import { loadDocumentLanguage } from "./load.ts";

/**
 * Loads all messages of the document's language. What a module that imports this one loads is not counted among the messages of reading
 * pages (`messages-plugin.ts`).
 */
export const loadAllMessages = (): Promise<unknown> | null => loadDocumentLanguage("all");
