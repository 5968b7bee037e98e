import { msg } from "../messages/page.ts";

/** What a note's button does; without one it only closes the note. */
export interface NoteAction {
  name: string;
  act?(): void;
  /** Where it leads, as a link. */
  href?: string;
  /** What it is about: once that has been in sight, the note is shown only while it is. */
  about?: readonly Element[];
}

/** A quiet note at the foot of the window, read out politely; it goes when it is dismissed. Gives back how to take it away. */
export function putNote(holder: HTMLElement, words: string, action: NoteAction | null = null): () => void {
  const note = document.createElement("div");
  note.className = "cited-note";
  note.setAttribute("role", "status");
  holder.append(note);
  const forget = action?.about ? standsWith(note, action.about) : () => undefined;
  const close = (): void => {
    forget();
    note.remove();
  };
  // A live region has to be there before its words, or they are not read out.
  requestAnimationFrame(() => {
    const text = document.createElement("span");
    text.textContent = words;
    const way = document.createElement(action?.href === undefined ? "button" : "a");
    if (way instanceof HTMLButtonElement) way.type = "button";
    else way.href = action?.href ?? "";
    way.textContent = action?.name ?? msg("common.close");
    way.addEventListener("click", () => {
      action?.act?.();
      // A link is followed from where it stands.
      if (way instanceof HTMLButtonElement) close();
    });
    note.append(text, way);
  });
  return close;
}

/** Hides a note while nothing of what it is about is in sight, so that it does not lie over what is read next. */
function standsWith(note: HTMLElement, about: readonly Element[]): () => void {
  const inSight = new Set<Element>();
  let wasSeen = false;
  const observer = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) {
      if (isIntersecting) inSight.add(target);
      else inSight.delete(target);
    }
    wasSeen ||= inSight.size > 0;
    // It was read out when it came; it is not to be whenever somebody scrolls back.
    if (wasSeen && !inSight.size) note.removeAttribute("role");
    note.classList.toggle("away", wasSeen && !inSight.size);
  });
  for (const element of about) observer.observe(element);
  return () => observer.disconnect();
}
