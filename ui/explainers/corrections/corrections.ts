import type { ReportedCorrection } from "@colloquy/schemas/explainers/corrections.ts";
import { html, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { abortedBy, call, type Fetch } from "../../api/http.ts";
import { type ClientProblem, problemOfThrown, problemTitle } from "../../api/problems.ts";
import { uuidv7 } from "../../api/uuid.ts";
import { dialogStyles } from "../../controls/dialog.styles.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { formatNumber, msg } from "../../messages/page.ts";
import { rerenderOnLanguageChange } from "../../messages/rerender.ts";
import { type CorrectedPlace, correctionItem } from "./correction-item.ts";
import { correctionsStyles } from "./corrections.styles.ts";

/**
 * @summary Reported mistakes in a course's videos, for its owners: a count, and each report with the scene, its sources and actions.
 */
@customElement("colloquy-corrections")
export class CorrectionsElement extends LightElement {
  static override lightStyles = [dialogStyles("colloquy-corrections"), correctionsStyles];

  @property({ attribute: false }) courseId = "";
  /** Sends requests with the owner's session. */
  @property({ attribute: false }) fetch: Fetch | null = null;
  /** The last reports read; null before the first read. */
  @property({ attribute: false }) corrections: readonly ReportedCorrection[] | null = null;
  @property({ attribute: false }) edit: (place: CorrectedPlace) => void = () => undefined;
  /** Why reading failed. */
  @state() private trouble: ClientProblem | null = null;
  @state() private reading = false;
  /** The report being marked as done, and the one that failed. */
  @state() private marking: string | null = null;
  @state() private refused: { correctionId: string; problem: ClientProblem } | null = null;
  @state() private said = "";
  @state() private offline = !navigator.onLine;
  @query("dialog") private dialog!: HTMLDialogElement;
  #stop: AbortController | null = null;
  /** A retry keeps its request id. */
  readonly #requestIds = new Map<string, string>();

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    rerenderOnLanguageChange(this, signal);
    this.onConnectivityChange((offline) => {
      this.offline = offline;
      if (!offline && this.trouble && this.dialog.open) void this.#read();
    }, signal);
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    super.disconnectedCallback();
  }

  protected override render() {
    const { corrections } = this;
    const open = corrections?.filter(({ settledAt }) => settledAt === null) ?? [];
    const settled = corrections?.filter(({ settledAt }) => settledAt !== null) ?? [];
    const count = open.length ? msg("corrections.correctionsReported", { n: open.length }) : msg("corrections.noOpenCorrections");
    return html`<button type="button" class="count" aria-haspopup="dialog" @click=${this.#open}>${open.length ? icons.alert : icons.check}${count}</button>
      <dialog aria-labelledby="colloquy-corrections-title" aria-describedby="colloquy-corrections-about">
        <div class="head"><h2 id="colloquy-corrections-title" tabindex="-1">${msg("corrections.reportedCorrections")}</h2>
          <button type="button" class="shut" aria-label=${msg("common.close")} title=${msg("common.close")} @click=${() => this.dialog.close()}>${icons.close}</button></div>
        <p class="soft" id="colloquy-corrections-about">${msg("corrections.mistakesLearnersReportedVideosCourseReporters")}</p>
        <p class="visually-hidden" role="status">${this.said}</p>
        ${this.offline ? html`<p class="note" role="status">${icons.offline}${msg("corrections.offlineListMayOutDateResolve")}</p>` : this.#troubleView()}
        ${
          corrections === null
            ? this.reading
              ? html`<div class="waits" aria-label=${msg("corrections.loading")} role="img"><i></i><i></i></div>`
              : nothing
            : open.length === 0
              ? html`<p class="none">${icons.check}${msg("corrections.allReportsResolved")}</p>`
              : html`<ul class="list">${repeat(open, ({ correctionId }) => correctionId, this.#item)}</ul>`
        }
        ${settled.length ? html`<details><summary>${msg("corrections.dealtWith2", { n: formatNumber(settled.length) })}</summary><ul class="list">${repeat(settled, ({ correctionId }) => correctionId, this.#item)}</ul></details>` : nothing}
      </dialog>`;
  }

  #troubleView() {
    const { trouble } = this;
    if (!trouble) return nothing;
    return html`<div class="note" role="alert"><p>${icons.alert}<b>${problemTitle(trouble)}</b> ${this.corrections ? msg("corrections.listMayOutDate") : nothing}</p>
      <button type="button" class="button" ?disabled=${this.reading} @click=${() => void this.#read()}>${msg("common.tryAgain")}</button></div>`;
  }

  readonly #item = (correction: ReportedCorrection) =>
    correctionItem({
      correction,
      busy: this.marking !== null,
      offline: this.offline,
      problem: this.refused?.correctionId === correction.correctionId ? this.refused.problem : null,
      edit: (place) => {
        this.dialog.close();
        this.edit(place);
      },
      settle: () => void this.#settle(correction.correctionId),
      leave: () => this.dialog.close(),
    });

  readonly #open = (): void => {
    this.said = "";
    this.dialog.showModal();
    void this.#read();
  };

  async #read(): Promise<void> {
    if (!this.fetch || this.reading) return;
    this.reading = true;
    try {
      const query = { courseId: this.courseId };
      const { corrections } = await call(this.fetch, "GET /api/visual-explainers/corrections", { query }, abortedBy(this.#stop?.signal));
      this.corrections = corrections;
      this.trouble = null;
    } catch (error) {
      if (!this.#stop?.signal.aborted) this.trouble = problemOfThrown(error);
    }
    this.reading = false;
  }

  async #settle(correctionId: string): Promise<void> {
    if (!this.fetch || this.marking) return;
    this.marking = correctionId;
    this.refused = null;
    const requestId = this.#requestIds.get(correctionId) ?? uuidv7();
    this.#requestIds.set(correctionId, requestId);
    try {
      const request = { parameters: { correctionId }, body: { requestId } };
      const { settledAt } = await call(this.fetch, "POST /api/visual-explainers/corrections/:correctionId/settle", request);
      const next = this.#after(correctionId);
      this.corrections = (this.corrections ?? []).map((one) => (one.correctionId === correctionId ? { ...one, settledAt } : one));
      this.said = msg("corrections.markedAsDealtWith");
      await this.updateComplete;
      (this.querySelector<HTMLElement>(`[data-correction="${next}"] h3`) ?? this.querySelector<HTMLElement>("h2"))?.focus();
    } catch (error) {
      this.refused = { correctionId, problem: problemOfThrown(error) };
    }
    this.marking = null;
  }

  /** The next open report, else the previous one. */
  #after(correctionId: string): string | undefined {
    const open = this.corrections?.filter(({ settledAt }) => settledAt === null) ?? [];
    const at = open.findIndex((one) => one.correctionId === correctionId);
    return (open[at + 1] ?? open[at - 1])?.correctionId;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-corrections": CorrectionsElement;
  }
}
