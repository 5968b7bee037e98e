import type { ErrorPlace } from "@colloquy/schemas/publication/places.ts";
import type { EditorSessionResponse } from "@colloquy/schemas/publication/requests.ts";
import type { CorrectedPlace } from "../explainers/corrections/correction-item.ts";
import { loadReadingMessages } from "../messages/load.ts";
import { msg } from "../messages/page.ts";
import { retryUntilAnswered } from "../offline/retry.ts";
import type { Editor } from "../publication/open.ts";
import { inkOf } from "./ink.ts";

/** What somebody does with a page; one at a time. */
export type Mode = "read" | "edit" | "draw";

/**
 * Read, Edit and, on a topic's page, Draw for an owner. Whether the course may be edited is asked once; only where it may, the editor is
 * loaded, and looks for a draft that was left here.
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
  let turning: Promise<void> = Promise.resolve();
  const ink = inkOf(published, () => turn("read"));

  const show = (): void => {
    for (const [name, button] of buttons) button.setAttribute("aria-pressed", String(name === mode));
  };
  const opened = (base: EditorSessionResponse["base"]): Promise<Editor> => {
    opening ??= import("../publication/open.ts")
      .then(({ openEditor }) => openEditor({ published, bar, accountId, courseId, live: base ?? null, toMode: turn }))
      .catch((error) => {
        // Tried again at the next wish.
        opening = null;
        throw error;
      });
    return opening;
  };

  /** Ends what is done now, and begins something else; wishes come true one after the other. */
  function turn(next: Mode): void {
    turning = turning.then(() => change(next));
  }
  async function change(next: Mode): Promise<void> {
    if (next === mode) return;
    const button = buttons.get(next);
    button?.setAttribute("aria-busy", "true");
    const before = mode;
    try {
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
      if (button) button.textContent = next === "edit" ? msg("course.editorDidLoadTry") : msg("course.drawingDidLoadTry");
    } finally {
      button?.removeAttribute("aria-busy");
      show();
    }
  }

  /** Edit, there; where the editor does not load, its button says so. */
  function editAt({ topicId, blockId }: CorrectedPlace): void {
    const place: ErrorPlace = { kind: blockId === null ? "topic" : "block", id: blockId ?? topicId, topicId, field: null, line: null };
    opened(base).then(
      (opened) => opened.leadTo(place),
      () => turn("edit"),
    );
  }

  /** Escape goes one level at a time; a key that is held, as to close an outline, never leaves Edit. */
  function escaped(event: KeyboardEvent): void {
    if (event.key !== "Escape" || mode !== "edit" || event.defaultPrevented || isBusyElsewhere(event)) return;
    event.preventDefault();
    if (!event.repeat && !editor?.stepBack()) turn("read");
  }

  let base: EditorSessionResponse["base"];
  const probe = async (): Promise<void> => {
    // While nobody answers nothing can be said yet.
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
    });
  };

  for (const [name, button] of buttons) button.addEventListener("click", () => turn(name as Mode));
  document.addEventListener("keydown", escaped);
  // Nobody needs a choice of one.
  bar.hidden = !buttons.has("draw");
  show();
  void probe();
}

/** Escape belongs to whatever is open or written in: an input method, a field, a menu, a dialog. */
function isBusyElsewhere({ isComposing, target }: KeyboardEvent): boolean {
  const inField = target instanceof Element && target.closest("input, textarea, select, [contenteditable]") !== null;
  return isComposing || inField || document.querySelector("dialog[open], :popover-open") !== null;
}
