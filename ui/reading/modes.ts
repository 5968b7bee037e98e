import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import type { EditorSessionResponse } from "@colloquy/schemas/publication/requests.ts";
import type { CorrectedPlace } from "../explainers/corrections/correction-item.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { retryUntilAnswered } from "../offline/retry.ts";
import type { QuestionAddition } from "../publication/bank/add.ts";
import { takeDrawNext } from "../publication/draw-next.ts";
import type { Editor } from "../publication/open.ts";
import { createInk } from "./ink.ts";

/** The mode of a page. */
export type Mode = "read" | "edit" | "draw";

/**
 * Read, Edit and, on a topic's page, Draw for an owner. Whether the course is editable is requested once; only then the editor is loaded, and
 * offers a stored draft.
 * @param published a topic, or the front of a course or collection
 */
export function offerModes(bar: HTMLElement, published: HTMLElement): void {
  const { account: accountId, course: courseId } = published.dataset;
  if (!accountId || !courseId) return;
  const buttons = new Map([...bar.querySelectorAll<HTMLButtonElement>("button[data-mode]")].map((button) => [button.dataset.mode, button]));
  const names = new Map([...buttons].map(([mode, button]) => [mode, button.textContent]));
  let mode: Mode = "read";
  let opening: Promise<Editor> | null = null;
  let editor: Editor | null = null;
  let switching: Promise<void> = Promise.resolve();
  const ink = createInk(published, () => switchTo("read"));

  const show = (): void => {
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === mode));
  };
  const opened = (base: EditorSessionResponse["base"]): Promise<Editor> => {
    opening ??= import("../publication/open.ts")
      .then(({ openEditor }) => openEditor({ published, bar, accountId, courseId, live: base ?? null, toMode: switchTo }))
      .catch((error) => {
        // The next attempt retries.
        opening = null;
        throw error;
      });
    return opening;
  };

  /** Switches the mode; switches run one after the other. */
  function switchTo(next: Mode): void {
    switching = switching.then(() => change(next));
  }
  async function change(next: Mode): Promise<void> {
    if (next === mode) return;
    const button = buttons.get(next);
    button?.setAttribute("aria-busy", "true");
    const before = mode;
    try {
      if (before === "edit" && !(await (await opening)?.mayLeave())) return;
      if (next === "edit") {
        editor = await opened(base);
        if (button) button.textContent = names.get(next) ?? "";
        if (!(await editor.enter())) return;
      }
      if (next === "draw") await ink?.set(true);
      mode = next;
      if (before === "edit") (await opening)?.leave();
      if (before === "draw") await ink?.set(false);
      if (button) button.textContent = names.get(next) ?? "";
      if (next === "read") button?.focus({ preventScroll: true });
    } catch {
      await loadReadingMessages();
      if (button) button.textContent = next === "edit" ? msg("course.editorDidNotLoadTryAgain") : msg("course.drawingDidNotLoadTryAgain");
    } finally {
      button?.removeAttribute("aria-busy");
      show();
    }
  }

  /** Starts editing at a place; if the editor does not load, its button says so. */
  function editAt({ topicId, blockId }: CorrectedPlace): void {
    const place: ErrorPlace = { kind: blockId === null ? "topic" : "block", id: blockId ?? topicId, topicId, field: null, line: null };
    opened(base).then(
      (opened) => opened.goTo(place),
      () => switchTo("edit"),
    );
  }

  /** Starts editing with a question in the draft; if the editor does not load, its button says so. */
  function addQuestion(addition: QuestionAddition): void {
    opened(base).then(
      (opened) => opened.add(addition),
      () => switchTo("edit"),
    );
  }

  /** Escape deselects first, then leaves Edit; a held key never leaves Edit. */
  function onEscape(event: KeyboardEvent): void {
    if (event.key !== "Escape" || mode !== "edit" || event.defaultPrevented || isBusyElsewhere(event)) return;
    event.preventDefault();
    if (!event.repeat && !editor?.deselect()) switchTo("read");
  }

  let base: EditorSessionResponse["base"];
  const probe = async (): Promise<void> => {
    // Retries while the service is unavailable.
    const response = await retryUntilAnswered(async () => {
      const answer = await fetch(`/api/course-editor/session?course=${encodeURIComponent(courseId)}`);
      return answer.status >= 500 ? null : answer;
    });
    const session = response.ok ? ((await response.json()) as EditorSessionResponse) : null;
    const edit = buttons.get("edit");
    if (!session?.editable || !edit) return;
    ({ base } = session);
    edit.hidden = false;
    bar.hidden = false;
    requestIdleCallback(() => {
      void opened(base).catch(() => undefined);
      void import("../explainers/corrections/offer.ts")
        .then(({ offerCorrections }) => offerCorrections({ bar, courseId, accountId, edit: editAt }))
        .catch(() => undefined);
      void import("../publication/bank/offer.ts")
        .then(({ offerQuestionBank }) => offerQuestionBank({ bar, courseId, accountId, edit: editAt, add: addQuestion }))
        .catch(() => undefined);
    });
  };

  for (const [name, button] of buttons) button.addEventListener("click", () => switchTo(name as Mode));
  document.addEventListener("keydown", onEscape);
  // A bar with one mode is hidden.
  bar.hidden = !buttons.has("draw");
  show();
  if (buttons.has("draw") && takeDrawNext(location.pathname)) switchTo("draw");
  void probe();
}

/** Whether Escape belongs to an input method, a field, a menu or a dialog. */
function isBusyElsewhere({ isComposing, target }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
  return isComposing || inField || document.querySelector("dialog[open], :popover-open") !== null;
}
