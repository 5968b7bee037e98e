/**
 * Diagrams in an embedded element (the build puts this in the other's place): Mermaid works on the page's own body and with inline
 * styles, which a page of another site need not allow, so a diagram is shown as its source, and its course page draws it.
 */
export function drawDiagrams(root: Element): () => void {
  const figures = [...(root.matches("figure.diagram") ? [root] : []), ...root.querySelectorAll("figure.diagram")];
  for (const figure of figures) {
    if (figure.querySelector(".diagram-problem")) continue;
    const words = document.createElement("p");
    words.className = "diagram-problem";
    words.textContent = "This diagram is drawn on the course's own pages. Its source is below.";
    figure.prepend(words);
  }
  return () => undefined;
}
