import type { Film, RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { isInProgress } from "@colloquy/schemas/explainers/in-progress.ts";
import type { ExplainerJob } from "@colloquy/schemas/explainers/job.ts";
import type { Finding } from "@colloquy/schemas/explainers/review.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { type ExplainerApi, explainerApi } from "../api/explainer.ts";
import type { Fetch } from "../api/http.ts";
import { activeElementNear } from "../controls/active-element.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { msg } from "../messages/page.ts";
import { rerenderOnLanguageChange } from "../messages/rerender.ts";
import type { AccountStore } from "../store/account-store.ts";
import { correctionView, questionView, type Report } from "./after-view.ts";
import { approveView } from "./approve-view.ts";
import { type Begin, beginView, filmsList, preparedFilms } from "./begin-view.ts";
import { board } from "./board.ts";
import { draftingView } from "./drafting-view.ts";
import { isChanged, withFieldValue, withoutLastStep, withoutScene, withSceneMoved } from "./edits.ts";
import { explainerStyles } from "./explainer.styles.ts";
import { failedView } from "./failed-view.ts";
import { StoryboardPreview } from "./storyboard-preview.ts";
import { suits, viewerSettings } from "./viewer-settings.ts";
import "./film.ts";
import type { FilmElement, FilmMedia } from "./film.ts";
import { Filming, filmsNow } from "./filming.ts";
import { makingView, notMadeView } from "./making-view.ts";
import { fetchedMedia, ownMedia } from "./media.ts";
import { nextView } from "./next-view.ts";
import { offerView } from "./offer-view.ts";
import { noVideosText, wordsOfRefusal } from "./problem-words.ts";
import { sceneStyles } from "./scene.styles.ts";
import type { SceneActions } from "./scene-card.ts";
import { unavailableView } from "./unavailable-view.ts";
import { emphasisNames, secondsWords, settingsWords, variantNames } from "./words.ts";

/** Reports the video that is shown, so that its tab can be named after it. */
export class FilmShownEvent extends Event {
  static readonly type = "colloquy-film-shown";
  readonly shown: { kind: "explainer"; of: string; title: string; film: string | null };
  constructor(of: string, title: string, film: string | null) {
    super(FilmShownEvent.type, { bubbles: true, composed: true });
    this.shown = { kind: "explainer", of, title, film };
  }
}

const none: ReadonlySet<string> = new Set();
const noInvalidFields = (): ReadonlySet<string> => none;

/**
 * @summary The videos of one topic: the choice of emphasis, the storyboard while drafted and edited, the render's progress, and the video
 * with its closing question.
 * @event {FilmShownEvent} colloquy-film-shown
 */
@customElement("colloquy-explainer")
export class ExplainerElement extends LightElement {
  static override lightStyles = [explainerStyles, sceneStyles];

  /** `<courseId>.<topicId>`. */
  @property({ attribute: false }) of = "";
  /** The id of the video to show. */
  @property({ attribute: false }) film: string | null = null;
  /** The page's title, until a video provides it. */
  @property({ attribute: false }) pageTitle = "";
  /** Sends requests with the signed-in account's session. */
  @property({ attribute: false }) fetch: Fetch | null = null;
  /** The element is in another site's page, so artifacts are fetched with a token. */
  @property({ type: Boolean }) embedded = false;
  /** Stores unchecked edits. */
  @property({ attribute: false }) store: Pick<AccountStore, "workspace"> | null = null;
  /** The tutoring session of a course that is open in another pane, if any. */
  @property({ attribute: false }) sessionOf: (courseId: string) => string | null = () => null;
  /** Called when an answer here became evidence in a tutoring session. */
  @property({ attribute: false }) onRecorded: (sessionId: string) => void = () => undefined;
  /** The chosen render settings; null for those of the last render. */
  @state() private settings: RenderSettings | null = null;
  @state() private openScene: string | null = null;
  @state() private chosen: number | null = null;
  @state() private report: Report | null = null;
  @state() private renderId: string | null = null;
  @state() private offline = !navigator.onLine;
  @state() private now = 0;
  @query("colloquy-film") private player!: FilmElement | null;
  readonly #preview = new StoryboardPreview(this);
  #filming: Filming | null = null;
  #api: ExplainerApi | null = null;
  #stop: AbortController | null = null;
  #tick: ReturnType<typeof setInterval> | undefined;
  #invalidFieldsOf: (scene: Scene) => ReadonlySet<string> = noInvalidFields;
  #media: { renderId: string; of: FilmMedia } | null = null;
  #shouldFocus = false;
  /** The last video that was asked for here. */
  #asked: { jobId: string | undefined; settings: RenderSettings } | null = null;
  /** The instance that already requested the topic's title. */
  #titleRequestedBy: Filming | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.tabIndex = -1;
    this.role = "region";
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    rerenderOnLanguageChange(this, signal);
    this.onConnectivityChange((offline) => {
      this.offline = offline;
      if (!offline && this.#filming?.loadProblem) void this.#filming.open(this.film);
      if (!offline) this.#filming?.retryNow();
    }, signal);
    if (this.hasUpdated) this.#begin();
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.#filming?.close();
    this.#filming = null;
    clearInterval(this.#tick);
    super.disconnectedCallback();
  }

  /** Moves the focus here, now or once the content has loaded. */
  reach(): void {
    this.#shouldFocus = this.#filming?.presence !== "ready";
    if (!this.#shouldFocus) this.focus({ preventScroll: true });
  }
  /** Shows the video that the address names. */
  look(): void {
    const shown = this.#filming?.job?.jobId ?? null;
    if (this.film && this.film !== shown && this.#filming?.presence === "ready") void this.#filming.choose(this.film);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("of") || changed.has("fetch")) this.#begin();
    else if (changed.has("film")) this.look();
    this.toggleAttribute("data-embedded", this.embedded);
  }

  #begin(): void {
    const [courseId, topicId] = this.of.split(".");
    this.#filming?.close();
    this.#filming = null;
    if (!courseId || !topicId || !this.fetch) return;
    this.#api = explainerApi(this.fetch);
    const filming = new Filming(this.#api, { courseId, topicId }, this.store);
    this.#filming = filming;
    filming.events.on("change", () => this.#changed());
    filming.events.on("announce", ({ text }) => this.dispatchEvent(new AnnounceEvent(text)));
    filming.events.on("recorded", ({ sessionId }) => this.onRecorded(sessionId));
    filming.events.on("reach", ({ part }) => void this.#focusPart(part));
    void filming.open(this.film);
  }

  #changed(): void {
    const { job, drafting, presence } = this.#filming ?? {};
    this.requestUpdate();
    clearInterval(this.#tick);
    if (drafting) this.#tick = setInterval(() => (this.now = performance.now()), 1_000);
    this.now = performance.now();
    if (presence !== "ready") return;
    const shown = job?.jobId ?? null;
    const title = job?.topicTitle || this.pageTitle || this.#filming?.topicTitle || "";
    if (!title && this.#titleRequestedBy !== this.#filming) {
      this.#titleRequestedBy = this.#filming;
      void this.#filming?.loadTopicTitle();
    }
    if (shown !== this.film || title !== this.pageTitle) {
      Object.assign(this, { film: shown, pageTitle: title });
      this.dispatchEvent(new FilmShownEvent(this.of, title, shown));
    }
    if (this.#shouldFocus) {
      this.#shouldFocus = false;
      void this.updateComplete.then(() => this.focus({ preventScroll: true }));
    }
  }

  /** Moves scroll and focus to the changed part, but never takes the focus from another element. */
  async #focusPart(part: string): Promise<void> {
    if (part === "board" || part === "head") {
      this.openScene = null;
      this.chosen = null;
      this.report = null;
      this.renderId = null;
      this.settings = null;
    }
    this.requestUpdate();
    await this.updateComplete;
    const focused = activeElementNear(this);
    if (focused && !this.contains(focused)) return;
    if (part === "film") return this.player?.reach();
    // If there is a video already, checked edits lead to making it again.
    const parts = part === "head" ? ["h2"] : [...(part === "board" ? ['[data-part="anew"]'] : []), `[data-part="${part}"]`];
    const target = parts.map((selector) => this.querySelector<HTMLElement>(selector)).find((found) => found !== null);
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: "nearest" });
  }

  protected override render() {
    const filming = this.#filming;
    const job = filming?.job ?? null;
    const title = job?.topicTitle || this.pageTitle;
    this.ariaLabel = title ? msg("explainer.video", { title }) : msg("explainer.filmOfAPage");
    const problem = filming && (filming.loadProblem ?? (filming.presence === "loading" ? filming.connectionProblem : null));
    this.ariaBusy = String(filming?.presence === "loading" && !problem);
    if (problem)
      return unavailableView({
        problem,
        offline: this.offline,
        isEmbedded: this.embedded,
        isRetrying: !filming.loadProblem,
        retry: () => (filming.loadProblem ? void filming.open(this.film) : filming.retryNow()),
      });
    if (!filming || filming.presence === "loading")
      return html`<div class="waits"><i class="head"></i><i class="short"></i><i class="tall"></i></div>`;
    const shown = job?.jobId ?? null;
    return html`<div class="sheet">
      <div class="film-head"><h2 tabindex="-1">${job ? html`<bdi>${job.storyboard.title}</bdi>` : msg("course.makeFilmPage")}</h2>
        <p class="about">${job ? this.#about(job) : html`${title ? html`<bdi>${title}</bdi> · ` : nothing}${msg("explainer.halfMinuteMinuteCourses")}`}</p></div>
      ${filming.connectionProblem ? html`<p class="note">${icons.offline}${msg("explainer.serviceDoesNotRespondPageContinues")}</p>` : nothing}
      ${filming.isNotFound ? html`<p class="note" role="status">${msg("explainer.videoDeletedBelongsAnotherAccount")}</p>` : nothing}
      ${filming.drafting ? this.#drafting(filming) : job ? this.#jobView(filming, job) : this.#newFilm(filming)}
      ${filming.jobs.length ? filmsList(filming.films, shown, (jobId) => void filming.choose(jobId), filming.drafting !== null) : nothing}
    </div>`;
  }

  #about({ emphasis, storyboard, topicTitle }: ExplainerJob) {
    return html`${topicTitle === storyboard.title ? nothing : html`<bdi>${topicTitle}</bdi> · `}${msg(emphasisNames[emphasis])} · ${secondsWords(storyboard.seconds)}`;
  }

  #newFilm(filming: Filming) {
    const { failed, offer } = filming;
    const { offline } = this;
    const topicId = this.of.split(".")[1];
    const prepared = offer?.prepared?.filter((film) => film.topicId === topicId) ?? [];
    const watch: Begin["watch"] = (film) => void filming.watch(film, viewerSettings(this));
    if (failed)
      return html`${this.#failed(filming)}
        ${failed.storyboard && failed.findings.length ? this.#board(filming, failed.storyboard, failed.findings, null) : preparedFilms(prepared, offline, watch)}`;
    return beginView({ offer, offline, prepared, draft: (emphasis) => void filming.draft(emphasis), watch });
  }

  #failed(filming: Filming) {
    const { failed } = filming;
    if (!failed) return nothing;
    return failedView({
      ...failed,
      again: () => void filming.resend(),
      leave: () => filming.leaveFailure(),
      change: (sceneId) => void this.#changeScene(filming, sceneId),
      leaveEdits: () => {
        this.openScene = null;
        filming.leaveEdits();
        filming.leaveFailure();
      },
    });
  }

  #drafting(filming: Filming) {
    const { drafting: drawing } = filming;
    if (!drawing) return nothing;
    const storyboard = drawing.storyboard;
    return html`${draftingView(drawing, this.now, () => filming.stop())}
      ${storyboard ? this.#board(filming, storyboard, [], null) : html`<div class="scenes waits" aria-hidden="true"><i class="tall"></i><i class="tall"></i></div>`}`;
  }

  #jobView(filming: Filming, job: ExplainerJob) {
    const { failed, edits, pending } = filming;
    const film = this.#filmOf(job);
    const underWay = isInProgress(job);
    const busy = pending !== null;
    const changed = edits !== null && isChanged(edits);
    const acts = underWay || filming.drafting ? null : this.#sceneActions(filming);
    const findings = failed?.findings.length ? failed.findings : job.review.findings;
    const boardView = html`${this.#board(filming, job.storyboard, findings, acts, job)}`;
    return html`${underWay ? makingView({ job, busy, following: filming.following, offline: this.offline, cancel: () => void filming.cancel() }) : nothing}
      ${job.state === "failed" || job.state === "cancelled" ? notMadeView({ job, busy, offline: this.offline, retry: () => void filming.retry(), silent: () => this.#makeSilent(filming, job) }) : nothing}
      ${this.#failed(filming)}
      ${film ? this.#filmView(filming, job, film, { underWay, unchecked: changed && !failed }) : nothing}
      ${this.#refusal(filming)}
      ${
        film || underWay
          ? html`<details class="fold" data-part="board" ?open=${changed}><summary>${icons.down}${msg("explainer.theStoryboard")}</summary>${boardView}</details>`
          : html`<section data-part="board" tabindex="-1" aria-label=${msg("explainer.storyboard")}>${boardView}</section>`
      }
      ${underWay || changed || filming.drafting ? nothing : film ? html`<details class="fold"><summary>${icons.down}${msg("explainer.makeItAnotherWay")}</summary>${this.#approve(filming, job)}</details>` : this.#approve(filming, job)}`;
  }

  #approve(filming: Filming, job: ExplainerJob) {
    const { title, advice } = noVideosText();
    if (filming.offer?.offered === false) return html`<section class="trouble calm"><h3>${title}</h3><p>${advice}</p></section>`;
    return approveView({
      settings: this.#settingsOf(job),
      voices: filming.offer?.voices ?? false,
      seconds: job.storyboard.seconds,
      offline: this.offline,
      busy: filming.pending === "render",
      hasFindings: job.review.findings.length > 0,
      made: job.films.filter(({ storyboardId }) => storyboardId === job.storyboard.storyboardId),
      choose: (settings) => (this.settings = { ...this.#settingsOf(job), ...settings }),
      make: () => this.#make(filming, this.#settingsOf(job)),
    });
  }

  #settingsOf(job: ExplainerJob): RenderSettings {
    return this.settings ?? this.#filmOf(job)?.settings ?? job.settings ?? viewerSettings(this);
  }
  /** Also clears the chosen settings, which may ask for a voice. */
  #makeSilent(filming: Filming, { settings }: ExplainerJob): void {
    this.settings = null;
    this.#make(filming, { ...(settings ?? viewerSettings(this)), voice: "none" });
  }
  #make(filming: Filming, settings: RenderSettings): void {
    this.renderId = null;
    this.#asked = { jobId: filming.job?.jobId, settings };
    void filming.approve(settings);
  }

  #board(
    filming: Filming,
    storyboard: ExplainerJob["storyboard"],
    findings: readonly Finding[],
    acts: SceneActions | null,
    job: ExplainerJob | null = null,
  ) {
    const previews = job && this.#api ? this.#preview.of(this.#api, job) : null;
    return board({
      storyboard,
      findings,
      refused: (filming.failed?.findings.length ?? 0) > 0,
      acts,
      preview: previews && {
        previews,
        settings: this.#preview.settings(this.settings),
        voices: filming.offer?.voices ?? false,
        choose: (sceneId) => this.querySelector("colloquy-preview")?.seekTo(sceneId),
      },
      edits: acts ? filming.edits : null,
      openScene: this.openScene,
      invalidFieldsOf: this.#invalidFieldsOf,
      undo: () => filming.change(withoutLastStep),
      leave: () => {
        this.openScene = null;
        filming.leaveEdits();
      },
      check: () => void filming.checkEdits(),
    });
  }

  #sceneActions(filming: Filming): SceneActions {
    return {
      open: (sceneId) => void this.#openInSight(filming, sceneId),
      write: (sceneId, path, value) => filming.change((edits) => withFieldValue(edits, sceneId, path, value)),
      move: (sceneId, by) => {
        filming.change((edits) => withSceneMoved(edits, sceneId, by));
        this.#announce(msg("explainer.moved"));
      },
      drop: (sceneId) => {
        filming.change((edits) => withoutScene(edits, sceneId));
        this.#announce(msg("explainer.droppedUndoBringsBack"));
      },
    };
  }

  /** Loads the field validation with the first opened form. */
  async #openFields(filming: Filming, sceneId: string | null): Promise<void> {
    filming.change((edits) => edits);
    this.openScene = sceneId;
    if (sceneId === null || this.#invalidFieldsOf !== noInvalidFields) return;
    const { invalidFieldsOf } = await import("./invalid-fields.ts").catch(() => ({ invalidFieldsOf: noInvalidFields }));
    this.#invalidFieldsOf = invalidFieldsOf;
    this.requestUpdate();
  }

  /** The form opens below the scene and may be out of view, so it is scrolled into view. */
  async #openInSight(filming: Filming, sceneId: string | null): Promise<void> {
    await this.#openFields(filming, sceneId);
    await this.updateComplete;
    if (this.openScene === sceneId && sceneId !== null)
      this.querySelector(`[data-scene="${CSS.escape(sceneId)}"] .form`)?.scrollIntoView({ block: "nearest" });
  }

  /** Opens and focuses the form of a scene with a finding. */
  async #changeScene(filming: Filming, sceneId: string): Promise<void> {
    await this.#openFields(filming, sceneId);
    await this.updateComplete;
    const field = this.querySelector<HTMLElement>(`[data-scene="${CSS.escape(sceneId)}"] .form :is(input, textarea, select)`);
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: "center" });
  }

  #filmView(filming: Filming, job: ExplainerJob, film: ExplainerJob["films"][number], now: { underWay: boolean; unchecked: boolean }) {
    const others = job.films.filter(({ renderId }) => renderId !== film.renderId);
    const outdated = film.storyboardId !== job.storyboard.storyboardId;
    return html`<section class="watching" aria-label=${msg("explainer.film2")}>
      ${nextView({
        ...now,
        outdated,
        settings: film.settings,
        busy: filming.pending !== null,
        offline: this.offline,
        make: () => this.#make(filming, film.settings),
        toChanges: () => void this.#focusPart("changes"),
      })}
      ${film.marked ? html`<p class="note warn">${icons.alert}${msg("explainer.reportedMistakeFilmText")}</p>` : nothing}
      <colloquy-film .film=${film} .storyboard=${job.storyboard} .media=${this.#mediaOf(job, film)} .remake=${now.underWay ? null : () => this.#make(filming, film.settings)}></colloquy-film>
      <p class="made"><span>${settingsWords(film.settings)}</span>${film.reused ? html` · <span>${msg("explainer.reusedEarlierVideo")}</span>` : nothing}
        ${others.length ? html`<select aria-label=${msg("explainer.whichFilm")} .value=${live(film.renderId)} @change=${(event: Event) => (this.renderId = (event.target as HTMLSelectElement).value)}>${job.films.map((one) => html`<option value=${one.renderId} ?selected=${one.renderId === film.renderId}>${settingsWords(one.settings)}</option>`)}</select>` : nothing}</p>
      ${outdated || now.underWay || now.unchecked || filming.offer?.offered === false ? nothing : this.#variant(filming, job, film)}
      ${filming.offer?.mayOffer && !outdated && !now.underWay ? offerView({ job, isBusy: filming.pending !== null || this.offline, offer: (isOffered) => void filming.offerToAll(isOffered) }) : nothing}
      ${questionView({
        job,
        chosen: this.chosen,
        busy: filming.pending === "answer" || this.offline,
        isEmbedded: this.embedded,
        hasTutoring: this.sessionOf(job.courseId) !== null,
        choose: (choice) => (this.chosen = choice),
        reply: () => this.chosen !== null && void filming.reply(this.chosen, this.sessionOf(job.courseId)),
      })}
      ${correctionView({
        job,
        draft: this.report,
        busy: filming.pending === "correct",
        offline: this.offline,
        begin: () => void this.#beginReport(),
        write: (draft) => (this.report = draft),
        send: () => void this.#sendReport(filming),
      })}
    </section>`;
  }

  async #beginReport(text = ""): Promise<void> {
    const { film = null, scenes = [], sceneId = null } = this.player ?? ({} as Partial<FilmElement>);
    if (!film) return;
    this.report = { film, scenes, sceneId, text };
    await this.updateComplete;
    this.querySelector<HTMLElement>(".correction textarea")?.focus();
  }
  async #sendReport(filming: Filming): Promise<void> {
    const { report } = this;
    if (!report) return;
    if (await filming.correct({ renderId: report.film.renderId, sceneId: report.sceneId, text: report.text.trim() })) this.report = null;
    else if (filming.job?.films.every(({ renderId }) => renderId !== report.film.renderId)) await this.#beginReport(report.text);
    await this.updateComplete;
    this.querySelector<HTMLElement>("[data-part='report']")?.focus();
  }

  /** The chosen video, else of the current storyboard the newest that suits, else its newest, else the newest. */
  #filmOf(job: ExplainerJob): ExplainerJob["films"][number] | null {
    const chosen = job.films.find(({ renderId }) => renderId === this.renderId);
    const now = filmsNow(job);
    const wanted = this.#asked?.jobId === job.jobId ? this.#asked.settings : viewerSettings(this);
    return chosen ?? now.findLast(({ settings }) => suits(settings, wanted)) ?? now.at(-1) ?? job.films.at(-1) ?? null;
  }

  /** Makes the video for where it is watched, where there is none. */
  #variant(filming: Filming, job: ExplainerJob, film: Film) {
    const viewer = viewerSettings(this);
    if (filmsNow(job).some(({ settings }) => suits(settings, viewer))) return nothing;
    return html`<p class="ways"><button type="button" class="button" ?disabled=${filming.pending !== null || this.offline} @click=${() => this.#make(filming, { ...film.settings, aspect: viewer.aspect, theme: viewer.theme })}>${icons.film}${msg(variantNames[film.settings.aspect === viewer.aspect ? viewer.theme : viewer.aspect])}</button></p>`;
  }

  #mediaOf({ jobId }: ExplainerJob, { renderId }: Film): FilmMedia | null {
    if (!this.#api) return null;
    if (this.#media?.renderId !== renderId) {
      const which = { jobId, renderId };
      this.#media = { renderId, of: this.embedded ? fetchedMedia(this.#api, which) : ownMedia(this.#api, which) };
    }
    return this.#media.of;
  }

  /** The notice of a refused request. */
  #refusal({ refused }: Filming) {
    if (!refused) return nothing;
    const { title, advice } = wordsOfRefusal(refused.problem);
    return html`<p class="note warn" role="alert">${icons.alert}<span><b>${title}</b> ${advice}</span></p>`;
  }

  #announce(text: string): void {
    this.dispatchEvent(new AnnounceEvent(text));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-explainer": ExplainerElement;
  }
  interface GlobalEventHandlersEventMap {
    "colloquy-film-shown": FilmShownEvent;
  }
}
