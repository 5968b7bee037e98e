import { loadReadingMessages } from "../messages/load.ts";
import { msg, pageLanguage } from "../messages/page.ts";

const key = "colloquy-erased";

/** Everything of the account was deleted; the next page in this tab shows a note. */
export function rememberErasure(): void {
  try {
    sessionStorage.setItem(key, "1");
  } catch {
    // Without storage the next page shows no note.
  }
}

/** Shows once that everything was deleted. */
export async function showErasureNote(main: HTMLElement | null): Promise<void> {
  if (!main || !take()) return;
  await loadReadingMessages();
  const note = Object.assign(document.createElement("p"), { className: "erased-note", lang: pageLanguage(), tabIndex: -1 });
  note.textContent = msg("signIn.everythingOwnedDeletedSigned");
  main.prepend(note);
  // Focus makes screen readers read the note; a status that exists at load is often missed.
  note.focus();
}

function take(): boolean {
  try {
    const noted = sessionStorage.getItem(key) !== null;
    sessionStorage.removeItem(key);
    return noted;
  } catch {
    return false;
  }
}
