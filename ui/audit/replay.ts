import type { AuditMoment, AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { auditStyles } from "./audit.styles.ts";
import { entriesTable, rowHeight } from "./entries-table.ts";
import { masteryView, pathView } from "./learning-view.ts";
import { momentView } from "./moment-view.ts";
import { type SessionState, stateAtMoment } from "./session-states.ts";
import { differencesView, verificationView } from "./verification-view.ts";
import { kindOf, outcomeOf, type Tone, toneOf } from "./words.ts";

const noTicks: Record<Tone, string> = { "": "", moved: "", good: "", bad: "" };

/** The timeline's marks as one SVG path per tone, computed once per session. */
function ticksOf(moments: readonly AuditMoment[]): Record<Tone, string> {
  const ticks = { ...noTicks };
  const most = Math.max(1, moments.length - 1);
  for (const [place, moment] of moments.entries()) ticks[toneOf(moment)] += `M${((place / most) * 1_000).toFixed(2)} 4V20`;
  return ticks;
}

/** Duration of a moment during playback, in ms. */
const playMs = 900;

/**
 * @summary One session event by event: a timeline, a table of events, and the selected moment.
 */
@customElement("colloquy-audit-replay")
export class AuditReplay extends LightElement {
  static override lightStyles = [auditStyles];

  @property({ attribute: false }) record: AuditRecord | null = null;
  /** Index of the selected moment, from 0. */
  @state() private at = 0;
  @state() private from = 0;
  @state() private playing: ReturnType<typeof setInterval> | null = null;
  @query(".entries") private readonly scroller!: HTMLElement;
  #stateAt: (place: number) => SessionState | undefined = () => undefined;
  #ticks: Record<Tone, string> = noTicks;

  override disconnectedCallback(): void {
    this.#stop();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has("record")) return;
    this.#stop();
    this.at = 0;
    const moments = this.record?.moments ?? [];
    this.#stateAt = stateAtMoment(moments);
    this.#ticks = ticksOf(moments);
  }

  #stop(): void {
    if (this.playing !== null) clearInterval(this.playing);
    this.playing = null;
  }

  #play(): void {
    if (this.playing !== null) {
      this.#stop();
      return;
    }
    const last = (this.record?.moments.length ?? 0) - 1;
    if (this.at >= last) this.#go(0);
    this.playing = setInterval(() => {
      if (this.at < last) this.#go(this.at + 1);
      else this.#stop();
    }, playMs);
  }

  #go(to: number): void {
    this.at = to;
    const top = to * rowHeight;
    const { scrollTop, clientHeight } = this.scroller;
    if (top < scrollTop || top > scrollTop + clientHeight - 3 * rowHeight) this.scroller.scrollTop = Math.max(0, top - clientHeight / 2);
  }

  protected override render() {
    const { record, at, from } = this;
    if (!record) return nothing;
    const chosen = record.moments[at];
    const stand = this.#stateAt(at);
    if (!chosen || !stand) return html`<p class="soft">${msg("audit.sessionNoEvents")}</p>`;
    return html`${this.#timeline(record.moments)}
      <div class="audit-body">
        ${entriesTable({ record, from, at, choose: (place) => this.#go(place), scrolled: (first) => (this.from = first) })}
        <section class="moment" aria-label=${msg("audit.theChosenEvent")}>${differencesView(record)}${momentView(chosen, stand, record)}
          ${pathView(stand)}${masteryView(record, at)}${verificationView(record)}</section>
      </div>`;
  }

  #timeline(moments: readonly AuditMoment[]): TemplateResult {
    const moment = moments[this.at];
    const where = moment && { place: this.at + 1, count: moments.length, kind: kindOf(moment), outcome: outcomeOf(moment) };
    const said = !where
      ? ""
      : moment.entry
        ? msg("audit.eventOf", { event: String(moment.entry.index), ...where })
        : msg("audit.of", where);
    return html`<div class="timeline"><button type="button" class="button" @click=${() => this.#play()}>${this.playing === null ? msg("audit.play") : msg("common.pause")}</button>
      <div class="track"><svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        ${(Object.keys(this.#ticks) as Tone[]).map((tone) => svg`<path class="tick ${tone}" d=${this.#ticks[tone]}></path>`)}</svg>
      <input type="range" aria-label=${msg("audit.momentOfTheSession")} min="0" max=${moments.length - 1} .value=${String(this.at)} aria-valuetext=${said}
        @input=${(event: Event) => this.#go(Number((event.target as HTMLInputElement).value))}></div></div>`;
  }
}
