let tallest = 0;

/** Call once the page stands, before any keyboard can be up. */
export function rememberViewport(): void {
  const viewport = window.visualViewport;
  if (!viewport) return;
  const note = () => {
    tallest = Math.max(tallest, viewport.height);
  };
  note();
  viewport.addEventListener("resize", note);
}

/** A keyboard on the screen takes at least this much of it. */
const keyboardHeight = 140;

/**
 * Whether a keyboard on the screen is up: then Enter is a new line, as its key says. A phone with a keyboard of keys has none up,
 * whatever its width, and Enter sends.
 */
export function onScreenKeyboard(): boolean {
  if (!matchMedia("(pointer: coarse)").matches) return false;
  const viewport = window.visualViewport;
  return viewport ? tallest - viewport.height > keyboardHeight : true;
}

/**
 * Where a keyboard on the screen covers the page instead of making it smaller (Safari knows no `interactive-widget`), the element is told
 * how much room is left: `--room`.
 */
export function makeRoomForKeyboard(element: HTMLElement, wanted: boolean): void {
  const viewport = window.visualViewport;
  const covered = viewport && viewport.scale === 1 && innerHeight - viewport.height > 1;
  if (covered && wanted) element.style.setProperty("--room", `${viewport.height}px`);
  else element.style.removeProperty("--room");
}

/** Whether Enter belongs to an input method that is still composing. Safari ends the composition first and tells by the key code. */
export const isComposing = (event: KeyboardEvent): boolean => event.isComposing || event.keyCode === 229;

export const isApple = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);
