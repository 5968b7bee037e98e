import { msg } from "../messages/page.ts";

/** What the sign-in page gains by a script; its links work without one. */

const lastKey = "colloquy-last-account";

const people = [...document.querySelectorAll<HTMLAnchorElement>(".people a")];
const accountOf = (link: HTMLAnchorElement): string => new URL(link.href).searchParams.get("as") ?? "";

markLast();
for (const link of document.querySelectorAll<HTMLAnchorElement>("main a")) link.addEventListener("click", () => leave(link));
addEventListener("pageshow", () => {
  for (const link of document.querySelectorAll("[aria-busy]")) link.removeAttribute("aria-busy");
});

/** Says which account this browser used last. */
function markLast(): void {
  const last = remembered();
  const link = people.find((candidate) => accountOf(candidate) === last);
  if (!link || !last) return;
  const note = document.createElement("span");
  note.className = "last-used";
  note.textContent = msg("signIn.usedHereLast");
  link.append(note);
}

/** Shows that the way was taken, until the next page is there. */
function leave(link: HTMLAnchorElement): void {
  link.setAttribute("aria-busy", "true");
  if (!people.includes(link)) return;
  try {
    localStorage.setItem(lastKey, accountOf(link));
  } catch {
    // A browser that stores nothing does not remember.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(lastKey);
  } catch {
    return null;
  }
}
