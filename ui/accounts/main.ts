import { msg } from "../messages/page.ts";

/** Enhances the sign-in page; its links work without this script. */

const lastKey = "colloquy-last-account";

const people = [...document.querySelectorAll<HTMLAnchorElement>(".people a")];
const accountOf = (link: HTMLAnchorElement): string => new URL(link.href).searchParams.get("as") ?? "";

markLast();
for (const link of document.querySelectorAll<HTMLAnchorElement>("main a")) link.addEventListener("click", () => leave(link));
addEventListener("pageshow", () => {
  for (const link of document.querySelectorAll("[aria-busy]")) link.removeAttribute("aria-busy");
});

/** Marks the account that this browser used last. */
function markLast(): void {
  const last = remembered();
  const link = people.find((candidate) => accountOf(candidate) === last);
  if (!link || !last) return;
  const note = document.createElement("span");
  note.className = "last-used";
  note.textContent = msg("signIn.usedHereLast");
  link.append(note);
}

/** Shows that a link was followed until the next page is loaded. */
function leave(link: HTMLAnchorElement): void {
  link.setAttribute("aria-busy", "true");
  if (!people.includes(link)) return;
  try {
    localStorage.setItem(lastKey, accountOf(link));
  } catch {
    // Without storage the last account is not remembered.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(lastKey);
  } catch {
    return null;
  }
}
