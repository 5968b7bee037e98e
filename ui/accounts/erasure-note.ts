import { loadReadingMessages } from "../messages/load.ts";
import { msg, pageLanguage } from "../messages/page.ts";

const key = "colloquy-erased";

/** Everything of the account was deleted in this tab, which goes to another page now: that one has to say so. */
export function rememberErasure(): void {
  try {
    sessionStorage.setItem(key, "1");
  } catch {
    // A browser that stores nothing tells nothing across pages.
  }
}

/** Says once, on the page one lands on, that everything was deleted. */
export async function showErasureNote(main: HTMLElement | null): Promise<void> {
  if (!main || !take()) return;
  await loadReadingMessages();
  const note = Object.assign(document.createElement("p"), { className: "erased-note", lang: pageLanguage(), tabIndex: -1 });
  note.textContent = msg("signIn.everythingOwnedDeletedSigned");
  main.prepend(note);
  // Whoever listens hears it first; a status of a page that has just come would often be missed.
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
