import { isLanguage, languageNames, languages } from "@colloquy/schemas/languages.ts";
import type { PreferenceChoices } from "@colloquy/schemas/sync/changes.ts";
import { css, html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { SignedIn } from "../accounts/signed-in.ts";
import type { Api } from "../api/client.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { openModal } from "../controls/overlay-history.ts";
import { msg } from "../messages/page.ts";
import "../review/reminders.ts";
import type { RemindersElement } from "../review/reminders.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { SetAside } from "../store/prototype-record.ts";
import { readSetAside } from "../store/set-aside.ts";
import "./assistants.ts";
import type { ConnectedAssistants } from "./assistants.ts";
import { saveSetAside } from "./migration-report.ts";
import "./devices.ts";
import type { SignedInDevices } from "./devices.ts";

/** The learner changes a preference. */
export class ChooseEvent extends Event {
  static readonly type = "colloquy-choose";
  readonly choices: PreferenceChoices;
  constructor(choices: PreferenceChoices) {
    super(ChooseEvent.type, { bubbles: true, composed: true });
    this.choices = choices;
  }
}

interface Setting {
  name: "theme" | "readingSize" | "motion" | "language";
  words: string;
  /** The first value is the default. */
  values: readonly (readonly [value: string, words: string])[];
}

const settings = (): readonly Setting[] => [
  {
    name: "theme",
    words: msg("workspace.theme"),
    values: [
      ["system", msg("workspace.system")],
      ["light", msg("explainer.light")],
      ["dark", msg("explainer.dark")],
    ],
  },
  {
    name: "readingSize",
    words: msg("workspace.textSize"),
    values: [
      ["medium", msg("workspace.medium")],
      ["small", msg("workspace.small")],
      ["large", msg("workspace.large")],
      ["larger", msg("workspace.larger")],
    ],
  },
  {
    name: "motion",
    words: msg("workspace.motion"),
    values: [
      ["system", msg("workspace.system")],
      ["reduced", msg("workspace.less")],
    ],
  },
  {
    name: "language",
    words: msg("common.language"),
    values: [["system", msg("workspace.system")], ...languageNames.map((language) => [language, languages[language].name] as const)],
  },
];
/** Text sizes are shown in order of size, though the default is the middle one. */
const shownOrder = (values: Setting["values"]) =>
  values[0]?.[0] === "medium" ? [values[1], values[0], ...values.slice(2)].filter((value) => value !== undefined) : values;

/**
 * @summary The account's settings, in a dialog over the page. Choices apply at once and on all devices.
 * @event {ChooseEvent} colloquy-choose
 * @event {Event} close - the learner closed the dialog
 */
@customElement("colloquy-settings")
export class Settings extends LightElement {
  static override lightStyles = [
    css`
      colloquy-settings dialog { inline-size: min(27rem, calc(100vw - 24px)); max-block-size: calc(100dvh - 24px); padding: var(--s5); border: 1px solid var(--line-strong); border-radius: var(--r-l); background: var(--raised); color: var(--ink); box-shadow: var(--shadow-2); font: var(--text-m)/1.45 var(--font-ui); overscroll-behavior: contain; }
      colloquy-settings header { display: flex; align-items: center; justify-content: space-between; gap: var(--s3); margin-block-end: var(--s3); }
      colloquy-settings h2 { font: 600 1.25rem/1.3 var(--font-read); }
      colloquy-settings header button { display: grid; place-items: center; inline-size: 44px; block-size: 44px; margin-block: -8px; margin-inline-end: -10px; border-radius: var(--r-m); font-size: 18px; color: var(--ink-soft); }
      colloquy-settings fieldset { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 6px; min-inline-size: 0; margin: 0; padding: 0 0 var(--s4); border: 0; }
      colloquy-settings legend { inline-size: 100%; margin-block-end: 6px; padding: 0; font-size: var(--text-s); font-weight: 550; color: var(--ink-soft); }
      colloquy-settings label { position: relative; display: grid; place-items: center; min-block-size: 44px; padding: 6px; text-align: center; border: 1px solid var(--line); border-radius: var(--r-m); background: var(--paper); cursor: pointer; }
      colloquy-settings fieldset[data-across="3"] { grid-template-columns: repeat(3, minmax(0, 1fr)); }
      colloquy-settings fieldset[data-across="2"] { grid-template-columns: repeat(2, minmax(0, 1fr)); }
      @media (max-width: 25rem) { colloquy-settings fieldset:not([data-across="3"]) { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
      colloquy-settings label:has(:checked) { border-color: var(--accent); background: var(--accent-wash); font-weight: 600; }
      colloquy-settings label:has(:focus-visible) { box-shadow: var(--focus); }
      colloquy-settings input { position: absolute; inset: 0; inline-size: 100%; block-size: 100%; margin: 0; opacity: 0; cursor: pointer; }
      colloquy-settings dialog > p { margin-block-start: var(--s2); font-size: var(--text-s); color: var(--ink-faint); }
      colloquy-settings colloquy-reminders > div { margin-block-start: var(--s4); padding-block-start: var(--s4); border-block-start: 1px solid var(--line); }
      colloquy-settings .aside { display: grid; justify-items: start; gap: var(--s2); margin-block-start: var(--s3); padding-block-start: var(--s3); border-block-start: 1px solid var(--line); font-size: var(--text-s); }
      @media (forced-colors: active) { colloquy-settings label:has(:checked) { border-color: Highlight; outline: 2px solid Highlight; } }
    `,
  ];

  /** Whether the dialog is shown. */
  @property({ type: Boolean }) open = false;
  /** Whether it is shown over a sheet, to which Back returns. */
  @property({ type: Boolean }) over = false;
  @property({ attribute: false }) choices: PreferenceChoices = {};
  /** Loads the connected assistants; without it they are not shown. */
  @property({ attribute: false }) api: Pick<
    Api,
    "assistants" | "allowAssistant" | "signOut" | "sessions" | "endSession" | "review" | "send"
  > | null = null;
  /** Who may sign out everywhere; without it that is not offered. */
  @property({ attribute: false }) signedIn: SignedIn | null = null;
  @property({ attribute: false }) leaveFor: (href: string) => void = () => undefined;
  /** The account's local store. */
  @property({ attribute: false }) store: Pick<AccountStore, "meta"> | null = null;
  /** Entries of an earlier version that could not be migrated, while this browser has them. */
  @state() private setAside: readonly SetAside[] = [];
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("colloquy-assistants") private assistants!: ConnectedAssistants | null;
  @query("colloquy-reminders") private reminders!: RemindersElement | null;
  @query("colloquy-devices") private devices!: SignedInDevices | null;

  protected override updated(changed: PropertyValues<this>): void {
    if (!changed.has("open") || this.open === this.dialog.open) return;
    if (this.open) this.#show();
    else this.dialog.close();
  }

  #show(): void {
    // At its own address it needs no further history entry.
    if (this.over) openModal(this.dialog);
    else this.dialog.showModal();
    this.assistants?.load();
    this.devices?.load();
    void this.reminders?.load();
    void this.#readSetAside();
  }

  readonly #closed = () => {
    if (this.open) this.dispatchEvent(new Event("close"));
  };

  protected override render() {
    return html`<dialog aria-labelledby="settings-title" @click=${this.#beside} @close=${this.#closed}>
      <form method="dialog"><header><h2 id="settings-title">${msg("workspace.settings")}</h2><button aria-label=${msg("workspace.closeTheSettings")}>${icons.close}</button></header></form>
      ${settings().map((setting) => this.#setting(setting))}
      <p>${msg("workspace.theyCountEveryDevice")}</p>
      ${this.setAside.length > 0 ? this.#aside() : nothing}
      ${this.signedIn ? html`<colloquy-reminders titled .api=${this.api} .forecast=${this.#forecast}></colloquy-reminders>` : nothing}
      ${this.api ? html`<colloquy-assistants .api=${this.api}></colloquy-assistants>` : nothing}
      ${this.signedIn ? html`<colloquy-devices .api=${this.api} .signedIn=${this.signedIn} .leaveFor=${this.leaveFor}></colloquy-devices>` : nothing}</dialog>`;
  }

  readonly #forecast = async () => {
    const { api, signedIn } = this;
    if (!api || !signedIn) return null;
    const { readForecast } = await import("../review/reminder-forecast.ts");
    return readForecast({ api, store: signedIn.store, library: signedIn.library });
  };

  async #readSetAside(): Promise<void> {
    this.setAside = this.store ? await readSetAside(this.store) : [];
  }

  #aside() {
    return html`<div class="aside"><p>${msg("workspace.conversationsEarlierVersionCouldNotRead", {
      n: this.setAside.length,
    })}</p><button class="button" type="button" @click=${() => saveSetAside(this.setAside)}>${msg("editor.saveACopy")}</button></div>`;
  }

  #setting({ name, words, values }: Setting) {
    const chosen = this.choices[name] ?? values[0]?.[0];
    return html`<fieldset data-across=${name === "language" ? 2 : values.length}><legend>${words}</legend>${shownOrder(values).map(
      ([value, label]) => html`<label><input type="radio" name=${name} value=${value} .checked=${value === chosen}
        @change=${() => this.dispatchEvent(new ChooseEvent({ [name]: value } as PreferenceChoices))} /><span lang=${name === "language" && isLanguage(value) ? value : nothing}>${label}</span></label>`,
    )}</fieldset>`;
  }

  /** A click outside the dialog closes it. */
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
