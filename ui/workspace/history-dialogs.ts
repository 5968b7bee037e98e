import type { Conversation, ConversationSummary } from "@colloquy/schemas/conversations/requests.ts";
import { html, render, type TemplateResult } from "lit";
import { openModal } from "../controls/overlay-history.ts";
import { msg, rich } from "../messages/page.ts";

/** How long an undo is offered, in milliseconds. */
const undoMs = 10_000;

/** Where dialogs are put: into the workspace, whose styles they have; beside an open sheet everything else is out of reach. */
const home = (): HTMLElement =>
  document.querySelector<HTMLElement>("dialog.sheet[open]") ?? document.querySelector<HTMLElement>("colloquy-workspace") ?? document.body;

/** Shows a dialog until it is closed; what its form returned. */
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

/** Says what goes with a conversation, and asks. */
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
      <p>${msg("workspace.writtenSentEverythingAttached", { what })}</p>
      <form method="dialog"><button class="button" value="" autofocus>${msg("editor.keepIt")}</button><button class="button button-danger" value="delete">${msg("editor.delete")}</button></form>`,
    "colloquy-deleting",
  );
  return answer === "delete";
}

/** Asks for another title; null when it stays. */
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

/** Says what was done, with something to do about it (usually to take it back), for some seconds; a later one takes its place. */
export function offerUndo(words: string, undo: () => void, name = msg("common.undo")): void {
  offered?.remove();
  const toast = Object.assign(document.createElement("div"), { className: "undo", role: "status", popover: "manual" });
  const end = (): void => {
    toast.remove();
    if (offered === toast) offered = null;
  };
  let timer = setTimeout(end, undoMs);
  // Whoever is on their way to the button is not hurried.
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
  // It outlives the sheet it was offered in.
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
  // Into a status that stands already, so that it is read out.
  render(html`<span>${words}</span><button type="button" @click=${act}>${name}</button>`, toast);
  offered = toast;
}
