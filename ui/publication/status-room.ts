/**
 * Leaves room for the status at the window's foot, as `--status-room`: text ends above it, and nothing is scrolled to behind it. The field that
 * is written in keeps its foot in sight while it grows, while what stands above it is drawn, and when the status comes to stand there.
 */
export function leaveStatusRoom(editor: HTMLElement, status: HTMLElement, signal: AbortSignal): void {
  const { style } = document.documentElement;
  let room = 0;
  let field: HTMLElement | null = null;
  /** Where the field ends, from the top of the page: whoever scrolls does not move it there. */
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
    // What was out of sight before is where its author wants it.
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
  // Blocks above the field that are drawn late push it down, and do not change its own size. Without the padding, which is the room's own.
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
