import type { Citation } from "@colloquy/schemas/ask/citations.ts";
import { msg } from "../messages/page.ts";

/** Marks in a finished answer where a citation's passage does not say what the sentence says. May be repeated after each drawing. */
export function markUnsupported(answer: Element, citations: readonly Citation[]): void {
  for (const { number, unsupported = [] } of citations) {
    if (unsupported.length === 0) continue;
    const marks = answer.querySelectorAll<HTMLElement>(`a.cite[data-citation="${number}"]`);
    for (const { mark, missing } of unsupported) {
      const chip = marks[mark - 1];
      if (!chip) continue;
      chip.dataset.unsupported = missing.join(", ");
      const label = chip.getAttribute("aria-label") ?? "";
      const doubted = msg("conversation.notConfirmedByIt", { source: chip.dataset.label ?? label });
      chip.dataset.label ??= label;
      chip.setAttribute("aria-label", doubted);
    }
  }
}

/** What is to be said of a mark that is doubted; null for any other. */
export function unsupportedText(chip: Element): string | null {
  const missing = chip instanceof HTMLElement ? chip.dataset.unsupported : undefined;
  if (missing === undefined) return null;
  const found = missing ? msg("conversation.passageDoesSay", { missing }) : msg("conversation.passageSeemsSaySomething");
  return `${found} ${msg("conversation.checkSentenceBeforeRely")}`;
}
