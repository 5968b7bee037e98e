import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { sceneTitle } from "@colloquy/schemas/explainers/scene-title.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { html, nothing, type PropertyValues } from "lit";
import { customElement, property, query } from "lit/decorators.js";
import { LightElement } from "../../controls/light-element.ts";
import { msg } from "../../messages/page.ts";
import { paint } from "./paint.ts";
import { previewStyles } from "./preview.styles.ts";
import type { Previews } from "./previews.ts";

/** @summary The last picture of a scene; a press on it shows the scene in the preview. */
@customElement("colloquy-scene-still")
export class SceneStill extends LightElement {
  static override lightStyles = [previewStyles];

  @property({ attribute: false }) previews: Previews | null = null;
  @property({ attribute: false }) scene: Scene | null = null;
  @property({ attribute: false }) settings: Pick<RenderSettings, "aspect" | "theme"> = { aspect: "16:9", theme: "light" };
  @property({ attribute: false }) choose: () => void = () => undefined;
  @query("canvas") private canvas!: HTMLCanvasElement | null;
  #size: ResizeObserver | null = null;
  #release: (() => void) | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size = new ResizeObserver(() => this.#paint());
    this.#listen();
    if (this.canvas) this.#size.observe(this.canvas);
  }
  override disconnectedCallback(): void {
    this.#size?.disconnect();
    this.#release?.();
    super.disconnectedCallback();
  }
  #listen(): void {
    this.#release?.();
    this.#release = this.previews?.events.on("change", () => this.requestUpdate()) ?? null;
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("previews")) this.#listen();
  }
  protected override firstUpdated(): void {
    if (this.canvas) this.#size?.observe(this.canvas);
  }
  protected override updated(): void {
    this.#paint();
  }

  #paint(): void {
    const { canvas, scene, previews, settings } = this;
    const shown = scene && previews?.shownOf(scene, settings.aspect);
    if (!canvas || !previews || shown?.kind !== "placed") return;
    paint(canvas, previews.draw, { placed: shown.placed, timeMs: shown.placed.durationMs, theme: settings.theme });
  }

  protected override render() {
    const { scene, previews, settings } = this;
    if (!scene) return nothing;
    const isOld = previews?.isOld(scene) ?? true;
    return html`<button type="button" class="picture ${settings.aspect === "9:16" ? "tall" : "wide"}" ?data-old=${isOld} aria-label=${msg("explainer.showInThePreview", { scene: sceneTitle(scene) })} @click=${this.choose}><canvas aria-hidden="true"></canvas></button>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "colloquy-scene-still": SceneStill;
  }
}
