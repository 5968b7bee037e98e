import type { AuditedSession, AuditRecord } from "@colloquy/schemas/audit/requests.ts";
import { masteryParameters } from "@colloquy/schemas/tutor/mastery.ts";
import { html, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { call } from "../api/http.ts";
import { type ClientProblem, isAbort, problemOfThrown, problemTitle } from "../api/problems.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatNumber, msg, rich } from "../messages/page.ts";
import { auditStyles } from "./audit.styles.ts";
import { phaseWords, probabilityWords } from "./words.ts";
import "./replay.ts";

/**
 * @summary The auditor's page at `/audit`: a search for sessions, and the replay of the one that `?session=` names.
 */
@customElement("colloquy-audit")
export class AuditPage extends LightElement {
  static override lightStyles = [auditStyles];

  /** The current address: a new object for each navigation. */
  @property({ attribute: false }) address: URL = new URL(location.href);
  /** Opens another address of the shell. */
  @property({ attribute: false }) open: (href: string) => void = (href) => location.assign(href);
  @state() private sessions: AuditedSession[] | null = null;
  @state() private cursor: string | null = null;
  @state() private record: AuditRecord | null = null;
  @state() private problem: ClientProblem | null = null;
  @state() private loading = false;

  #loading: AbortController | null = null;

  override disconnectedCallback(): void {
    this.#loading?.abort();
    super.disconnectedCallback();
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("address")) void this.#show();
  }

  get #query(): URLSearchParams {
    return this.address.searchParams;
  }

  /** Shows what the address names, or more of its list. Aborts an earlier request that is still running. */
  async #show(more?: string): Promise<void> {
    this.#loading?.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    const { session, from, to, ...filters } = Object.fromEntries(this.#query);
    this.problem = null;
    this.loading = true;
    // A new search replaces the list, so only this list can be continued from the cursor.
    if (!more) this.cursor = null;
    try {
      if (session) {
        const { record } = await call(fetch, "GET /api/audit/sessions/:sessionId", { parameters: { sessionId: session } }, { signal });
        if (signal.aborted) return;
        this.record = record;
      } else {
        this.record = null;
        // Days are those of UTC, like every time the page shows.
        const query = {
          ...filters,
          from: from ? `${from}T00:00:00.000Z` : undefined,
          to: to ? `${to}T23:59:59.999Z` : undefined,
          cursor: more,
        };
        const { sessions, cursor } = await call(fetch, "GET /api/audit/sessions", { query }, { signal });
        if (signal.aborted) return;
        this.sessions = more ? [...(this.sessions ?? []), ...sessions] : sessions;
        this.cursor = cursor;
      }
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.record = null;
      this.problem = problemOfThrown(error);
    } finally {
      if (!signal.aborted) this.loading = false;
    }
  }

  #search(event: SubmitEvent): void {
    event.preventDefault();
    const given = [...new FormData(event.target as HTMLFormElement)].flatMap(([name, value]) =>
      value ? [[name, String(value).trim()]] : [],
    );
    this.open(`/audit?${new URLSearchParams(given as [string, string][])}`);
  }

  protected override render() {
    const { record } = this;
    return html`<main id="content" tabindex="-1"><div class="audit-head">${
      record
        ? html`<a class="back" href="/audit">${icons.previous}${msg("audit.allSessions")}</a><h1>${rich("audit.session", { id: html`<bdi>${record.session.sessionId.slice(-8)}</bdi>` })}</h1><p class="soft">${rich("audit.learner", { pseudonym: html`<bdi>${record.session.learner}</bdi>` })} · <bdi>${record.session.courseTitle}</bdi></p>
          ${verdict(record)}<a class="button" href="/api/audit/sessions/${record.session.sessionId}/ledger" download>${msg("audit.export")}</a>`
        : html`<h1>${msg("audit.tutoringSessions")}</h1>`
    }</div>${this.#body()}</main>`;
  }

  #body(): TemplateResult {
    const { problem, record } = this;
    if (problem)
      return html`${problem.code === "invalid_request" && !this.#query.get("session") ? html`<div class="search">${this.#form()}</div>` : nothing}${this.#notice(problem)}`;
    if (record) return html`<colloquy-audit-replay .record=${record}></colloquy-audit-replay>`;
    return html`<div class="search">${this.#form()}<p role="status" class="soft">${this.loading ? msg("audit.searching") : ""}</p>
      ${this.sessions?.length ? this.#list(this.sessions) : this.sessions && !this.loading ? this.#nothing() : nothing}
      ${this.cursor ? html`<button type="button" class="button" @click=${() => this.#show(this.cursor ?? undefined)}>${msg("audit.moreSessions")}</button>` : nothing}</div>`;
  }

  /** The problem and the next action; a refused request gets no retry button. */
  #notice(problem: ClientProblem): TemplateResult {
    const signIn = html`<a class="button" href=${`/sign-in?return=${encodeURIComponent(`/audit${this.address.search}`)}`}>${msg("common.signIn")}</a>`;
    const again = html`<button type="button" class="button" @click=${() => this.#show()}>${msg("common.tryAgain")}</button>`;
    const passes = problem.retryable || problem.status === 0 || problem.status >= 500;
    return html`<div class="nothing" role="alert"><h2>${problemTitle(problem)}</h2>${problem.detail ? html`<p>${problem.detail}</p>` : nothing}
      <p class="ways">${problem.code === "sign_in_required" ? signIn : html`${passes ? again : nothing}<a class="button" href="/audit">${msg("audit.allSessions")}</a>`}</p></div>`;
  }

  #nothing(): TemplateResult {
    const filtered = ["course", "objective", "learner", "from", "to"].some((name) => this.#query.get(name));
    return html`<div class="nothing" role="status">${
      filtered
        ? html`<h2>${msg("audit.noSessionsFound")}</h2><p>${msg("audit.removeFilterChooseAnotherTime")}</p><p><a class="button" href="/audit">${msg("audit.allSessions")}</a></p>`
        : html`<h2>${msg("audit.noSessionYet")}</h2><p>${msg("audit.everyTutoringSessionAppears")}</p>`
    }</div>`;
  }

  #form(): TemplateResult {
    const given = this.#query;
    const field = (name: string, label: string, type = "text") =>
      html`<label>${label}<input name=${name} type=${type} maxlength="200" autocomplete="off" .value=${given.get(name) ?? ""}></label>`;
    return html`<form class="filters" role="search" @submit=${this.#search}>${field("course", msg("common.course"))}${field("objective", msg("audit.objective"))}${this.#pseudonym(given.get("learner") ?? "")}${field("from", msg("audit.fromUtcADay"), "date")}${field("to", msg("audit.toUtcADay"), "date")}
      <button class="button button-primary">${msg("audit.search")}</button></form>`;
  }

  /** The field validates the pseudonym's form, because nothing else can match. */
  #pseudonym(value: string): TemplateResult {
    const example = "amber-heron-7kq2xdm";
    return html`<label>${msg("audit.learnersPseudonym")}<input name="learner" type="text" autocomplete="off" spellcheck="false" placeholder=${example}
      pattern="[a-z]{3,9}-[a-z]{3,9}-[a-z2-7]{7}" title=${msg("audit.pseudonymListShowsSuch", { example })} .value=${value}></label>`;
  }

  #list(sessions: readonly AuditedSession[]): TemplateResult {
    return html`<table class="found"><thead><tr><th scope="col">${msg("common.course")}</th><th scope="col">${msg("audit.learnersPseudonym")}</th><th scope="col">${msg("audit.phase")}</th>
      <th scope="col">${msg("audit.entriesColumn")}</th><th scope="col">${msg("audit.mastery")}</th><th scope="col">${msg("audit.lastEventUtc")}</th></tr></thead><tbody>${sessions.map(
        ({ sessionId, learner, courseTitle, updatedAt, entries, phase, objectives }) => {
          const mastery = objectives.map(({ title, probability }) => `${title} ${probabilityWords(probability)}`);
          return html`<tr><th scope="row"><a href="/audit?session=${sessionId}" dir="auto">${courseTitle}</a></th><td><bdi>${learner}</bdi></td><td>${phaseWords(phase)}</td><td>${formatNumber(entries)}</td>
            <td><span class="bars" aria-hidden="true" title=${mastery.join("\n")}>${objectives.map(({ probability }) => html`<i class=${probability >= masteryParameters.threshold ? "mastered" : ""} style="--p: ${probability === masteryParameters.learned ? 0 : probability}"></i>`)}</span><span class="visually-hidden">${mastery.join("; ")}</span></td>
            <td><time datetime=${updatedAt}><bdi>${updatedAt.slice(0, 16).replace("T", " ")}</bdi></time></td></tr>`;
        },
      )}</tbody></table>`;
  }
}

function verdict({ verification, differences }: AuditRecord): TemplateResult {
  const chain = verification.fault ? msg("audit.ledgerErrors") : msg("audit.ledgerIntact");
  const live = differences.length ? msg("audit.differencesFromLive", { n: differences.length }) : msg("audit.replayEqualsLive");
  return html`<p class="verdict ${verification.fault || differences.length > 0 ? "bad" : "good"}">${chain} · ${live}</p>`;
}
