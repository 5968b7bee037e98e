import type { DrawingElement } from "../annotations/drawing.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { onInkElsewhere } from "./ink-elsewhere.ts";

/** The ink of an article: whether somebody draws. */
export interface Ink {
  readonly active: boolean;
  /** Begins or ends drawing. @throws when what is needed did not load; the next wish tries again */
  set(active: boolean): Promise<void>;
}

/**
 * Ink on the page, for whoever is signed in. Its code is loaded when somebody has annotated pages before, on any device, or wants to draw.
 * @param ended somebody wishes to read again
 */
export function inkOf(article: HTMLElement, ended: () => void): Ink | null {
  const { account: accountId, course: courseId, topic: topicId } = article.dataset;
  if (!accountId || !courseId || !topicId) return null;
  let opening: Promise<DrawingElement> | null = null;
  let active = false;
  /** Aborted once the drawing follows the account by itself. */
  const waiting = new AbortController();

  const open = async (): Promise<DrawingElement> => {
    const [{ openDrawing }] = await Promise.all([import("../annotations/open.ts"), loadReadingMessages()]);
    const drawing = await openDrawing(article, { accountId, courseId, topicId });
    drawing.addEventListener("colloquy-drawn", ended);
    waiting.abort();
    return drawing;
  };
  const opened = (): Promise<DrawingElement> => {
    opening ??= open().catch((error) => {
      opening = null;
      throw error;
    });
    return opening;
  };
  const show = (): void => void opened().catch(() => undefined);
  if (article.dataset.annotated !== undefined) requestIdleCallback(show);
  else onInkElsewhere(accountId, show, waiting.signal);
  return {
    get active() {
      return active;
    },
    async set(wanted) {
      if (!wanted && !opening) return;
      const drawing = await opened();
      active = wanted;
      drawing.active = wanted;
      if (wanted) void drawing.focusTools();
    },
  };
}

/** The button of a reader, who draws or reads. Owners have modes instead. */
export function offerDrawing(article: HTMLElement): void {
  const button = document.querySelector<HTMLButtonElement>("[data-action='draw']");
  const ink = button && inkOf(article, () => void turn(false));
  if (!button || !ink) return;

  const turn = async (wanted: boolean): Promise<void> => {
    button.setAttribute("aria-busy", "true");
    try {
      await ink.set(wanted);
      button.setAttribute("aria-pressed", String(wanted));
      if (!wanted) button.focus({ preventScroll: true });
    } catch {
      button.textContent = msg("course.drawingDidLoadTry");
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
  button.hidden = false;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => void turn(!ink.active));
}
