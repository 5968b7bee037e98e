/**
 * Sets `--status-room` to the height that the status covers at the bottom of the window. Keeps the bottom of the focused field visible while it
 * grows, while blocks above it are drawn, and when the status appears.
 */
export function reserveStatusSpace(editor: HTMLElement, status: HTMLElement, signal: AbortSignal): void {
  const { style } = document.documentElement;
  let room = 0;
  let field: HTMLElement | null = null;
  /** Bottom of the field from the top of the page: scrolling does not change it. */
  let end = 0;

  const look = (): void => {
    const pill = status.querySelector(".pill")?.getBoundingClientRect();
    const before = { room, end };
    room = pill ? Math.max(innerHeight - pill.top, 0) : 0;
    style.setProperty("--status-room", `${room}px`);
    if (!field) return;
    const { top, bottom } = field.getBoundingClientRect();
    end = bottom + scrollY;
    const hidden = bottom - (innerHeight - room);
    // If it was out of view before, its author scrolled it there.
    const cameOver = Math.max(end - before.end, 0) + Math.max(room - before.room, 0);
    if (hidden > 0 && hidden <= cameOver + 1 && top > hidden) scrollBy({ top: Math.ceil(hidden), behavior: "instant" });
  };
  const size = new ResizeObserver(look);
  const follow = (next: HTMLElement | null): void => {
    if (next === field) return;
    if (field) size.unobserve(field);
    field = next;
    end = field ? field.getBoundingClientRect().bottom + scrollY : 0;
    if (field) size.observe(field, { box: "border-box" });
  };
  size.observe(status, { box: "border-box" });
  // Blocks drawn late push the field down without resizing it. Content box: the padding is the reserved space itself.
  size.observe(editor, { box: "content-box" });
  const fieldOf = ({ target }: FocusEvent) =>
    target instanceof HTMLTextAreaElement ? target.closest<HTMLElement>("colloquy-block-field .box") : null;
  editor.addEventListener("focusin", (event) => follow(fieldOf(event)), { signal });
  editor.addEventListener("focusout", () => follow(null), { signal });
  signal.addEventListener(
    "abort",
    () => {
      size.disconnect();
      style.removeProperty("--status-room");
    },
    { once: true },
  );
}
