import { type DiagramOptions, drawDiagrams as draw } from "../../rendering/diagram.ts";
import { libraryFor } from "../diagrams/library.ts";

export type { DiagramOptions };

/**
 * Diagrams in an embedded element (the build replaces `rendering/diagram.ts` with this). Mermaid needs the page's body and inline styles, so
 * it runs in the service's page in a frame, which returns the drawing as text.
 */
export function drawDiagrams(root: Element, options: DiagramOptions = {}): () => void {
  const themed = root.closest(".colloquy-frame");
  return draw(root, { ...options, ...(themed && { themed }), load: () => libraryFor(root) });
}
