import { html, nothing, render } from "lit";
import type { Api } from "../api/client.ts";
import { isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { uuidv7 } from "../api/uuid.ts";
import { openModal } from "../controls/overlay-history.ts";
import { msg, rich } from "../messages/page.ts";
import { pendingDeletion, rememberDeletion } from "./pending-deletion.ts";

/** Must be typed, so that nobody deletes everything by accident. */
const phrase = (): string => msg("workspace.deleteEverything");

/**
 * Explains what will be deleted, asks for a phrase, and deletes everything of the account. Resolves to whether that was done. A deletion
 * that was started before continues without asking.
 */
export async function deleteEverything(api: Pick<Api, "erase">, accountId: string): Promise<boolean> {
  const dialog = Object.assign(document.createElement("dialog"), { className: "ask", tabIndex: -1 });
  dialog.setAttribute("aria-labelledby", "colloquy-erasing");
  let typed = "";
  let state: "asking" | "deleting" | "failed" = "asking";
  let words = "";
  let signInAgain = false;
  let deleted = 0;
  let done = false;

  const erase = async (): Promise<void> => {
    state = "deleting";
    draw();
    try {
      // One request id for all parts, so that a retry counts nothing twice.
      const requestId = pendingDeletion(accountId) ?? uuidv7();
      rememberDeletion(accountId, requestId);
      for (let remaining = true; remaining; ) {
        const part = await api.erase(requestId);
        deleted += part.deleted;
        remaining = part.remaining;
        draw();
      }
      rememberDeletion(accountId, null);
      done = true;
      dialog.close();
    } catch (error) {
      if (isAbort(error)) return;
      const problem = problemOfThrown(error);
      state = "failed";
      signInAgain = problem.code === "sign_in_again";
      words = problemTitle(problem);
      draw();
    }
  };
  const isTyped = (): boolean => typed.trim().toLowerCase() === phrase().toLowerCase();
  // A running deletion cannot be cancelled, so there is no button.
  const running = () => html`<h2 id="colloquy-erasing">${msg("workspace.deletingAllData")}</h2>
    <progress aria-labelledby="colloquy-erasing"></progress>
    <p class="state" role="status">${deleted > 0 ? msg("workspace.deletingSoFar", { count: deleted }) : msg("workspace.deletingCanTakeMinute")}</p>`;
  const asking = () => html`<h2 id="colloquy-erasing">${msg("workspace.deleteAllData")}</h2>
    <p>${rich("workspace.deletesAllConversationsTheirQuestionsAnswers", {
      copy: html`<a href="/api/account/archive" download>${msg("workspace.saveCopyEverything")}</a>`,
    })}</p>
    <form method="dialog" @submit=${(event: Event) => {
      event.preventDefault();
      if (isTyped()) void erase();
    }}>
      <label class="typed">${msg("workspace.typeToGoOn", { phrase: phrase() })}
        <input autocomplete="off" spellcheck="false" autofocus .value=${typed} @input=${(event: Event) => {
          typed = (event.target as HTMLInputElement).value;
          draw();
        }} /></label>
      <p class="state" role="status">${state === "failed" ? `${words} ${signInAgain ? "" : msg("workspace.goneGoneTryAgain")}` : ""}</p>
      ${signInAgain ? html`<a class="button" href="/auth/login?again&return=/ai">${msg("workspace.signInAgain")}</a>` : nothing}
      <button class="button" type="button" @click=${() => dialog.close()}>${msg("workspace.keepEverything")}</button>
      <button class="button button-danger" ?disabled=${!isTyped()}>${msg("workspace.deleteEverything2")}</button></form>`;
  const draw = (): void => {
    render(state === "deleting" ? running() : asking(), dialog);
    // The focused element was removed.
    if (dialog.open && !dialog.contains(document.activeElement)) dialog.focus();
  };
  draw();
  dialog.addEventListener("cancel", (event) => state === "deleting" && event.preventDefault());
  const again = (): void => {
    if (state === "failed") void erase();
  };
  addEventListener("online", again);
  (document.querySelector<HTMLElement>("colloquy-workspace") ?? document.body).append(dialog);
  const before = document.activeElement;
  openModal(dialog);
  if (pendingDeletion(accountId)) void erase();
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  removeEventListener("online", again);
  // Closing the dialog keeps the rest.
  rememberDeletion(accountId, null);
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return done;
}
