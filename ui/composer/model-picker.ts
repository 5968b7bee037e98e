import type { ModelChoice, ModelSelection } from "@colloquy/schemas/ai/models.ts";
import { html, LitElement, nothing } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { placeBeside } from "../controls/place.ts";
import { rootStyles } from "../controls/styles.ts";
import { ChooseModelEvent } from "./events.ts";
import { modelPickerStyles } from "./model-picker.styles.ts";

/** "p1" is the slot "P1". */
const slotName = (provider: string): string => provider.toUpperCase();

/**
 * @summary Who answers: automatic routing, or one model for this conversation, with leave to go on with another or without.
 * @event {ChooseModelEvent} colloquy-choose-model
 * @csspart button - what opens the choices
 */
@customElement("colloquy-model-picker")
export class ModelPicker extends LitElement {
  static override styles = [rootStyles, modelPickerStyles];

  @property({ attribute: false }) models: ModelChoice[] = [];
  /** Whether a model of the automatic order is configured. */
  @property({ type: Boolean }) automatic = false;
  @property({ attribute: false }) selection: ModelSelection = { choice: "automatic" };
  @query("[popover]") private panel!: HTMLElement;
  @query(".open") private opener!: HTMLButtonElement;

  protected override render() {
    const { selection } = this;
    const pinned = selection.choice === "pinned" ? this.models.find((model) => model.id === selection.id) : null;
    const name = selection.choice === "automatic" ? "Automatic" : (pinned?.name ?? "A model that is no longer here");
    return html`
      <button class="open" part="button" type="button" popovertarget="choices" aria-haspopup="dialog" aria-expanded="false"
        aria-label=${`Model: ${name}`}><span>${name}</span>${icons.down}</button>
      <div id="choices" popover role="dialog" aria-label="Model" @toggle=${this.#toggled}>
        <fieldset>
          <legend>Who answers in this conversation</legend>
          ${this.#choice("automatic", "Automatic", this.#order(), selection.choice === "automatic", !this.automatic)}
          ${this.models.map((model) =>
            this.#choice(model.id, model.name, this.#about(model), selection.choice === "pinned" && selection.id === model.id, false),
          )}
        </fieldset>
        ${
          selection.choice === "pinned"
            ? html`<label class="choice allow"><input type="checkbox" .checked=${selection.allowFallbackWhenPinned} @change=${this.#allow} />
              <b>Another model may answer if this one cannot</b>
              <small>Otherwise only this one is asked. Which one answered is always named.</small></label>`
            : nothing
        }
      </div>`;
  }

  /** A pinned model adds a line, so the panel is placed anew. */
  protected override updated(): void {
    if (this.panel.matches(":popover-open")) this.#place();
  }

  #place(): void {
    placeBeside(this.opener.getBoundingClientRect(), this.panel, { side: "above" });
  }

  #choice(value: string, name: string, about: string, checked: boolean, disabled: boolean) {
    const experimental = this.models.find((model) => model.id === value)?.experimental;
    return html`<label class="choice"><input type="radio" name="model" .value=${value} .checked=${checked} ?disabled=${disabled} @change=${this.#pick} />
      <span><b>${name}</b>${experimental ? html`<span class="tag">experimental</span>` : nothing}</span>
      <small>${about}</small></label>`;
  }

  /** What automatic routing means here: the defaults of the first slots, in their order. */
  #order(): string {
    const ranked = this.models
      .filter((model) => model.automaticRank !== null)
      .sort((one, other) => (one.automaticRank ?? 0) - (other.automaticRank ?? 0));
    const names = ranked.map((model) => model.name);
    if (!names.length) return "No model of the automatic order is set up here.";
    return names.length === 1 ? `Asks ${names[0]}.` : `Asks ${names[0]} first, then ${names.slice(1).join(", ")}.`;
  }

  #about(model: ModelChoice): string {
    return `${model.providerLabel} · ${slotName(model.provider)}${model.capabilities.tutor ? "" : " · answers only"}`;
  }

  #toggled(event: ToggleEvent) {
    this.opener.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState !== "open") return;
    this.#place();
    this.panel.querySelector<HTMLInputElement>("input:checked")?.focus();
  }

  #pick(event: Event) {
    const { value } = event.currentTarget as HTMLInputElement;
    const allowed = this.selection.choice === "pinned" && this.selection.allowFallbackWhenPinned;
    this.dispatchEvent(
      new ChooseModelEvent(
        value === "automatic" ? { choice: "automatic" } : { choice: "pinned", id: value, allowFallbackWhenPinned: allowed },
      ),
    );
  }

  #allow(event: Event) {
    if (this.selection.choice !== "pinned") return;
    const { checked } = event.currentTarget as HTMLInputElement;
    this.dispatchEvent(new ChooseModelEvent({ ...this.selection, allowFallbackWhenPinned: checked }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-model-picker": ModelPicker;
  }
}
