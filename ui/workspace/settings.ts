import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";
import { css, html } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";

/** The learner chooses how the workspace and the pages look and move. */
export class ChooseEvent extends Event {
  static readonly type = "colloquy-choose";
  readonly choices: PreferenceChoices;
  constructor(choices: PreferenceChoices) {
    super(ChooseEvent.type, { bubbles: true, composed: true });
    this.choices = choices;
  }
}

interface Setting {
  name: "theme" | "readingSize" | "motion";
  words: string;
  /** The first is what counts while nothing was chosen. */
  values: readonly (readonly [value: string, words: string])[];
}

const settings: readonly Setting[] = [
  {
    name: "theme",
    words: "Theme",
    values: [
      ["system", "As the device"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  },
  {
    name: "readingSize",
    words: "Text size",
    values: [
      ["medium", "Medium"],
      ["small", "Small"],
      ["large", "Large"],
      ["larger", "Larger"],
    ],
  },
  {
    name: "motion",
    words: "Motion",
    values: [
      ["system", "As the device"],
      ["reduced", "Less"],
    ],
  },
];
/** Sizes are offered in their order, though the one in the middle counts at first. */
const shownOrder = (values: Setting["values"]) =>
  values[0]?.[0] === "medium" ? [values[1], values[0], ...values.slice(2)].filter((value) => value !== undefined) : values;

/**
 * @summary The account's settings of the workspace, in a dialog. Every choice shows at once and goes to every device.
 * @event {ChooseEvent} colloquy-choose
 */
@customElement("colloquy-settings")
export class Settings extends LightElement {
  static override lightStyles = [
    css`
      colloquy-settings dialog { inline-size: min(27rem, calc(100vw - 24px)); max-block-size: calc(100dvh - 24px); padding: var(--s5); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-m)/1.45 var(--font-ui); overscroll-behavior: contain; }
      colloquy-settings header { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); margin-block-end: var(--s3); }
      colloquy-settings h2 { font: 600 1.25rem/1.3 var(--font-read); }
      colloquy-settings header button { display: grid; place-items: center; inline-size: 44px; block-size: 44px; margin: -8px -10px -8px 0; border-radius: var(--r-m); font-size: 18px; color: var(--ink-soft); }
      colloquy-settings fieldset { display: flex; flex-wrap: wrap; gap: 6px; min-inline-size: 0; margin: 0; padding: var(--s3) 0; border: 0; }
      colloquy-settings legend { float: inline-start; inline-size: 100%; padding: 0; font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); }
      colloquy-settings label { position: relative; display: grid; place-items: center; flex: 1 1 auto; min-block-size: 44px; padding: 6px 14px; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--paper); cursor: pointer; }
      colloquy-settings label:has(:checked) { border-color: var(--accent); background: var(--accent-wash); font-weight: 600; }
      colloquy-settings label:has(:focus-visible) { box-shadow: var(--focus); }
      colloquy-settings input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer; }
      colloquy-settings p { margin-block-start: var(--s2); font-size: var(--text-s); color: var(--ink-faint); }
      @media (forced-colors: active) { colloquy-settings label:has(:checked) { border-color: Highlight; outline: 2px solid Highlight; } }
    `,
  ];

  @property({ attribute: false }) choices: PreferenceChoices = {};
  @query("dialog") private dialog!: HTMLDialogElement;

  open(): void {
    this.dialog.showModal();
  }

  protected override render() {
    return html`<dialog aria-labelledby="settings-title" @click=${this.#beside}>
      <form method="dialog"><header><h2 id="settings-title">Settings</h2><button aria-label="Close the settings">${icons.close}</button></header></form>
      ${settings.map((setting) => this.#setting(setting))}
      <p>They count on every device you sign in on.</p></dialog>`;
  }

  #setting({ name, words, values }: Setting) {
    const chosen = this.choices[name] ?? values[0]?.[0];
    return html`<fieldset><legend>${words}</legend>${shownOrder(values).map(
      ([value, label]) => html`<label><input type="radio" name=${name} value=${value} .checked=${value === chosen}
        @change=${() => this.dispatchEvent(new ChooseEvent({ [name]: value } as PreferenceChoices))} />${label}</label>`,
    )}</fieldset>`;
  }

  /** A click beside the dialog closes it. */
  readonly #beside = (event: MouseEvent) => {
    if (event.target === this.dialog) this.dialog.close();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-settings": Settings;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-choose": ChooseEvent;
  }
}
