let tallest = 0;

/** Call at page load, before an on-screen keyboard can be open. */
export function rememberViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const note = () => {
    tallest = Math.max(tallest, viewport.height);
  };
  note();
  viewport.addEventListener("resize", note);
}

/** Smallest height of an on-screen keyboard. */
const keyboardHeight = 140;

/** Whether an on-screen keyboard is open; then Enter inserts a new line. With a hardware keyboard Enter sends, also on a phone. */
export function onScreenKeyboard(): boolean {
  if (!matchMedia("(pointer: coarse)").matches) return false;
  const viewport = window.visualViewport;
  return viewport ? tallest - viewport.height > keyboardHeight : true;
}

/**
 * Where an on-screen keyboard covers the page instead of resizing it (Safari lacks `interactive-widget`), sets the remaining height as
 * `--room`.
 */
export function makeRoomForKeyboard(element: HTMLElement, wanted: boolean): void {
  const viewport = window.visualViewport;
  const covered = viewport && viewport.scale === 1 && innerHeight - viewport.height > 1;
  if (covered && wanted) element.style.setProperty("--room", `${viewport.height}px`);
  else element.style.removeProperty("--room");
}

/** Whether Enter belongs to an input method. Safari ends the composition first and reports only the key code. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
