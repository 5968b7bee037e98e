import type { AskPhase } from "@colloquy/schemas/turn-trace.ts";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { icons } from "../controls/icons.ts";
import { rootStyles } from "../controls/styles.ts";
import { formatNumber, languageName, msg } from "../messages/page.ts";
import type { AnswerView, TraceView } from "./answer-view.ts";

const doing = {
  retrieving: "conversation.lookingForPassages",
  generating: "conversation.waitingFirstWords",
  writing: "conversation.writing",
  grounding: "conversation.checkingTheCitations",
} as const satisfies Record<AskPhase, string>;
const done = {
  retrieving: "conversation.lookedForPassages",
  generating: "conversation.waitedFirstWords",
  writing: "conversation.wrote",
  grounding: "conversation.checkedTheCitations",
} as const satisfies Record<AskPhase, string>;

const tickMs = 100;

/** "4.1 s", "1 min 12 s". */
export function duration(milliseconds: number): string {
  if (milliseconds < 60_000)
    return msg("conversation.s", { seconds: formatNumber(milliseconds / 1000, { minimumFractionDigits: 1, maximumFractionDigits: 1 }) });
  return msg("conversation.minS", {
    minutes: Math.floor(milliseconds / 60_000),
    seconds: Math.round((milliseconds % 60_000) / 1000),
  });
}

/**
 * @summary One line on how an answer came about: phase and time while it runs, then what it read and which model wrote. Expands to the
 *   phases.
 * @csspart summary - the line
 */
@customElement("colloquy-trace")
export class Trace extends LitElement {
  static override styles = [
    rootStyles,
    css`
      :host { display: block; font: var(--text-s)/1.4 var(--font-ui); color: var(--ink-faint); }
      summary { display: inline-flex; align-items: center; gap: 10px; min-block-size: 28px; max-inline-size: 100%; cursor: pointer; list-style: none; border-radius: var(--r-s); padding-inline-end: 4px; }
      summary::-webkit-details-marker { display: none; }
      .dot { inline-size: 7px; block-size: 7px; border-radius: 50%; background: var(--good); flex: none; }
      .dot.running { background: var(--accent); animation: breathe var(--pulse, 1.4s) ease-in-out infinite; }
      .dot.stopped { background: none; box-shadow: inset 0 0 0 1.5px var(--ink-faint); }
      .dot.failed { background: var(--bad); border-radius: 2px; }
      @keyframes breathe { 50% { opacity: .35; scale: .8; } }
      .what { border-block-end: 1px dotted var(--line-strong); color: var(--ink-soft); }
      .who { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-inline-size: 0; }
      .time { font-variant-numeric: tabular-nums; white-space: nowrap; }
      .icon { transition: rotate var(--fast) var(--ease); }
      details[open] .icon { rotate: 180deg; }
      dl { display: grid; grid-template-columns: max-content max-content; gap: 2px 16px; margin-block-start: 6px; margin-inline-start: 17px; padding: 8px 12px; border-inline-start: 2px solid var(--line); }
      dt { color: var(--ink-soft); }
      dd { margin: 0; font-variant-numeric: tabular-nums; }
      .note { margin: 4px 0 0; padding: 6px 12px; border-inline-start: 2px solid var(--line-strong); color: var(--ink-soft); max-inline-size: 40rem; }
      .wide { grid-column: 1 / -1; margin-block-start: 4px; max-inline-size: 30rem; white-space: normal; }
      @media (prefers-reduced-motion: reduce) { .dot.running { animation: none; } }
      @media (pointer: coarse) { :host { margin-block: -8px; } summary { min-block-size: 44px; } }
      @media (forced-colors: active) {
        .dot { background: CanvasText; }
        .dot.running { background: Highlight; }
        .dot.stopped { background: none; border: 1.5px solid CanvasText; }
      }
      @media (max-width: 480px) { .who { display: none; } }
    `,
  ];

  @property({ attribute: false }) answer: AnswerView | null = null;
  /** The model's name in the picker. */
  @property({ attribute: false }) modelName = "";
  @state() private now = 0;
  #timer: ReturnType<typeof setInterval> | undefined;

  protected override willUpdate(changed: PropertyValues): void {
    if (!changed.has("answer")) return;
    this.now = performance.now();
    const running = this.answer?.state === "running";
    if (running && !this.#timer) this.#tick();
    else if (!running) this.#rest();
  }
  override connectedCallback(): void {
    super.connectedCallback();
    if (this.answer?.state === "running") this.#tick();
  }
  override disconnectedCallback(): void {
    this.#rest();
    super.disconnectedCallback();
  }

  #tick(): void {
    this.#rest();
    this.#timer = setInterval(() => {
      if (!document.hidden) this.now = performance.now();
    }, tickMs);
  }
  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  protected override render() {
    const { answer } = this;
    if (!answer) return nothing;
    const elapsed =
      answer.state === "running" && answer.trace.startedAt !== null ? this.now - answer.trace.startedAt : answer.trace.elapsedMs;
    return html`<details>
      <summary part="summary"><span class="dot ${answer.problem ? "failed" : answer.state}"></span><span class="what">${whatHappened(answer)}</span>
        ${elapsed === null ? nothing : html`<span class="time">${duration(Math.max(0, elapsed))}</span>`}
        ${this.modelName ? html`<span class="who" dir="auto">${this.modelName}</span>` : nothing}${icons.down}</summary>
      ${this.#details(answer, elapsed)}</details>${otherLanguageNote(answer.trace)}`;
  }

  #details(answer: AnswerView, elapsed: number | null) {
    const { phases, sources, rewritten } = answer.trace;
    return html`<dl>
      ${phases.map(({ phase, atMs }, index) => {
        const next = phases[index + 1]?.atMs ?? elapsed;
        const current = answer.state === "running" && index === phases.length - 1;
        return html`<dt>${current ? msg(doing[phase]) : msg(done[phase])}</dt><dd>${next === null ? "" : duration(Math.max(0, next - atMs))}</dd>`;
      })}
      ${sources === undefined ? nothing : html`<dt>${msg("conversation.passagesRead")}</dt><dd>${formatNumber(sources)}</dd>`}
      ${this.modelName ? html`<dt>${msg("audit.writtenBy")}</dt><dd>${this.modelName}${answer.provider ? ` (${answer.provider.toUpperCase()})` : ""}</dd>` : nothing}
      ${
        answer.fallbackDepth
          ? html`<dt class="wide">${msg("conversation.modelsAskedBeforeCouldNotAnswer", { n: answer.fallbackDepth })}</dt>`
          : nothing
      }
      ${rewritten ? html`<dt class="wide">${msg("conversation.searchedFor")} <q dir="auto">${rewritten}</q></dt>` : nothing}
      ${phases.length ? nothing : html`<dt class="wide">${msg("conversation.stepsNotRecorded")}</dt>`}
    </dl>`;
  }
}

function whatHappened(answer: AnswerView): string {
  const { phases, sources } = answer.trace;
  if (answer.state === "running" && answer.trace.startedAt === null) return msg("conversation.waitingConversationOpen");
  const { questions } = answer.trace;
  if (answer.state === "running" && answer.lost) return msg("conversation.connectionBrokeTryingAgain");
  if (answer.state === "running" && questions && phases.at(-1)?.phase === "generating")
    return msg("conversation.writingQuestionsOf", { made: questions.made, wanted: questions.wanted });
  if (answer.state === "running") return msg(doing[phases.at(-1)?.phase ?? "retrieving"]);
  if (answer.problem) return answer.text || answer.artifact ? msg("conversation.interrupted") : msg("conversation.noAnswer");
  // A source may be quoted more than once.
  const cited = new Set(answer.citations.map(({ sourceId }) => sourceId)).size;
  const read = whatWasRead(answer.trace);
  if (answer.state === "stopped") return read ? msg("conversation.stoppedRead", { read }) : msg("common.stopped");
  if (read) return cited ? msg("conversation.readWroteFrom", { read, n: cited }) : read;
  if (sources === 0) return msg("conversation.foundNoPassage");
  return cited ? msg("conversation.wroteFromSources", { n: cited }) : msg("conversation.answered");
}

/** Says that a question in another language than the course's was searched as it is. */
function otherLanguageNote({ otherLanguage }: TraceView) {
  const course = otherLanguage?.courses[0];
  if (!otherLanguage || course === undefined) return nothing;
  const names = { question: languageName(otherLanguage.question), course: languageName(course) };
  return html`<p class="note">${msg("conversation.askedInOtherLanguage", names)}</p>`;
}

/** "Read 2 pages and 5 sections"; passages where an older version did not count pages. Null if nothing was read or nothing is known. */
function whatWasRead({ pages, sections, sources }: TraceView): string | null {
  if (pages && sections)
    return msg("conversation.readPagesAndSections", {
      pages: msg("conversation.countPages", { n: pages }),
      sections: msg("conversation.countSections", { n: sections }),
    });
  return sources ? msg("conversation.readPassages", { n: sources }) : null;
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-trace": Trace;
  }
}
