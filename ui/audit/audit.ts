import type { AuditedSession, AuditedSessionsResponse, AuditRecord, AuditRecordResponse } from "@colloquy/schemas/audit.ts";
import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { getJson, withQuery } from "../api/http.ts";
import { type ClientProblem, problemOfThrown } from "../api/problems.ts";
import { LightElement } from "../controls/light-element.ts";
import { percent } from "./words.ts";
import "./replay.ts";

/**
 * @summary The auditor's page: a search for sessions, and the replay of the one that `?session=` names.
 */
@customElement("colloquy-audit")
export class AuditPage extends LightElement {
  @state() private sessions: AuditedSession[] | null = null;
  @state() private cursor: string | null = null;
  @state() private record: AuditRecord | null = null;
  @state() private problem: ClientProblem | null = null;
  @state() private loading = false;

  readonly #onPop = () => void this.#show();

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("popstate", this.#onPop);
    void this.#show();
  }
  override disconnectedCallback(): void {
    removeEventListener("popstate", this.#onPop);
    super.disconnectedCallback();
  }

  get #address(): URLSearchParams {
    return new URLSearchParams(location.search);
  }

  /** Shows what the address says. */
  async #show(more?: string): Promise<void> {
    const { session, from, to, ...filters } = Object.fromEntries(this.#address);
    this.problem = null;
    this.loading = true;
    const whole = (day: string | undefined, time: string) => (day ? new Date(`${day}T${time}`).toISOString() : undefined);
    try {
      if (session) {
        this.record = (await getJson<AuditRecordResponse>(fetch, `/api/audit/sessions/${encodeURIComponent(session)}`)).record;
      } else {
        this.record = null;
        const path = withQuery("/api/audit/sessions", {
          ...filters,
          from: whole(from, "00:00"),
          to: whole(to, "23:59:59.999"),
          cursor: more,
        });
        const { sessions, cursor } = await getJson<AuditedSessionsResponse>(fetch, path);
        this.sessions = more ? [...(this.sessions ?? []), ...sessions] : sessions;
        this.cursor = cursor;
      }
    } catch (error) {
      this.record = null;
      this.problem = problemOfThrown(error);
    } finally {
      this.loading = false;
    }
  }

  #search(event: SubmitEvent): void {
    event.preventDefault();
    const given = [...new FormData(event.target as HTMLFormElement)].flatMap(([name, value]) =>
      value ? [[name, String(value).trim()]] : [],
    );
    history.pushState(null, "", `/audit?${new URLSearchParams(given as [string, string][])}`);
    void this.#show();
  }

  protected override render() {
    const { record } = this;
    return html`<header class="audit-head"><a class="brand" href="/audit">Ledger</a>${
      record
        ? html`<h1>Session ${record.session.sessionId.slice(-8)}</h1><p class="soft">learner ${record.session.learner} · ${record.session.courseTitle}</p>
          ${verdict(record)}<a class="button" href="/api/audit/sessions/${record.session.sessionId}/ledger" download>Export</a>`
        : html`<h1>Tutoring sessions</h1>`
    }</header>
    <main>${this.#body()}</main>`;
  }

  #body(): TemplateResult {
    const { problem, record } = this;
    if (problem)
      return html`<div class="notice" role="alert"><p>${problem.title}</p>${problem.detail ? html`<p>${problem.detail}</p>` : nothing}
        <p>${problem.code === "sign_in_required" ? html`<a class="button" href="/sign-in?return=/audit">Sign in</a>` : html`<button type="button" class="button" @click=${() => this.#show()}>Try again</button> <a class="button" href="/audit">All sessions</a>`}</p></div>`;
    if (record) return html`<colloquy-audit-replay .record=${record}></colloquy-audit-replay>`;
    return html`${this.#form()}<p role="status" class="soft">${this.loading ? "Looking…" : this.sessions?.length === 0 ? "No session fits. Leave out a filter, or look at another time." : ""}</p>${this.sessions?.length ? this.#list(this.sessions) : nothing}
      ${this.cursor ? html`<button type="button" class="button" @click=${() => this.#show(this.cursor ?? undefined)}>More sessions</button>` : nothing}`;
  }

  #form(): TemplateResult {
    const given = this.#address;
    const field = (name: string, label: string, type = "text") =>
      html`<label>${label}<input name=${name} type=${type} maxlength="200" autocomplete="off" .value=${given.get(name) ?? ""}></label>`;
    return html`<form class="filters" role="search" @submit=${this.#search}>${field("course", "Course")}${field("objective", "Objective")}${field("learner", "Learner's pseudonym")}${field("from", "From", "date")}${field("to", "To", "date")}
      <button class="button button-primary">Search</button></form>`;
  }

  #list(sessions: readonly AuditedSession[]): TemplateResult {
    return html`<ul class="found">${sessions.map(
      ({
        sessionId,
        learner,
        courseTitle,
        updatedAt,
        entries,
        phase,
        objectives,
      }) => html`<li><a href="/audit?session=${sessionId}"><b>${courseTitle}</b> <span>${learner}</span> <span>${phase}, ${entries} entries</span> <time datetime=${updatedAt}>${updatedAt.slice(0, 16).replace("T", " ")} UTC</time>
        <small>${objectives.map(({ title, probability }) => `${title} ${percent(probability)}`).join(" · ")}</small></a></li>`,
    )}</ul>`;
  }
}

function verdict({ verification, differences }: AuditRecord): TemplateResult {
  const chain = verification.fault ? "Ledger at fault" : "Ledger intact";
  const live = differences.length > 0 ? `${differences.length} differences from live` : "replay equals live";
  return html`<p class="verdict ${verification.fault || differences.length > 0 ? "bad" : "good"}">${chain} · ${live}</p>`;
}
