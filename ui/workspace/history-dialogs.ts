import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { html, render, type TemplateResult } from "lit";
import { openModal } from "../controls/overlay-history.ts";
import { msg, rich } from "../messages/page.ts";

/** How long an undo is offered, in milliseconds. */
const undoMs = 10_000;

/** Dialogs are appended to the workspace for its styles; while a modal sheet is open, only inside it are they reachable. */
const home = (): HTMLElement =>
  document.querySelector<HTMLElement>("dialog.sheet[open]") ?? document.querySelector<HTMLElement>("colloquy-workspace") ?? document.body;

/** Shows a dialog until it is closed; resolves to the form's return value. */
async function ask(template: (dialog: HTMLDialogElement) => TemplateResult, labelledBy: string): Promise<string> {
  const dialog = Object.assign(document.createElement("dialog"), { className: "ask" });
  dialog.setAttribute("aria-labelledby", labelledBy);
  const before = document.activeElement;
  render(template(dialog), dialog);
  home().append(dialog);
  openModal(dialog);
  await new Promise((resolve) => dialog.addEventListener("close", resolve, { once: true }));
  dialog.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return dialog.returnValue;
}

/** Explains what will be deleted, and asks. */
export async function confirmDeletion({ title, turns }: ConversationSummary, record: Conversation | null): Promise<boolean> {
  const quizzes = record?.turns.filter(({ artifact }) => artifact).length ?? 0;
  const attempts = record?.quizAttempts.length ?? 0;
  const what = [
    msg("workspace.questionsWithTheirAnswers", { n: turns }),
    ...(quizzes ? [msg("workspace.quizzes", { n: quizzes })] : []),
    ...(attempts ? [msg("workspace.attempts", { n: attempts })] : []),
  ].join(", ");
  const answer = await ask(
    () => html`<h2 id="colloquy-deleting">${rich("workspace.delete2", { title: html`<bdi>${title}</bdi>` })}</h2>
      <p>${msg("workspace.unsentTextAttachmentsDeletedServiceBrowser", { what })}</p>
      <form method="dialog"><button class="button" value="" autofocus>${msg("editor.keepIt")}</button><button class="button button-danger" value="delete">${msg("editor.delete")}</button></form>`,
    "colloquy-deleting",
  );
  return answer === "delete";
}

/** Asks for a new title; null if cancelled. */
export async function askTitle(title: string): Promise<string | null> {
  let written = title;
  const answer = await ask(
    (dialog) => html`<h2 id="colloquy-renaming">${msg("workspace.renameTheConversation")}</h2>
      <form method="dialog" @submit=${() => (dialog.returnValue = "rename")}>
        <input dir="auto" aria-labelledby="colloquy-renaming" maxlength="200" .value=${title} autofocus @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
          @input=${(event: Event) => (written = (event.target as HTMLInputElement).value)} />
        <button class="button" type="button" @click=${() => dialog.close("")}>${msg("common.cancel")}</button><button class="button button-primary" value="rename">${msg("workspace.rename")}</button></form>`,
    "colloquy-renaming",
  );
  return answer === "rename" ? written : null;
}

let offered: HTMLElement | null = null;

/** Shows what was done with a button (usually Undo) for some seconds; replaces an earlier one. */
export function offerUndo(words: string, undo: () => void, name = msg("common.undo")): void {
  offered?.remove();
  const toast = Object.assign(document.createElement("div"), { className: "undo", role: "status", popover: "manual" });
  const end = (): void => {
    toast.remove();
    if (offered === toast) offered = null;
  };
  let timer = setTimeout(end, undoMs);
  // The timer stops while the pointer or focus is on the toast.
  toast.addEventListener("pointerenter", () => clearTimeout(timer));
  toast.addEventListener("focusin", () => clearTimeout(timer));
  const again = (): void => {
    clearTimeout(timer);
    timer = setTimeout(end, undoMs / 2);
  };
  toast.addEventListener("pointerleave", again);
  toast.addEventListener("focusout", again);
  const place = home();
  place.append(toast);
  toast.showPopover();
  // The toast stays when its sheet closes.
  if (place instanceof HTMLDialogElement)
    place.addEventListener(
      "close",
      () => {
        if (offered !== toast) return;
        home().append(toast);
        toast.showPopover();
      },
      { once: true },
    );
  const act = (): void => {
    undo();
    end();
  };
  // Rendered into an existing status, so that it is announced.
  render(html`<span>${words}</span><button type="button" @click=${act}>${name}</button>`, toast);
  offered = toast;
}
