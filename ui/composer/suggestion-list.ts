import { bounds } from "@colloquy/schemas/bounds.ts";
import { html, nothing, type TemplateResult } from "lit";
import { kindName } from "../controls/kinds.ts";
import { msg } from "../messages/page.ts";
import type { Choice, Suggestion } from "./suggestions.ts";

export const listId = "suggestions";
export const optionId = (index: number): string => `option-${index}`;

/** The list of suggestions. The field keeps the focus and names the active item (`aria-activedescendant`). */
export function suggestionList(
  choice: Choice,
  options: { full: boolean; accept(item: Suggestion): void; pressed(event: KeyboardEvent): void; left(event: FocusEvent): void },
): TemplateResult {
  const words = options.full && choice.trigger.sign === "@" ? fullWords() : emptyWords(choice);
  return html`<div class="popup" tabindex="0" role="group" aria-label=${choice.trigger.sign === "@" ? msg("composer.placesInTheCourses") : msg("composer.commands")} @keydown=${options.pressed} @blur=${options.left} @mousedown=${(event: Event) => event.preventDefault()}>
    ${words ? html`<p>${words}</p>` : nothing}
    <ul class="list" id=${listId} role="listbox" aria-label=${choice.trigger.sign === "@" ? msg("composer.placesInTheCourses") : msg("composer.commands")} ?hidden=${Boolean(words)}>
      ${
        words
          ? nothing
          : choice.items.map(
              (item, index) => html`<li id=${optionId(index)} role="option" aria-selected=${index === choice.active}
              @click=${() => options.accept(item)}>${entry(item)}</li>`,
            )
      }
    </ul></div>`;
}

const fullWords = (): string => msg("composer.sourcesMostOneConversation", { n: bounds.ask.references });

function emptyWords({ items, state, trigger }: Choice): string | null {
  if (items.length) return null;
  if (state === "searching") return msg("audit.searching");
  return state === "failed" ? msg("composer.coursesCannotSearchedRight") : msg("composer.noResultsCourses", { query: trigger.query });
}

function entry(item: Suggestion): TemplateResult {
  if (item.kind === "command") {
    const { name, about, takes } = item.command;
    return html`<em><b dir="ltr">/${name}</b></em><span>${msg(about)}</span>${takes ? html`<small><bdi dir="ltr">/${name}</bdi> ${msg(takes)}</small>` : nothing}`;
  }
  const { place, open } = item;
  return html`<em>${open ? msg("composer.openPage") : kindName(place.kind)}</em><b dir="auto">${place.title}</b><small dir="auto">${place.trail.join(" › ") || place.excerpt}</small>`;
}
