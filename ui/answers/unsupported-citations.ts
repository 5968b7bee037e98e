import type { Citation } from "@colloquy/schemas/sources/citations.ts";
import { msg } from "../messages/page.ts";

/** Marks the citations of a finished answer whose passage does not support the sentence. Can be repeated after each render. */
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

/** The warning for a marked citation; null for others. */
export function unsupportedText(chip: Element): string | null {
  const missing = chip instanceof HTMLElement ? chip.dataset.unsupported : undefined;
  if (missing === undefined) return null;
  const found = missing ? msg("conversation.passageDoesNotSay", { missing }) : msg("conversation.passageSeemsSaySomething");
  return `${found} ${msg("conversation.checkSentenceBeforeRely")}`;
}
