import type { AuditMoment, AuditRecord } from "@colloquy/schemas/audit.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { html, nothing, type PropertyValues, svg, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { LightElement } from "../controls/light-element.ts";
import { kindOf, movementOf, outcomeOf, percent, ruleOf } from "./words.ts";

const rowHeight = 37;
const playMs = 900;

/**
 * @summary One session, event by event: a timeline to move along, what happened in a table, and what the chosen moment showed and did.
 */
@customElement("colloquy-audit-replay")
export class AuditReplay extends LightElement {
  @property({ attribute: false }) record: AuditRecord | null = null;
  /** Place of the chosen moment, from 0. */
  @state() private at = 0;
  @state() private from = 0;
  @state() private playing: ReturnType<typeof setInterval> | null = null;
  @query(".entries") private readonly scroller!: HTMLElement;

  override disconnectedCallback(): void {
    this.#stop();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("record")) this.at = 0;
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
    const { record } = this;
    if (!record) return nothing;
    const { moments } = record;
    const chosen = moments[this.at];
    return html`${this.#timeline(moments)}
      <div class="audit-body">
        ${this.#table(moments)}
        <section class="moment" aria-label="The chosen event">${chosen ? this.#moment(chosen) : html`<p>Nothing happened in this session.</p>`}
          ${differences(record)}${this.#mastery(record)}${verification(record)}</section>
      </div>`;
  }

  #timeline(moments: readonly AuditMoment[]): TemplateResult {
    const most = Math.max(1, moments.length - 1);
    const ticks = (tone: string) =>
      moments.flatMap((moment, place) => (outcomeOf(moment).tone === tone ? `M${((place / most) * 1_000).toFixed(2)} 4V20` : [])).join("");
    const moment = moments[this.at];
    const said = moment ? `Event ${moment.event}, ${this.at + 1} of ${moments.length}: ${kindOf(moment)}, ${outcomeOf(moment).text}` : "";
    return html`<div class="timeline"><button type="button" class="button" @click=${() => this.#play()}>${this.playing === null ? "Play" : "Pause"}</button>
      <div class="track"><svg viewBox="0 0 1000 24" preserveAspectRatio="none" aria-hidden="true">
        <path class="tick" d=${ticks("")}></path><path class="tick good" d=${ticks("good")}></path><path class="tick bad" d=${ticks("bad")}></path></svg>
      <input type="range" aria-label="Moment of the session" min="0" max=${moments.length - 1} .value=${String(this.at)} aria-valuetext=${said}
        @input=${(event: Event) => this.#go(Number((event.target as HTMLInputElement).value))}></div></div>`;
  }

  /** Only the rows in sight are drawn: a session may have thousands. */
  #table(moments: readonly AuditMoment[]): TemplateResult {
    const first = Math.max(0, this.from - 10);
    const rows = moments.slice(first, this.from + 50);
    const space = (count: number) =>
      count > 0 ? html`<tr aria-hidden="true"><td colspan="6" style="height: ${count * rowHeight}px"></td></tr>` : nothing;
    const onScroll = (event: Event) => {
      this.from = Math.floor((event.target as HTMLElement).scrollTop / rowHeight);
    };
    return html`<div class="entries" tabindex="0" role="region" aria-label="Events of the session" @scroll=${onScroll}>
      <table aria-rowcount=${moments.length + 1}><thead><tr><th scope="col">Event</th><th scope="col" class="when">When</th><th scope="col">Kind</th><th scope="col">Answer</th><th scope="col">Mastery</th><th scope="col" class="hash">Hash</th></tr></thead>
      <tbody>${space(first)}${rows.map((moment, index) => this.#row(moment, first + index))}${space(moments.length - first - rows.length)}</tbody></table></div>`;
  }

  #row(moment: AuditMoment, place: number): TemplateResult {
    const { text, tone } = outcomeOf(moment);
    const differs = this.record?.differences.some(({ index }) => index !== null && index === moment.entry?.index);
    const chosen = place === this.at;
    return html`<tr aria-rowindex=${place + 2} class=${`${chosen ? "chosen" : ""} ${differs ? "differs" : ""}`} @click=${() => this.#go(place)}>
      <td><button type="button" tabindex="-1" aria-current=${chosen ? "true" : nothing}>${moment.event}</button></td>
      <td class="when">${moment.at.slice(11, 19)}</td><td>${kindOf(moment)}</td><td class=${tone}>${text}${differs ? html` <b class="bad">differs</b>` : nothing}</td>
      <td>${movementOf(moment.entry)}</td><td class="hash">${moment.entry ? `${moment.entry.hash.slice(0, 4)}…${moment.entry.hash.slice(-2)}` : ""}</td></tr>`;
  }

  #moment({ event, message, entry, model }: AuditMoment): TemplateResult {
    const parameters = this.record?.moments.find((one) => one.entry?.opening)?.entry?.opening?.parameters ?? masteryParameters;
    const own = entry?.response && "commitment" in entry.response;
    return html`<h2>At event ${event}</h2>${shown(message, this.record)}
      ${own ? html`<p class="soft">Answered in the learner's own words, which are kept from auditors. Commitment <code>${entry?.response && "commitment" in entry.response ? entry.response.commitment.slice(0, 12) : ""}…</code></p>` : nothing}
      ${entry ? html`<p class="soft">${ruleOf(entry, parameters)} Graded by ${entry.gradedBy === "model" ? "a model" : "the application"}. Phase: ${entry.phase}.</p>` : nothing}
      <p class="soft">${model ? html`Written by <code>${model}</code>. ` : nothing}${entry ? html`Revision <code>${entry.courseRevisionId}</code>, entry ${entry.index}.` : nothing}</p>`;
  }

  #mastery({ session, moments }: AuditRecord): TemplateResult {
    const entries = moments.slice(0, this.at + 1).flatMap(({ entry }) => entry ?? []);
    const most = Math.max(1, moments.length - 1);
    return html`<h2>Mastery</h2>${session.objectives.map(({ objectiveId, title }) => {
      const points = moments
        .slice(0, this.at + 1)
        .flatMap(({ entry }, place) =>
          entry?.masteryAfter[objectiveId] === undefined ? [] : { place, p: entry.masteryAfter[objectiveId] ?? 0, entry },
        );
      const now = points.at(-1)?.p;
      const line = points
        .map(({ place, p }, index) => `${index ? `H${(place / most) * 300}V` : `M${(place / most) * 300} `}${40 - p * 38}`)
        .join("");
      return html`<figure><figcaption>${title} <b>${now === undefined ? "not begun" : percent(now)}</b></figcaption>
        <svg viewBox="0 0 300 42" role="img" aria-label="${title}: ${
          points
            .map(({ p }) => percent(p))
            .slice(-12)
            .join(", ") || "no entry yet"
        }" preserveAspectRatio="none">
          ${svg`<path class="goal" d="M0 ${40 - 0.95 * 38}H300"/><path class="line" d=${line ? `${line}H${(this.at / most) * 300}` : "M0 0"} />`}</svg></figure>`;
    })}<details><summary>As a table</summary><table><thead><tr><th scope="col">Entry</th><th scope="col">Objective</th><th scope="col">After</th></tr></thead>
      <tbody>${entries.slice(-100).flatMap((entry) => session.objectives.filter(({ objectiveId }) => entry.masteryAfter[objectiveId] !== entry.masteryBefore[objectiveId]).map(({ objectiveId, title }) => html`<tr><td>${entry.index}</td><td>${title}</td><td>${percent(entry.masteryAfter[objectiveId] ?? 0)}</td></tr>`))}</tbody></table></details>`;
  }
}

function shown(message: AuditMoment["message"], record: AuditRecord | null): TemplateResult {
  const asked = (itemId: string) => record?.moments.find(({ message: one }) => one?.kind === "question" && one.itemId === itemId)?.message;
  switch (message?.kind) {
    case "question":
      return html`<p class="read">${message.prompt}</p><ul>${message.choices.map(({ text }) => html`<li>${text}</li>`)}</ul>`;
    case "answer": {
      const question = asked(message.itemId);
      const choices = question?.kind === "question" ? question.choices.filter(({ choiceId }) => message.choiceIds.includes(choiceId)) : [];
      return html`<p class="read">${question?.kind === "question" ? question.prompt : ""}</p>${choices.length ? html`<p>The learner chose: ${choices.map(({ text }) => text).join("; ")}</p>` : nothing}`;
    }
    case "teaching":
      return html`<h3>${message.title}</h3><p class="read lines">${message.text}</p>`;
    case "plan":
      return html`<ol>${message.steps.map(({ title }) => html`<li>${title}</li>`)}</ol>${message.findings.map((finding) => html`<p class="bad">${finding}</p>`)}`;
    case "goal":
      return html`<p>The learner said what they want to learn; their words are kept from auditors.</p>`;
    case "self_report":
      return html`<p>The learner said that they ${message.knows ? "know" : "do not know"} this.</p>`;
    case "hint":
    case "explanation":
    case "decision":
      return html`<p class="read">${message.text}</p>`;
    default:
      return html`<p>Nothing was shown.</p>`;
  }
}

function differences({ differences: all }: AuditRecord): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<h2 class="bad">Live and replay differ</h2><ul class="differences">${all.map(
    ({ index, subject, live, replay }) =>
      html`<li><b>${index === null ? "Now" : `Entry ${index}`}, ${subject}</b>: live ${live}, replay ${replay}</li>`,
  )}</ul>`;
}

const words = { sound: "sound", fault: "at fault", unknown: "not known" } as const;
function verification({ verification: { chain, tree, signatures, fault, checkpoints, keyIds } }: AuditRecord): TemplateResult {
  const row = (name: string, found: keyof typeof words) =>
    html`<div><dt>${name}</dt><dd class=${found === "sound" ? "good" : found === "fault" ? "bad" : ""}>${words[found]}</dd></div>`;
  return html`<h2>Verification</h2><dl>${row("Chain", chain)}${row("Tree", tree)}${row("Checkpoints", signatures)}</dl>
    ${fault ? html`<p class="bad">Line ${fault.line}${fault.index === null ? "" : `, entry ${fault.index}`}: ${fault.message}</p>` : html`<p class="soft">${checkpoints} checkpoints, signed by ${keyIds.join(", ")}.</p>`}`;
}
