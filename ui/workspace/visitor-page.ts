import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing } from "lit";
import { msg } from "../messages/page.ts";
import "../composer/composer.ts";
import type { AttachEvent, DraftEvent } from "../composer/events.ts";
import type { Search } from "../composer/reference-search.ts";
import { toAttachedReference } from "../conversations/attached.ts";
import { visitorDraft } from "../store/drafts.ts";
import { currentPath } from "./address.ts";

/** What a visitor wrote and attached before signing in; kept in session storage. */
export class VisitorPage {
  #text: string;
  #reference: AttachedReference | null;
  readonly #changed: () => void;

  readonly #isPageMissing: boolean;

  /** @param page the page that led here; null if it was not found, undefined if none did */
  constructor(page: ReferenceResult | null | undefined, changed: () => void, isQuiz = false) {
    const source = page ?? null;
    const kept = visitorDraft.read();
    this.#isPageMissing = page === null;
    this.#text = kept?.text || (isQuiz && source ? "/quiz " : "");
    this.#reference = source ? toAttachedReference(source) : (kept?.reference ?? null);
    this.#changed = changed;
  }

  readonly keep = (): void => visitorDraft.write({ text: this.#text, reference: this.#reference });

  #setReference(reference: AttachedReference | null): void {
    this.#reference = reference;
    this.keep();
    this.#changed();
  }

  /** The invitation to sign in, with a composer. */
  render({ demo, search, pages }: { demo: boolean; search: Search; pages: ReferenceResult[] }) {
    const back = encodeURIComponent(currentPath());
    const reference = this.#reference;
    return html`<div class="visit"><div class="invite">
        <div><h2>${reference ? msg("common.askAbout", { title: reference.title }) : msg("workspace.answersSources")}</h2>
          <p>${msg("workspace.askAboutCourseRead")}</p>${this.#isPageMissing ? html`<p role="status">${msg("workspace.pageNotFoundNotAttached")}</p>` : nothing}</div>
        <div class="ways">
          ${demo ? html`<a class="button button-primary" href=${`/auth/demo?as=learner&return=${back}`} @click=${this.keep}>${msg("workspace.beginMiraDemoLearner")}</a>` : nothing}
          <a class="button ${demo ? "" : "button-primary"}" href=${`/auth/login?return=${back}`} @click=${this.keep}>${msg("workspace.signAccount")}</a>
          ${demo ? html`<a class="other" href=${`/sign-in?return=${back}`} @click=${this.keep}>${msg("workspace.otherDemoAccounts")}</a>` : nothing}
        </div>
      </div>
      <div class="foot"><colloquy-composer .text=${this.#text} .references=${reference ? [reference] : []} .blocked=${msg("workspace.signSendWriteKept")}
        .search=${search} .pages=${pages}
        @colloquy-draft=${(event: DraftEvent) => {
          this.#text = event.text;
          this.keep();
        }}
        @colloquy-attach=${(event: AttachEvent) => this.#setReference(toAttachedReference(event.reference))}
        @colloquy-detach=${() => this.#setReference(null)}></colloquy-composer></div></div>`;
  }
}
