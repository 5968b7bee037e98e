import { type DiagramOptions, drawDiagrams as draw } from "../../rendering/diagram.ts";
import { libraryFor } from "../diagrams/library.ts";

export type { DiagramOptions };

/**
 * Diagrams in an embedded element (the build puts this in the other's place): Mermaid works on a page's own body and with inline styles,
 * so it does that in a page of ours, in a frame of the element, and what it draws there comes back as text.
 */
export function drawDiagrams(root: Element, options: DiagramOptions = {}): () => void {
  const themed = root.closest(".colloquy-frame");
  return draw(root, { ...options, ...(themed && { themed }), load: () => libraryFor(root) });
}
