import { accountHeader } from "@colloquy/schemas/headers.ts";
import type { DrawingElement } from "../annotations/drawing.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";

/** The drawing mode of an article. */
export interface Ink {
  readonly active: boolean;
  /** Starts or ends the drawing mode. @throws if its code did not load; the next call retries */
  set(active: boolean): Promise<void>;
}

/**
 * Drawings on the page of a signed-in reader. The code is loaded if the account has drawings, or when the reader starts to draw.
 * @param ended the reader left the drawing mode
 */
export function createInk(article: HTMLElement, ended: () => void): Ink | null {
  const { account: accountId, course: courseId, topic: topicId } = article.dataset;
  if (!accountId || !courseId || !topicId) return null;
  let opening: Promise<DrawingElement> | null = null;
  let active = false;
  /** Aborted once the drawing syncs by itself. */
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
  else onDrawnElsewhere(accountId, show, waiting.signal);
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

/** The draw button of readers. Owners have modes instead. */
export function offerDrawing(article: HTMLElement): void {
  const button = document.querySelector<HTMLButtonElement>("[data-action='draw']");
  const ink = button && createInk(article, () => void turn(false));
  if (!button || !ink) return;

  const turn = async (wanted: boolean): Promise<void> => {
    button.setAttribute("aria-busy", "true");
    try {
      await ink.set(wanted);
      button.setAttribute("aria-pressed", String(wanted));
      if (!wanted) button.focus({ preventScroll: true });
    } catch {
      button.textContent = msg("course.drawingDidNotLoadTryAgain");
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
  button.hidden = false;
  button.setAttribute("aria-pressed", "false");
  button.addEventListener("click", () => void turn(!ink.active));
}

/**
 * Calls `drawn` once the account has drawings from another device: checked by a small request whenever the reader returns to the page. For pages
 * that opened without drawings and so did not load the sync code.
 */
function onDrawnElsewhere(accountId: string, drawn: () => void, signal: AbortSignal): void {
  let asking = false;
  const ask = async ({ type, persisted }: Event & { persisted?: boolean }): Promise<void> => {
    // A page that has just been loaded is up to date.
    if (asking || document.hidden || (type === "pageshow" && !persisted)) return;
    asking = true;
    try {
      const response = await fetch("/api/annotations", { headers: { accept: "application/json", [accountHeader]: accountId }, signal });
      if (response.ok && ((await response.json()) as { annotated?: unknown }).annotated === true && !signal.aborted) drawn();
    } catch {
      // The next return retries.
    } finally {
      asking = false;
    }
  };
  // A window beside another stays visible and returns by focus.
  document.addEventListener("visibilitychange", ask, { signal });
  for (const type of ["focus", "pageshow", "online"]) addEventListener(type, ask, { signal });
}
