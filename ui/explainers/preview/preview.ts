import { captionsOf, type Cue as FilmCue } from "@colloquy/render-service/frames/captions.ts";
import { frameKey } from "@colloquy/render-service/frames/draw.ts";
import { framesOf, framesPerSecond, type TimedScene, timeline, timeOf } from "@colloquy/render-service/frames/timeline.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { styleMap } from "lit/directives/style-map.js";
import { problemTitle } from "../../api/problems.ts";
import { AnnounceEvent } from "../../controls/announce-event.ts";
import { icons } from "../../controls/icons.ts";
import { LightElement } from "../../controls/light-element.ts";
import { fromEnglish, msg } from "../../messages/page.ts";
import { filmStyles } from "../film.styles.ts";
import { filmIcons } from "../film-icons.ts";
import { type FilmCommand, filmCommand } from "../film-keys.ts";
import { type Cue, captionsView } from "../transcript-view.ts";
import { clock } from "../words.ts";
import { paint } from "./paint.ts";
import { previewStyles } from "./preview.styles.ts";
import type { Previews, Shown } from "./previews.ts";
import "./still.ts";
import { sceneWords } from "./scene-words.ts";

const stepSeconds = { small: 5, large: 10 };
let count = 0;
const cueOf = ({ startMs, endMs, lines }: FilmCue): Cue => ({ startMs, endMs, text: lines.join("\n") });

/**
 * @summary Plays a storyboard before its video is made: the same layout, drawing, times and captions. It never plays by itself, and works
 * by keyboard as the video's player does.
 */
@customElement("colloquy-preview")
export class PreviewElement extends LightElement {
  static override lightStyles = [filmStyles, previewStyles];

  @property({ attribute: false }) previews: Previews | null = null;
  @property({ attribute: false }) scenes: readonly Scene[] = [];
  @property({ attribute: false }) storyboardTitle = "";
  /** BCP 47, of the storyboard. */
  @property({ attribute: false }) language = "en";
  @property({ attribute: false }) settings: Pick<RenderSettings, "aspect" | "theme"> = { aspect: "16:9", theme: "light" };
  /** Videos can have a voice, which takes its own time. */
  @property({ type: Boolean }) voices = false;
  @state() private playing = false;
  @state() private begun = false;
  /** In milliseconds. */
  @state() private time = 0;
  @state() private captions = true;
  @state() private full = false;
  @query("canvas") private canvas!: HTMLCanvasElement | null;
  @query(".stage") private stage!: HTMLElement | null;
  #timed: readonly TimedScene[] = [];
  #cues: readonly Cue[] = [];
  #stop: AbortController | null = null;
  #frame = 0;
  /** The picture on the canvas: scene, size, colours and frame. */
  #painted = "";
  #paintedScene: Shown | null = null;
  #inSight = false;
  #release: (() => void) | null = null;
  /** Names what describes the canvas; there may be several previews on a page. */
  readonly #wordsId = `preview-words-${count++}`;

  override connectedCallback(): void {
    super.connectedCallback();
    this.role = "group";
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.addEventListener("keydown", (event) => this.#pressed(event), { signal });
    document.addEventListener("fullscreenchange", () => (this.full = document.fullscreenElement === this.stage), { signal });
    addEventListener("online", () => this.previews?.retry(), { signal });
    const sight = new IntersectionObserver((entries) => {
      // A busy page delivers several changes at once.
      this.#inSight = entries.at(-1)?.isIntersecting ?? false;
      if (this.#inSight) this.#load();
    });
    sight.observe(this);
    const size = new ResizeObserver(() => this.#paint());
    void this.updateComplete.then(() => this.canvas && size.observe(this.canvas));
    signal.addEventListener("abort", () => {
      sight.disconnect();
      size.disconnect();
      this.#pause();
    });
    this.#listen();
  }
  override disconnectedCallback(): void {
    this.#stop?.abort();
    this.#release?.();
    super.disconnectedCallback();
  }

  /** Shows the beginning of a scene, and moves here. */
  seekTo(sceneId: string): void {
    const timed = this.#timed.find(({ scene }) => scene.sceneId === sceneId);
    if (!timed) return;
    this.begun = true;
    this.#seek(timeOf(timed.start));
    this.scrollIntoView({ block: "nearest" });
    this.querySelector<HTMLElement>(".play")?.focus({ preventScroll: true });
  }

  get #all(): number {
    return timeOf(framesOf(this.#timed));
  }
  get #at(): TimedScene | undefined {
    const frame = this.#frameAt;
    return this.#timed.findLast(({ start }) => start <= frame) ?? this.#timed[0];
  }
  /** The frame of the video that is shown. */
  get #frameAt(): number {
    return Math.min(Math.floor((this.time / 1_000) * framesPerSecond + 1e-6), framesOf(this.#timed) - 1);
  }
  #shownOf(scene: Scene): Shown | null {
    return this.previews?.shownOf(scene, this.settings.aspect) ?? null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("scenes")) {
      const before = this.#at?.scene.sceneId;
      const into = this.time - timeOf(this.#at?.start ?? 0);
      this.#timed = timeline(this.scenes);
      this.#cues = captionsOf(this.#timed).map(cueOf);
      // Where a scene is edited, it stays in sight.
      const now = this.#timed.find(({ scene }) => scene.sceneId === before);
      if (now && before !== undefined) this.time = timeOf(now.start) + Math.min(into, timeOf(now.frames - 1));
      this.time = Math.min(this.time, this.#all);
    }
    if (changed.has("previews")) this.#listen();
    if (changed.has("scenes") || changed.has("settings") || changed.has("previews")) this.#load();
  }
  protected override updated(): void {
    this.#paint();
  }

  #listen(): void {
    this.#release?.();
    this.#release = this.previews?.events.on("change", () => this.requestUpdate()) ?? null;
  }
  #load(): void {
    if (this.#inSight && this.scenes.length > 0) this.previews?.show(this.scenes, this.settings.aspect);
  }

  #paint(): void {
    const { canvas, previews, settings } = this;
    const at = this.#at;
    const shown = at && this.#shownOf(at.scene);
    if (!canvas || !previews || !at || shown?.kind !== "placed") return;
    // Before it is played, all of the first scene stands for the video, as a poster does.
    const timeMs = this.begun || this.time > 0 ? timeOf(this.#frameAt - at.start) : shown.placed.durationMs;
    const key = [canvas.clientWidth, canvas.clientHeight, devicePixelRatio, settings.theme, frameKey(shown.placed, timeMs)].join(" ");
    if (this.#painted === key && this.#paintedScene === shown) return;
    this.#painted = key;
    this.#paintedScene = shown;
    paint(canvas, previews.draw, { placed: shown.placed, timeMs, theme: settings.theme });
  }
  protected override render() {
    const at = this.#at;
    if (!at) return nothing;
    const { settings, time, language, playing } = this;
    this.ariaLabel = msg("explainer.previewOf", { title: this.storyboardTitle });
    const shown = this.#shownOf(at.scene);
    const [now, all] = [clock(time), clock(this.#all)];
    const at_ = msg("explainer.of", { now, all });
    const title = sceneTitle(at.scene);
    const canPlay = shown !== null;
    const press = (command: FilmCommand, label: string, icon: unknown, more: { pressed?: boolean; key: string; name?: string }) =>
      html`<button type="button" class=${more.name ?? ""} aria-label=${label} title="${label} (${more.key})" aria-pressed=${more.pressed ?? nothing} aria-keyshortcuts=${more.key} ?disabled=${!canPlay}
        @click=${() => this.#run(command)}>${icon}</button>`;
    return html`<div class=${settings.aspect === "9:16" ? "tall" : "wide"}><div class="stage" ?data-full=${this.full} ?data-begun=${this.begun}>
      <div class="picture"><canvas role="img" aria-label=${title} aria-describedby=${this.#wordsId} @click=${() => this.#run("toggle")}></canvas>
        ${this.#overPicture(at.scene, shown)}</div>
      ${this.captions ? captionsView(this.#cues, time, language) : nothing}
      <div class="controls" role="group" aria-label=${msg("explainer.playback")}>
        ${press("toggle", playing ? msg("common.pause") : msg("audit.play"), playing ? filmIcons.pause : filmIcons.play, { key: "K", name: "play" })}
        <span class="scrub" dir="ltr"><input type="range" min="0" max=${this.#all} step="100" .value=${live(String(time))} style=${styleMap({ "--at": `${(time / this.#all) * 100}%` })} aria-label=${msg("explainer.placeInTheFilm")} aria-valuetext="${at_}: ${title}" ?disabled=${!canPlay}
          @input=${(event: Event) => this.#seek(Number((event.target as HTMLInputElement).value))}>
          ${this.#timed.slice(1).map(({ start }) => html`<i style=${styleMap({ left: `calc(8px + (100% - 16px) * ${timeOf(start) / this.#all})` })}></i>`)}</span>
        <span class="time" dir="ltr" aria-hidden="true">${now} / ${all}</span>
        <span class="more">${press("captions", msg("explainer.captions"), filmIcons.captions, { pressed: this.captions, key: "C" })}
        ${document.fullscreenEnabled ? press("full", this.full ? msg("explainer.leaveTheFullScreen") : msg("explainer.fullScreen"), this.full ? filmIcons.small : filmIcons.full, { key: "F" }) : nothing}</span>
      </div></div></div>
      <div class="visually-hidden" id=${this.#wordsId} lang=${language}>${sceneWords(at.scene)}</div>
      <p class="about-preview">${msg("explainer.previewIsTheVideo")}${this.voices ? html` ${msg("explainer.voiceMayTakeLonger")}` : nothing}</p>`;
  }

  /** What stands over the picture: that it is being loaded, why it cannot be, or why a scene cannot be drawn. */
  #overPicture(scene: Scene, shown: Shown | null) {
    const { previews } = this;
    if (shown?.kind === "refused")
      return html`<div class="over-picture"><p><b>${msg("explainer.sceneCannotBeDrawn")}</b></p><ul class="findings">${shown.findings.map((finding) => html`<li>${icons.alert}<span dir="auto">${fromEnglish(finding)}</span></li>`)}</ul></div>`;
    if (shown) return nothing;
    if (previews?.problem) {
      const { detail } = previews.problem;
      return html`<div class="over-picture" role="status"><p><b>${navigator.onLine ? problemTitle(previews.problem) : msg("explainer.previewNeedsTheService")}</b> ${navigator.onLine && detail ? fromEnglish(detail) : nothing}</p>
        <button type="button" class="button" @click=${() => previews.retry()}>${icons.redo}${msg("common.tryAgain")}</button></div>`;
    }
    if (previews?.isInvalid(scene)) return html`<div class="over-picture"><p>${msg("explainer.previewOnceFieldsRight")}</p></div>`;
    const { done = 0, all = 1 } = previews?.progress ?? {};
    return html`<div class="over-picture"><p>${msg("explainer.loadingThePreview")}</p><progress max=${all} value=${done} aria-label=${msg("explainer.loadingThePreview")}></progress></div>`;
  }

  #pressed(event: KeyboardEvent): void {
    const command = filmCommand(event);
    const known = command !== null && (typeof command === "object" || command === "toggle" || command === "captions" || command === "full");
    if (!known) return;
    event.preventDefault();
    event.stopPropagation();
    this.#run(command);
  }

  #run(command: FilmCommand): void {
    if (typeof command === "object")
      this.#seek("to" in command ? command.to * this.#all : this.time + command.by * stepSeconds[command.step] * 1_000);
    else if (command === "toggle") this.playing ? this.#pause() : this.#play();
    else if (command === "captions") {
      this.captions = !this.captions;
      this.dispatchEvent(new AnnounceEvent(this.captions ? msg("explainer.captionsAreShown") : msg("explainer.captionsAreHidden")));
    } else if (command === "full") void (this.full ? document.exitFullscreen() : this.stage?.requestFullscreen())?.catch(() => undefined);
  }

  #seek(milliseconds: number): void {
    this.time = Math.max(0, Math.min(milliseconds, this.#all));
  }
  #pause(): void {
    cancelAnimationFrame(this.#frame);
    this.playing = false;
  }
  #play(): void {
    if (!this.#at || !this.#shownOf(this.#at.scene)) return;
    if (this.time >= this.#all) this.time = 0;
    this.playing = true;
    this.begun = true;
    let before = performance.now();
    const step = (now: number): void => {
      // It waits for a scene that is not there yet.
      if (this.#at && this.#shownOf(this.#at.scene)) this.#seek(this.time + Math.max(0, now - before));
      before = now;
      if (this.time >= this.#all) this.#pause();
      else this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-preview": PreviewElement;
  }
}
