import type { ModelChoice, ModelSelection } from "@colloquy/schemas/models.ts";
import { html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { closeOnBack } from "../controls/overlay-history.ts";
import { placeBeside } from "../controls/place.ts";
import { rootStyles } from "../controls/styles.ts";
import { list, msg } from "../messages/page.ts";
import { ChooseModelEvent, HideModelEvent } from "./events.ts";
import { modelPickerStyles } from "./model-picker.styles.ts";

/** Asks for the models anew: what is left of their limits has changed with each answer. */
const modelsWanted = "colloquy-models-wanted";

/** "p1" is the slot "P1". */
const slotName = (provider: string): string => (provider === "local" ? msg("composer.localModel") : provider.toUpperCase());

/** What is left of the daily limits of a model's slot, in words. */
const leftToday = ({ leftToday: { requests, tokens } = { requests: null, tokens: null } }: ModelChoice): string[] => [
  ...(requests ? [msg("composer.requestsLeftToday", requests)] : []),
  ...(tokens ? [msg("composer.tokensLeftToday", tokens)] : []),
];

/**
 * @summary Chooses automatic routing or one model for this conversation, with or without fallback to others. Which models are listed is a
 *   separate preference and does not affect routing.
 * @event {ChooseModelEvent} colloquy-choose-model
 * @event {HideModelEvent} colloquy-hide-model
 * @event colloquy-models-wanted - what is left of daily limits may have changed
 * @csspart button - opens the choices
 */
@customElement("colloquy-model-picker")
export class ModelPicker extends LitElement {
  static override styles = [rootStyles, modelPickerStyles];

  @property({ attribute: false }) models: ModelChoice[] = [];
  /** Whether a model for automatic routing is configured. */
  @property({ type: Boolean }) automatic = false;
  @property({ attribute: false }) selection: ModelSelection = { choice: "automatic" };
  /** Ids of models that are not listed. */
  @property({ attribute: false }) hiddenModels: ReadonlySet<string> = new Set();
  /** The panel shows which models are listed. */
  @state() private listing = false;
  @query("[popover]") private panel!: HTMLElement;
  @query(".open") private opener!: HTMLButtonElement;

  #back: (() => void) | null = null;

  /** Opens the choices like a click on the button. Calls `back` when they close, unless another element took the focus. */
  open(back: () => void): void {
    this.#back = back;
    this.panel.showPopover();
  }

  protected override render() {
    const { selection } = this;
    const pinned = selection.choice === "pinned" ? this.models.find((model) => model.id === selection.id) : null;
    const left = pinned ? leftToday(pinned) : [];
    const name = selection.choice === "automatic" ? msg("composer.automatic") : (pinned?.name ?? msg("composer.modelNoLongerAvailable"));
    return html`
      <button class="open" part="button" type="button" popovertarget="choices" aria-haspopup="dialog" aria-expanded="false"
        aria-label=${msg("composer.model", { name })} title=${[msg("composer.model", { name }), ...left].join(" · ")}>${icons.model}<span>${name}</span>${icons.down}</button>
      <div id="choices" popover role="dialog" aria-label=${msg("common.model")} @beforetoggle=${this.#closing} @toggle=${this.#toggled}>
        ${this.listing ? this.#list() : this.#choose(selection)}
      </div>`;
  }

  #choose(selection: ModelSelection) {
    const isPinned = (model: ModelChoice) => selection.choice === "pinned" && selection.id === model.id;
    const listed = this.models.filter((model) => !this.hiddenModels.has(model.id) || isPinned(model));
    const left = this.models.length - listed.length;
    return html`<fieldset>
        <legend>${msg("composer.answersConversation")}</legend>
        ${this.#choice("automatic", msg("composer.automatic"), this.#order(), selection.choice === "automatic", !this.automatic)}
        ${listed.map((model) => this.#choice(model.id, model.name, this.#about(model), isPinned(model), false))}
      </fieldset>
      ${
        selection.choice === "pinned"
          ? html`<label class="choice allow"><input type="checkbox" .checked=${selection.allowFallbackWhenPinned} @change=${this.#allow} />
              <b>${msg("composer.anotherModelMayAnswer")}</b>
              <small>${msg("composer.otherwiseOnlyOneAsked")}</small></label>`
          : nothing
      }
      ${
        this.models.length > 1
          ? html`<button type="button" class="more" @click=${() => this.#turn(true)}>${left ? msg("composer.chooseModelsListedHidden", { count: left }) : msg("composer.chooseModelsListed")}</button>`
          : nothing
      }`;
  }

  #list() {
    return html`<fieldset>
        <legend>${msg("composer.modelsListedAutomaticAsks")}</legend>
        ${this.models.map(
          (model) => html`<label class="choice"><input type="checkbox" name="listed" .checked=${!this.hiddenModels.has(model.id)}
            @change=${(event: Event) => this.#hide(model, event)} />
            <b>${model.name}</b><small>${this.#about(model)}</small></label>`,
        )}
      </fieldset>
      <button type="button" class="more" @click=${() => this.#turn(false)}>${msg("common.done")}</button>`;
  }

  #hide(model: ModelChoice, event: Event): void {
    const { checked } = event.currentTarget as HTMLInputElement;
    this.dispatchEvent(new HideModelEvent(model.id, !checked));
  }

  /** Switches the panel's view and focuses its first choice. */
  #turn(listing: boolean): void {
    this.listing = listing;
    void this.updateComplete.then(() => this.#first()?.focus());
  }
  #first(): HTMLInputElement | null {
    return this.panel.querySelector(this.listing ? "input" : "input:checked");
  }

  /** A pinned model adds a line, so the panel is placed again. */
  protected override updated(): void {
    if (this.panel.matches(":popover-open")) this.#place();
  }

  #place(): void {
    placeBeside(this.opener.getBoundingClientRect(), this.panel, { side: "above" });
  }

  #choice(value: string, name: string, about: string, checked: boolean, disabled: boolean) {
    const experimental = this.models.find((model) => model.id === value)?.experimental;
    return html`<label class="choice"><input type="radio" name="model" .value=${value} .checked=${checked} ?disabled=${disabled} @change=${this.#pick} />
      <span><b>${name}</b>${experimental ? html`<span class="tag">${msg("composer.experimental")}</span>` : nothing}</span>
      <small>${about}</small></label>`;
  }

  /** The order of automatic routing, in words. */
  #order(): string {
    const ranked = this.models
      .filter((model) => model.automaticRank !== null)
      .sort((one, other) => (one.automaticRank ?? 0) - (other.automaticRank ?? 0));
    const names = ranked.map((model) => model.name);
    if (!names.length) return msg("composer.noModelSetUpAutomaticChoice");
    return names.length === 1
      ? msg("composer.asks", { name: names[0] ?? "" })
      : msg("composer.asksFirstThen", { first: names[0] ?? "", others: list(names.slice(1), "unit") });
  }

  #about(model: ModelChoice): string {
    return [
      model.providerLabel,
      slotName(model.provider),
      ...(model.capabilities.tutor ? [] : [msg("composer.answersOnly")]),
      ...leftToday(model),
    ].join(" · ");
  }

  /** Returns the focus before anything else can be typed. */
  #closing(event: ToggleEvent) {
    if (event.newState !== "closed") return;
    if (this.panel.contains(this.shadowRoot?.activeElement ?? null)) this.#back?.();
    this.#back = null;
  }

  #toggled(event: ToggleEvent) {
    this.opener.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState !== "open") {
      this.listing = false;
      return;
    }
    if (this.models.some((model) => model.leftToday)) this.dispatchEvent(new Event(modelsWanted, { bubbles: true, composed: true }));
    closeOnBack(this.panel);
    this.#place();
    this.#first()?.focus();
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
