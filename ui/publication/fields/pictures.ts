/** The pictures of what was pasted. */
export const picturesIn = (data: DataTransfer | null): File[] => [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));

interface CaretPosition {
  offsetNode: Node;
  offset: number;
}

/** The place of a field's text that a pointer is over; its caret where the browser cannot tell. */
export function placeUnder(field: HTMLTextAreaElement, { clientX, clientY }: { clientX: number; clientY: number }): number {
  const page = document as unknown as { caretPositionFromPoint?(x: number, y: number): CaretPosition | null };
  const under = page.caretPositionFromPoint?.(clientX, clientY);
  return under?.offsetNode === field ? under.offset : field.selectionStart;
}
