import type { ArtifactKind, Film, Transcript } from "@colloquy/schemas/explainers/film.ts";
import type { Storyboard } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { styleMap } from "lit/directives/style-map.js";
import { pause } from "../api/backoff.ts";
import { AnnounceEvent } from "../controls/announce-event.ts";
import { icons } from "../controls/icons.ts";
import { LightElement } from "../controls/light-element.ts";
import { formatNumber, msg } from "../messages/page.ts";
import { filmStyles } from "./film.styles.ts";
import { filmIcons } from "./film-icons.ts";
import { type FilmCommand, filmCommand } from "./film-keys.ts";
import { type FilmScene, filmScenes } from "./film-scenes.ts";
import { retryDelayMs } from "./retry-while-unreachable.ts";
import { type Cue, captionsView, chaptersView, cuesOf, sceneAt, transcriptView } from "./transcript-view.ts";
import { clock } from "./words.ts";

/** Access to a video's artifacts; released when the video is no longer shown. */
export interface FilmMedia {
  address(kind: ArtifactKind): Promise<string>;
  transcript(): Promise<Transcript>;
  /** Whether all of these are available; false if one is lost or damaged. Throws if the service is unreachable. */
  areAvailable(kinds: readonly ArtifactKind[], signal: AbortSignal): Promise<boolean>;
  release(): void;
}

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 2];
const stepSeconds = { small: 5, large: 10 };
/** Automatic reopen attempts; limited because the browser may not be able to play the video at all. */
const maxReopens = 10;

/**
 * @summary A video player with captions, chapters and transcript. It never plays by itself. All controls work by keyboard while the focus
 * is inside.
 */
@customElement("colloquy-film")
export class FilmElement extends LightElement {
  static override lightStyles = [filmStyles];

  @property({ attribute: false }) film: Film | null = null;
  @property({ attribute: false }) storyboard: Storyboard | null = null;
  @property({ attribute: false }) media: FilmMedia | null = null;
  /** Makes the video again; null while it is being made. */
  @property({ attribute: false }) remake: (() => void) | null = null;
  @state() private addresses: Partial<Record<ArtifactKind, string>> = {};
  @state() private transcript: Transcript | null = null;
  @state() private cues: readonly Cue[] = [];
  @state() private playing = false;
  /** It has been played: on a phone the picture is larger from then on. */
  @state() private begun = false;
  @state() private time = 0;
  @state() private captions = true;
  @state() private muted = false;
  @state() private rate = 1;
  @state() private full = false;
  @state() private beside = false;
  /** Why it does not play: temporarily away, or its bytes are lost. */
  @state() private broken: "away" | "lost" | null = null;
  @query("video") private video!: HTMLVideoElement | null;
  @query(".stage") private stage!: HTMLElement | null;
  #stop: AbortController | null = null;
  #shown: FilmMedia | null = null;
  /** Recovery: the position in seconds to resume at, consecutive reopen attempts, and the running attempt. */
  #resumeAt = 0;
  #reopens = 0;
  #recovering: AbortController | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.role = "group";
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    document.addEventListener("fullscreenchange", () => (this.full = this.#fullscreen), { signal });
    signal.addEventListener("abort", () => this.#recovering?.abort());
    if (this.hasUpdated && this.media) void this.#open();
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.#shown?.release();
    this.#shown = null;
    super.disconnectedCallback();
  }

  /** The video's scenes in order; null for a scene unknown to the job. */
  get scenes(): (FilmScene | null)[] {
    const { film, storyboard, transcript } = this;
    return film && storyboard ? filmScenes(film, storyboard, transcript) : [];
  }
  /** The current scene's id; null if unknown to the job. */
  get sceneId(): string | null {
    const { transcript, time } = this;
    const shown = transcript && sceneAt(transcript, time * 1_000);
    return (shown && this.scenes[transcript.scenes.indexOf(shown)]?.sceneId) ?? null;
  }
  /** Focuses the play button. */
  reach(): void {
    this.querySelector<HTMLElement>(".play")?.focus({ preventScroll: true });
  }
  /** Seeks to a time in milliseconds. */
  seek(milliseconds: number): void {
    const { video } = this;
    if (!video) return;
    video.currentTime = Math.min(Math.max(0, milliseconds / 1_000), this.#duration);
    this.time = video.currentTime;
  }

  get #fullscreen(): boolean {
    return document.fullscreenElement !== null && (document.fullscreenElement === this.stage || document.fullscreenElement.contains(this));
  }
  get #duration(): number {
    return (this.film?.milliseconds ?? 0) / 1_000;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("media") && this.media && this.media !== this.#shown) void this.#open();
    if (changed.has("film")) this.captions = this.film?.settings.voice === "none" || this.captions;
  }

  async #open(): Promise<void> {
    const { media } = this;
    if (!media) return;
    this.#recovering?.abort();
    this.#recovering = null;
    // A new video starts at the beginning; the same video resumes.
    this.#resumeAt = this.#shown === media ? this.time : 0;
    if (this.#shown !== media) {
      this.#shown?.release();
      Object.assign(this, { time: 0, cues: [], transcript: null, begun: false });
      this.#reopens = 0;
    }
    this.#shown = media;
    Object.assign(this, { broken: null, playing: false, addresses: {} });
    try {
      const kinds = ["video", "captions", "chapters", "poster"] as const;
      const found = await Promise.all(kinds.map((kind) => media.address(kind)));
      if (this.#shown !== media) return;
      this.addresses = Object.fromEntries(kinds.map((kind, index) => [kind, found[index]]));
      const transcript = await media.transcript();
      if (this.#shown === media) this.transcript = transcript;
    } catch {
      if (this.#shown === media) this.#failed();
    }
  }

  /** Finds out why playback failed and reopens the video when it is available, with backoff. */
  async #recover(): Promise<void> {
    const { media, film } = this;
    if (!media || !film || this.#recovering) return;
    const recovering = new AbortController();
    const { signal } = recovering;
    this.#recovering = recovering;
    const kinds = film.artifacts.map(({ kind }) => kind);
    for (let failures = this.#reopens; failures < maxReopens && !signal.aborted; failures += 1) {
      if (failures > 0) await pause(retryDelayMs(failures), signal);
      const found = await media.areAvailable(kinds, signal).catch(() => null);
      if (signal.aborted) return;
      if (found === false) this.broken = "lost";
      this.#reopens = failures + 1;
      if (found) await this.#open();
      if (found !== null) break;
    }
    if (this.#recovering === recovering) this.#recovering = null;
  }

  /** Playback works again after a failure. */
  #loaded(): void {
    if (this.#resumeAt > 0) this.seek(this.#resumeAt * 1_000);
    if (this.#reopens > 0) this.dispatchEvent(new AnnounceEvent(msg("explainer.filmCanPlayedAgain")));
    this.#resumeAt = 0;
    this.#reopens = 0;
  }

  protected override render() {
    const { film, storyboard, addresses } = this;
    if (!film || !storyboard) return nothing;
    this.ariaLabel = msg("explainer.video", { title: storyboard.title });
    const { aspect } = film.settings;
    return html`<div class="watch ${aspect === "9:16" ? "tall" : "wide"}">
      <div class="stage" ?data-full=${this.full} ?data-begun=${this.begun}>
        <div class="picture">
          <video playsinline preload="metadata" tabindex="-1" poster=${addresses.poster ?? nothing} src=${addresses.video ?? nothing} aria-label=${storyboard.title}
            @click=${() => this.#run("toggle")} @play=${() => void this.#played()} @pause=${() => (this.playing = false)} @ended=${() => (this.playing = false)}
            @timeupdate=${() => this.#updateTime()} @seeked=${() => this.#updateTime()} @error=${() => this.addresses.video && this.#failed()} @loadedmetadata=${() => this.#loaded()} @enterpictureinpicture=${() => this.#setPictureInPicture(true)} @leavepictureinpicture=${() => this.#setPictureInPicture(false)}>
            ${addresses.captions ? html`<track kind="captions" default src=${addresses.captions} srclang=${storyboard.language} label=${msg("explainer.captions")} @load=${() => this.#updateCaptions()} @error=${() => void this.#recover()} @cuechange=${() => this.#updateTime()}>` : nothing}
            ${addresses.chapters ? html`<track kind="chapters" src=${addresses.chapters} srclang=${storyboard.language} label=${msg("explainer.chapters")}>` : nothing}
          </video>
          ${this.broken ? this.#cannotPlay(this.broken) : nothing}
        </div>
        ${this.captions && addresses.captions ? captionsView(this.cues, this.time * 1_000, storyboard.language) : nothing}
        ${this.#controls(film)}
      </div>
      ${this.transcript ? chaptersView(this.transcript, this.time * 1_000, (at) => this.seek(at)) : html`<div class="chapters waits" aria-hidden="true"><i></i><i></i><i></i></div>`}
    </div>
    ${this.transcript ? transcriptView(this.transcript, this.cues, this.time * 1_000, (at) => this.seek(at)) : nothing}`;
  }

  #controls({ settings }: Film) {
    const { playing, captions, muted, rate, full, beside, time, broken } = this;
    const scene = this.transcript && sceneAt(this.transcript, time * 1_000);
    const [now, all] = [clock(time * 1_000), clock(this.#duration * 1_000)];
    const at = msg("explainer.of", { now, all });
    const speedTitle = `${msg("explainer.speed")} (< >)`;
    const press = (command: FilmCommand, label: string, icon: unknown, more: { pressed?: boolean; key?: string; name?: string } = {}) =>
      html`<button type="button" class=${more.name ?? ""} aria-label=${label} title=${more.key ? `${label} (${more.key})` : label} aria-pressed=${more.pressed ?? nothing} aria-keyshortcuts=${more.key ?? nothing} ?disabled=${broken !== null}
        @click=${() => this.#run(command)}>${icon}</button>`;
    return html`<div class="controls" role="group" aria-label=${msg("explainer.playback")}>
      ${press("toggle", playing ? msg("common.pause") : msg("audit.play"), playing ? filmIcons.pause : filmIcons.play, { key: "K", name: "play" })}
      <input type="range" dir="ltr" min="0" max=${this.#duration} step="0.1" .value=${live(String(time))} style=${styleMap({ "--at": `${this.#duration ? (time / this.#duration) * 100 : 0}%` })} aria-label=${msg("explainer.placeInTheFilm")} aria-valuetext=${scene ? `${at}: ${scene.heading}` : at} ?disabled=${broken !== null}
        @input=${(event: Event) => this.seek(Number((event.target as HTMLInputElement).value) * 1_000)}>
      <span class="time" dir="ltr" aria-hidden="true">${now} / ${all}</span>
      <span class="more">
        ${press("captions", msg("explainer.captions"), filmIcons.captions, { pressed: captions, key: "C" })}
        ${settings.voice === "spoken" ? press("mute", msg("explainer.mute"), muted ? filmIcons.muted : filmIcons.sound, { pressed: muted, key: "M" }) : nothing}
        <select aria-label=${msg("explainer.speed")} title=${speedTitle} .value=${live(String(rate))} @change=${(event: Event) => this.#speed(Number((event.target as HTMLSelectElement).value))}>${speeds.map(
          (speed) => html`<option value=${speed} ?selected=${speed === rate}>${formatNumber(speed)}×</option>`,
        )}</select>
        ${document.pictureInPictureEnabled ? press("beside", msg("explainer.picturePicture"), filmIcons.beside, { pressed: beside }) : nothing}
        ${document.fullscreenEnabled ? press("full", full ? msg("explainer.leaveTheFullScreen") : msg("explainer.fullScreen"), full ? filmIcons.small : filmIcons.full, { key: "F" }) : nothing}
        ${this.addresses.video ? html`<a class="save" href=${this.addresses.video} download="${this.storyboard?.title ?? "film"}.mp4" aria-label=${msg("explainer.saveTheFilm")} title=${msg("explainer.saveTheFilm")}>${filmIcons.save}</a>` : nothing}
      </span></div>`;
  }

  #cannotPlay(broken: "away" | "lost") {
    if (broken === "lost")
      return html`<div class="broken" role="alert"><p>${msg("explainer.partVideoLostDamagedCannotShown")} ${this.remake ? msg("explainer.makeAgainRestoreStoryboardAnswersKept") : msg("explainer.beingMadeAgain")}</p>
        ${this.remake ? html`<button type="button" class="button" @click=${this.remake}>${icons.redo}${msg("explainer.makeItAgain")}</button>` : nothing}</div>`;
    return html`<div class="broken" role="alert"><p>${navigator.onLine ? msg("explainer.videoCannotPlayRightNowRetrying") : msg("explainer.offlineFilmPlaysSoon")}</p>
      <button type="button" class="button" @click=${() => void this.#open()}>${icons.redo}${msg("common.tryAgain")}</button></div>`;
  }

  #pressed(event: KeyboardEvent): void {
    const command = filmCommand(event);
    if (!command || this.broken) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run(command);
  }

  #run(command: FilmCommand): void {
    const { video } = this;
    if (!video) return;
    if (typeof command === "object") {
      const to = "to" in command ? command.to * this.#duration : video.currentTime + command.by * stepSeconds[command.step];
      this.seek(to * 1_000);
    } else if (command === "toggle") {
      if (video.paused) void video.play().catch(() => undefined);
      else video.pause();
    } else if (command === "captions") this.#caption(!this.captions);
    else if (command === "mute") {
      video.muted = !video.muted;
      this.muted = video.muted;
    } else if (command === "faster" || command === "slower") {
      const at = speeds.indexOf(this.rate) + (command === "faster" ? 1 : -1);
      this.#speed(speeds[at] ?? this.rate);
    } else if (command === "full")
      void (this.#fullscreen ? document.exitFullscreen() : this.stage?.requestFullscreen())?.catch(() => undefined);
    else void (document.pictureInPictureElement ? document.exitPictureInPicture() : video.requestPictureInPicture()).catch(() => undefined);
  }

  #speed(rate: number): void {
    if (rate === this.rate) return;
    this.rate = rate;
    if (this.video) this.video.playbackRate = rate;
    this.dispatchEvent(new AnnounceEvent(msg("explainer.speed2", { rate })));
  }

  #caption(shown: boolean): void {
    this.captions = shown;
    this.#updateCaptions();
    this.dispatchEvent(new AnnounceEvent(shown ? msg("explainer.captionsAreShown") : msg("explainer.captionsAreHidden")));
  }

  /** Captions are shown below the picture, so the browser draws them only in picture-in-picture. */
  #updateCaptions(): void {
    const [track] = [...(this.video?.textTracks ?? [])].filter(({ kind }) => kind === "captions");
    if (!track) return;
    track.mode = this.captions && this.beside ? "showing" : "hidden";
    this.cues = cuesOf(track);
  }

  #setPictureInPicture(beside: boolean): void {
    this.beside = beside;
    this.#updateCaptions();
  }

  async #played(): Promise<void> {
    this.playing = true;
    if (this.begun) return;
    this.begun = true;
    await this.updateComplete;
    if (!this.full) this.stage?.scrollIntoView({ block: "nearest" });
  }

  #updateTime(): void {
    this.time = this.video?.currentTime ?? 0;
  }
  #failed(): void {
    if (this.broken) return;
    this.broken = "away";
    void this.#recover();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-film": FilmElement;
  }
}
