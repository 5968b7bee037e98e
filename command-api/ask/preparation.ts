import { setTimeout as pause } from "node:timers/promises";
import { loadLanguageDetector } from "../foreign-language.ts";
import { loadEncoding } from "../tokens.ts";

/** Each load stops the process for up to 0.3 s; requests of a workspace that opens get in between. */
const pauseMs = 400;

/**
 * Loads what answers need and an idle program does not, some 65 MB, once a question may follow. A question that is faster loads it itself.
 * @param embeddings loads the model of search by meaning, absent while that is off
 */
export function preparation(embeddings: (() => Promise<void>) | undefined): () => void {
  let loaded = false;
  const load = async (): Promise<void> => {
    for (const loadPart of [loadEncoding, loadLanguageDetector]) {
      await pause(pauseMs, undefined, { ref: false });
      loadPart();
    }
  };
  return () => {
    void embeddings?.();
    if (loaded) return;
    loaded = true;
    void load();
  };
}
