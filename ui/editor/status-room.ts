/**
 * Leaves room for the status at the window's foot, as `--status-room`: text ends above it, and nothing is scrolled to behind it. The field that
 * is written in keeps its foot in sight while it grows, and when the status comes to stand there.
 */
export function leaveStatusRoom(editor: HTMLElement, status: HTMLElement, signal: AbortSignal): void {
  const { style } = document.documentElement;
  let room = 0;
  let field: HTMLElement | null = null;
  let height = 0;

  const look = (): void => {
    const pill = status.querySelector(".pill")?.getBoundingClientRect();
    const before = { room, height };
    room = pill ? Math.max(innerHeight - pill.top, 0) : 0;
    style.setProperty("--status-room", `${room}px`);
    if (!field) return;
    const { top, bottom } = field.getBoundingClientRect();
    height = bottom - top;
    const hidden = bottom - (innerHeight - room);
    // What was out of sight before is where its author wants it.
    const cameOver = Math.max(height - before.height, 0) + Math.max(room - before.room, 0);
    if (hidden > 0 && hidden <= cameOver + 1 && top > hidden) scrollBy({ top: Math.ceil(hidden), behavior: "instant" });
  };
  const size = new ResizeObserver(look);
  const follow = (next: HTMLElement | null): void => {
    if (next === field) return;
    if (field) size.unobserve(field);
    field = next;
    height = field?.offsetHeight ?? 0;
    if (field) size.observe(field, { box: "border-box" });
  };
  size.observe(status, { box: "border-box" });
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
