/** Arrow keys, Home and End move between the buttons of a toolbar; so does Tab. */
export function moveFocusInToolbar(event: KeyboardEvent): void {
  const toolbar = event.currentTarget as HTMLElement;
  const buttons = [...toolbar.querySelectorAll<HTMLElement>("button")];
  const at = buttons.indexOf(document.activeElement as HTMLElement);
  if (at === -1) return;
  const onward = getComputedStyle(toolbar).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const back = onward === "ArrowRight" ? "ArrowLeft" : "ArrowRight";
  const to = { [onward]: at + 1, [back]: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  buttons.at(to % buttons.length)?.focus();
}
