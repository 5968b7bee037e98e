import { msg } from "../words/page.ts";

/** What a note's button does; without one it only closes the note. */
export interface NoteAction {
  name: string;
  act(): void;
}

/** A quiet note at the foot of the window, read out politely; it goes when it is dismissed. Gives back how to take it away. */
export function putNote(holder: HTMLElement, words: string, action: NoteAction | null = null): () => void {
  const note = document.createElement("div");
  note.className = "cited-note";
  note.setAttribute("role", "status");
  holder.append(note);
  // A live region has to be there before its words, or they are not read out.
  requestAnimationFrame(() => {
    const text = document.createElement("span");
    text.textContent = words;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = action?.name ?? msg("Close");
    button.addEventListener("click", () => {
      action?.act();
      note.remove();
    });
    note.append(text, button);
  });
  return () => note.remove();
}
