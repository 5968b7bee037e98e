const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text as it may stand in HTML, in an element or in a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** A safe attribute with its leading space, or nothing when there is no value. */
export function attribute(name: string, value: string | number | null | undefined | false): string {
  return value === undefined || value === null || value === false ? "" : ` ${name}="${escapeHtml(String(value))}"`;
}
