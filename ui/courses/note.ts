import { msg } from "../messages/page.ts";

/** The action of a note's button; without one it only closes the note. */
export interface NoteAction {
  name: string;
  act?(): void;
  /** Makes the action a link. */
  href?: string;
  /** The elements that it is about: once they were visible, the note is shown only while they are. */
  about?: readonly Element[];
}

/** Shows a note at the bottom of the window, announced politely. @returns removes it */
export function showNote(holder: HTMLElement, words: string, action: NoteAction | null = null): () => void {
  const note = document.createElement("div");
  note.className = "cited-note";
  note.setAttribute("role", "status");
  holder.append(note);
  const forget = action?.about ? hideOutOfView(note, action.about) : () => undefined;
  const close = (): void => {
    forget();
    note.remove();
  };
  // A live region has to exist before its text, or the text is not announced.
  requestAnimationFrame(() => {
    const text = document.createElement("span");
    text.textContent = words;
    const way = document.createElement(action?.href === undefined ? "button" : "a");
    if (way instanceof HTMLButtonElement) way.type = "button";
    else way.href = action?.href ?? "";
    way.textContent = action?.name ?? msg("common.close");
    way.addEventListener("click", () => {
      action?.act?.();
      // A link has to stay in the document to be followed.
      if (way instanceof HTMLButtonElement) close();
    });
    note.append(text, way);
  });
  return close;
}

/** Hides a note while none of its elements is visible, so that it does not cover other text. */
function hideOutOfView(note: HTMLElement, about: readonly Element[]): () => void {
  const inSight = new Set<Element>();
  let wasSeen = false;
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    wasSeen ||= inSight.size > 0;
    // It was announced once; scrolling back must not announce it again.
    if (wasSeen && !inSight.size) note.removeAttribute("role");
    note.classList.toggle("away", wasSeen && !inSight.size);
  });
  for (const element of about) observer.observe(element);
  return () => observer.disconnect();
}
