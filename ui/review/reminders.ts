import type { Forecast, RemindersResponse } from "@colloquy/schemas/reminders/requests.ts";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Api } from "../api/client.ts";
import { call } from "../api/http.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { type PushBrowser, pushBrowser } from "./push-browser.ts";

/** The forecast is told when the learner has rated no card for so long. */
const tellAfterMs = 3_000;

/**
 * @summary Offers a notification when reviews are due, and turns it off again. Hidden where the browser or the service cannot send any.
 * The browser asks for permission only after the button was pressed.
 */
@customElement("colloquy-reminders")
export class RemindersElement extends LightElement {
  static override lightStyles = [
    css`
      colloquy-reminders { display: block; font-size: var(--text-s); }
      colloquy-reminders > div { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: var(--s2) var(--s4); }
      colloquy-reminders h3 { flex-basis: 100%; margin: 0; font: 550 var(--text-s)/1.4 var(--font-ui); color: var(--ink-soft); }
      colloquy-reminders p { flex: 1 1 16rem; margin: 0; color: var(--ink-soft); }
      colloquy-reminders [role="alert"] { flex-basis: 100%; }
      colloquy-reminders p.bad { color: var(--bad); }
      colloquy-reminders button { min-block-size: 44px; }
      colloquy-reminders button[aria-disabled="true"] { opacity: .6; cursor: default; }
    `,
  ];

  @property({ attribute: false }) api: Pick<Api, "send"> | null = null;
  /** What the schedule foresees; null while it is unknown. */
  @property({ attribute: false }) forecast: () => Promise<Forecast | null> = async () => null;
  @property({ attribute: false }) browser: PushBrowser = pushBrowser();
  /** Whether it has a heading, among other settings. */
  @property({ type: Boolean }) titled = false;
  @state() private reminders: RemindersResponse | null = null;
  @state() private step: "idle" | "busy" | "denied" | "failed" = "idle";
  #told = "";
  #timer: ReturnType<typeof setTimeout> | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener("visibilitychange", this.#hidden);
  }

  override disconnectedCallback(): void {
    document.removeEventListener("visibilitychange", this.#hidden);
    if (this.#timer !== undefined) void this.#tell();
    super.disconnectedCallback();
  }

  protected override firstUpdated(): void {
    void this.load();
  }

  /** Reads whether this browser is reminded. */
  async load(): Promise<void> {
    const { api } = this;
    if (!api || this.step === "busy") return;
    this.reminders = await call(api.send, "GET /api/reminders", {}).catch(() => this.reminders);
    this.step = "idle";
    // Beside other settings no reviews are open, and reading them for this is not worth a request.
    if (!this.titled) this.reviewsChanged();
  }

  /** Tells the service of the new schedule, if any browser is reminded. */
  reviewsChanged(): void {
    if (!this.reminders?.anywhere) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#tell(), tellAfterMs);
  }

  readonly #hidden = () => {
    if (document.hidden && this.#timer !== undefined) void this.#tell();
  };

  async #tell(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const forecast = await this.forecast();
    const text = JSON.stringify(forecast);
    if (!this.api || !forecast || text === this.#told) return;
    // Told again with the next review if the service cannot be reached.
    const told = await call(this.api.send, "POST /api/reminders/forecast", { body: { forecast } }, { keepalive: true }).catch(() => null);
    if (told) this.#told = text;
  }

  readonly #turnOn = async () => {
    const { api, reminders, browser } = this;
    if (!api || !reminders?.publicKey || this.step === "busy") return;
    this.step = "busy";
    try {
      // First, because the browser asks only right after a press.
      if ((await browser.askPermission()) !== "granted") {
        this.step = "denied";
        return;
      }
      const subscription = await browser.subscribe(reminders.publicKey);
      const forecast = await this.forecast();
      if (!forecast) throw new Error("the schedule is not known");
      this.reminders = await call(api.send, "POST /api/reminders/on", { body: { subscription, forecast } });
      this.#told = JSON.stringify(forecast);
      await this.#done();
    } catch {
      this.step = "failed";
    }
  };

  readonly #turnOff = async () => {
    const { api } = this;
    if (!api || this.step === "busy") return;
    this.step = "busy";
    try {
      this.reminders = await call(api.send, "POST /api/reminders/off", { body: {} });
      await this.browser.unsubscribe().catch(() => undefined);
      await this.#done();
    } catch {
      this.step = "failed";
    }
  };

  /** The pressed button was replaced by another. */
  async #done(): Promise<void> {
    this.step = "idle";
    await this.updateComplete;
    this.querySelector("button")?.focus();
  }

  protected override render() {
    const { reminders, step, browser } = this;
    if (!reminders?.publicKey || !browser.isSupported()) return nothing;
    const isOn = reminders.here && browser.permission() === "granted";
    const isBlocked = !isOn && (step === "denied" || browser.permission() === "denied");
    const words = isOn ? msg("reminder.isOn") : isBlocked ? msg("reminder.blocked") : msg("reminder.offer");
    return html`<div>${this.titled ? html`<h3>${msg("reminder.title")}</h3>` : nothing}<p role="status" class=${step === "denied" ? "bad" : ""}>${words}</p>
      <button class="button" type="button" aria-disabled=${step === "busy" ? "true" : nothing} @click=${isOn ? this.#turnOff : this.#turnOn}>${isOn ? msg("reminder.turnOff") : msg("reminder.turnOn")}</button>
      ${step === "failed" ? html`<p class="bad" role="alert">${msg("reminder.failed")}</p>` : nothing}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-reminders": RemindersElement;
  }
}
