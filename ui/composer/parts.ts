import { bounds } from "@colloquy/schemas/bounds.ts";
import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { AttachedReference, ConversationMode } from "@colloquy/schemas/sync/changes.ts";
import { html, nothing, type TemplateResult } from "lit";
import { icons } from "../controls/icons.ts";
import { kindName } from "../controls/kinds.ts";
import { isSamePlace } from "../courses/paths.ts";
import { msg, rich } from "../messages/page.ts";

const { references: most } = bounds.ask;
/** The limit is shown from this number of references on. */
const near = most - 2;

/** The attached references, and a button for the nearest page. */
export function attachedSources(
  references: readonly AttachedReference[],
  pages: readonly ReferenceResult[],
  does: { attach(page: ReferenceResult): void; detach(reference: AttachedReference): void },
): TemplateResult | typeof nothing {
  const full = references.length >= most;
  const page = full ? undefined : pages.find((one) => !references.some((reference) => isSamePlace(reference, one)));
  if (!references.length && !page) return nothing;
  const chip = (
    reference: AttachedReference,
  ) => html`<li><span class="chip" title=${reference.title}><em>${kindName(reference.kind)}</em><b dir="auto">${reference.title}</b>
      <button type="button" aria-label=${msg("composer.remove", { source: reference.title })} @click=${() => does.detach(reference)}>${icons.close}</button></span></li>`;
  return html`<div class="sources">
      ${references.length ? html`<ul class="chips" aria-label=${msg("composer.attachedSources")}>${references.map(chip)}</ul>` : nothing}
      ${
        page
          ? html`<button type="button" class="chip add" title=${msg("composer.add", { page: page.title })} @click=${() => does.attach(page)}>${icons.add}<em>${msg("composer.addPage")}</em><b dir="auto">${page.title}</b></button>`
          : nothing
      }
      ${references.length >= near ? html`<small>${msg("composer.ofSources", { count: references.length, most })}</small>` : nothing}
    </div>`;
}

/** The switch between asking and tutoring. */
export function modes(mode: ConversationMode, turn: (mode: ConversationMode) => void): TemplateResult {
  const choice = (of: ConversationMode, name: string, title: string) =>
    html`<button type="button" aria-pressed=${mode === of} title=${title} @click=${() => turn(of)}>${name}</button>`;
  return html`<span class="modes" role="group" aria-label=${msg("composer.mode")}>${choice("ask", msg("common.ask"), msg("composer.askQuestionsAsk"))}${choice("tutor", msg("common.tutor"), msg("composer.taughtStepStepTutor"))}</span>`;
}

/** The notice that no model is configured. */
export const unconfigured = (): TemplateResult =>
  html`<p class="note">${icons.alert}<span>${rich("composer.noModelSetUpQuestionsCannot", {
    key: html`<code dir="ltr">P1_API_KEY</code>`,
    demo: html`<code dir="ltr">DEMO_MODEL=on</code>`,
  })}</span></p>`;
