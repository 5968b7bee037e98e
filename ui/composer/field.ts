/** Writes over a part of a field's text as typing would, so that it can be undone. */
export function replaceText(field: HTMLTextAreaElement, start: number, end: number, text: string): void {
  field.focus();
  field.setSelectionRange(start, end);
  const done = text ? document.execCommand("insertText", false, text) : start === end || document.execCommand("delete");
  if (!done) field.setRangeText(text, start, end, "end");
}

/** What parts words put in at the caret from the word before it: a space, or nothing where there is one or no word. */
export function spaceBeforeCaret({ value, selectionStart }: HTMLTextAreaElement): "" | " " {
  return selectionStart > 0 && !/\s/.test(value[selectionStart - 1] ?? "") ? " " : "";
}

/** Makes a field as high as its text, where the browser does not by itself. */
export function growWithText(field: HTMLTextAreaElement): void {
  if (CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}
