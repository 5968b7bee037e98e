/** Replaces a part of a field's text like typing, so that it can be undone. */
export function replaceText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  const done = text ? document.execCommand("insertText", false, text) : start === end || document.execCommand("delete");
  if (!done) field.setRangeText(text, start, end, "end");
}

/** The separator between inserted text and the word before the caret: a space, or nothing if there is one or no word. */
export function spaceBeforeCaret({ value, selectionStart }: HTMLTextAreaElement): "" | " " {
  return selectionStart > 0 && !/\s/.test(value[selectionStart - 1] ?? "") ? " " : "";
}

/** Grows a field with its text, in browsers without `field-sizing`. */
export function growWithText(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
