import { html, render } from "lit";
import type { Api } from "../api/client.ts";
import { isAbort, problemOfThrown } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";

/** What has to be typed, so that nobody deletes everything by a slip of the hand. */
const phrase = "delete everything";

/** Downloads everything the account owns, as the service has it. */
export function saveEverything(): void {
  Object.assign(document.createElement("a"), { href: "/api/account/archive", download: "" }).click();
}

/**
 * Asks, with what goes in words and a phrase to be typed, and deletes everything the account owns. Resolves to whether that was done;
 * it is not when the person went back.
 */
export async function deleteEverything(api: Pick<Api, "erase">): Promise<boolean> {
  const dialog = Object.assign(document.createElement("dialog"), { className: "ask" });
  dialog.setAttribute("aria-labelledby", "colloquy-erasing");
  let typed = "";
  let state: "asking" | "deleting" | "failed" = "asking";
  let words = "";
  let deleted = 0;
  let done = false;

  const erase = async (): Promise<void> => {
    state = "deleting";
    draw();
    try {
      // One request for all parts: what was deleted already is not counted again.
      const requestId = uuidv7();
      for (let remaining = true; remaining; ) {
        const part = await api.erase(requestId);
        deleted += part.deleted;
        remaining = part.remaining;
        draw();
      }
      done = true;
      dialog.close();
    } catch (error) {
      if (isAbort(error)) return;
      state = "failed";
      words = problemOfThrown(error).title;
      draw();
    }
  };
  const draw = (): void => {
    render(
      html`<h2 id="colloquy-erasing">Delete everything you own here?</h2>
        <p>All your conversations with their questions, answers and quizzes, your marks and notes, how far you have read, your reviews and your
          settings: gone from the service, from this browser and from your other devices. It cannot be undone. Your account itself stays with
          whoever signs you in. <a href="/api/account/archive" download>Save a copy of everything</a> first if you may want it.</p>
        <form method="dialog" @submit=${(event: Event) => {
          event.preventDefault();
          if (typed.trim().toLowerCase() === phrase && state !== "deleting") void erase();
        }}>
          <label class="typed">Type “${phrase}” to go on
            <input autocomplete="off" spellcheck="false" autofocus ?disabled=${state === "deleting"} @input=${(event: Event) => {
              typed = (event.target as HTMLInputElement).value;
              draw();
            }} /></label>
          <p class="state" role="status">${state === "deleting" ? `Deleting… ${deleted} so far` : state === "failed" ? `${words} What is gone is gone; try again for the rest.` : ""}</p>
          <button class="button" type="button" ?disabled=${state === "deleting"} @click=${() => dialog.close()}>Keep everything</button>
          <button class="button button-danger" ?disabled=${typed.trim().toLowerCase() !== phrase || state === "deleting"}>Delete everything</button></form>`,
      dialog,
    );
  };
  draw();
  dialog.addEventListener("cancel", (event) => state === "deleting" && event.preventDefault());
  (document.querySelector<HTMLElement>("colloquy-workspace") ?? document.body).append(dialog);
  const before = document.activeElement;
  dialog.showModal();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
