import type { ReferenceResult } from "@colloquy/schemas/ask/references.ts";
import type { AttachedReference } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing } from "lit";
import "../composer/composer.ts";
import type { AttachEvent, DraftEvent } from "../composer/events.ts";
import type { Search } from "../composer/reference-search.ts";
import { attachedFrom } from "../conversations/attached.ts";
import { msg } from "../messages/page.ts";
import { visitorDraft } from "../store/drafts.ts";
import { returnHere } from "./address.ts";

/** What somebody who is not signed in wrote and carried along: kept by this tab of the browser until the sign-in brings them back. */
export class Visit {
  #text: string;
  #reference: AttachedReference | null;
  readonly #changed: () => void;

  /** @param source the page that led here */
  constructor(source: ReferenceResult | null, changed: () => void) {
    const kept = visitorDraft.read();
    this.#text = kept?.text ?? "";
    this.#reference = source ? attachedFrom(source) : (kept?.reference ?? null);
    this.#changed = changed;
  }

  readonly keep = (): void => visitorDraft.write({ text: this.#text, reference: this.#reference });

  #carry(reference: AttachedReference | null): void {
    this.#reference = reference;
    this.keep();
    this.#changed();
  }

  /** What one can do here, and how to begin. */
  render({ demo, search, pages }: { demo: boolean; search: Search; pages: ReferenceResult[] }) {
    const back = encodeURIComponent(returnHere());
    const reference = this.#reference;
    return html`<div class="visit"><div class="invite">
        <div><h2>${reference ? msg("Ask about {title}", { title: reference.title }) : msg("Answers you can check")}</h2>
          <p>${msg("Ask about a course, and read an answer written from its own text. Every statement points to the passage it stands on: one click, and you read it there, marked.")}</p></div>
        <div class="ways">
          ${demo ? html`<a class="button button-primary" href=${`/auth/demo?as=learner&return=${back}`} @click=${this.keep}>${msg("Begin as Mira, a demo learner")}</a>` : nothing}
          <a class="button ${demo ? "" : "button-primary"}" href=${`/auth/login?return=${back}`} @click=${this.keep}>${msg("Sign in with your account")}</a>
          ${demo ? html`<a class="other" href=${`/sign-in?return=${back}`} @click=${this.keep}>${msg("Other demo accounts")}</a>` : nothing}
        </div>
      </div>
      <div class="foot"><colloquy-composer .text=${this.#text} .references=${reference ? [reference] : []} .blocked=${msg("Sign in to send. What you write is kept.")}
        .search=${search} .pages=${pages}
        @colloquy-draft=${(event: DraftEvent) => {
          this.#text = event.text;
          this.keep();
        }}
        @colloquy-attach=${(event: AttachEvent) => this.#carry(attachedFrom(event.reference))}
        @colloquy-detach=${() => this.#carry(null)}></colloquy-composer></div></div>`;
  }
}
