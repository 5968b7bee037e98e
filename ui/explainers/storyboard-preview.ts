import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import type { ReactiveController, ReactiveElement } from "lit";
import type { ExplainerApi } from "../api/explainer.ts";
import type { Previews } from "./preview/previews.ts";
import { uprightPhone, viewerAspect, viewerSettings } from "./viewer-settings.ts";

type Load = () => Promise<{ Previews: typeof Previews }>;
const load: Load = async () => {
  const [{ Previews }] = await Promise.all([import("./preview/previews.ts"), import("./preview/preview.ts")]);
  return { Previews };
};

/** The preview that stands above the scenes. */
export interface BoardPreview {
  previews: Previews;
  settings: Pick<RenderSettings, "aspect" | "theme">;
  voices: boolean;
  /** Shows a scene in it. */
  choose(sceneId: string): void;
}

/** The preview of the shown job's storyboard: loaded with the first one, in the aspect and colours of who watches. */
export class StoryboardPreview implements ReactiveController {
  readonly #host: ReactiveElement;
  #made: { jobId: string; previews: Previews | null } | null = null;
  #stop: AbortController | null = null;

  constructor(host: ReactiveElement) {
    this.#host = host;
    host.addController(this);
  }

  hostConnected(): void {
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const again = (): void => this.#host.requestUpdate();
    for (const question of [uprightPhone, "(prefers-color-scheme: dark)"])
      matchMedia(question).addEventListener("change", again, { signal });
    const chosen = new MutationObserver(again);
    chosen.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    let aspect = viewerAspect(this.#host);
    const resized = new ResizeObserver(() => {
      // Without a width the element is hidden, not narrow.
      const now = this.#host.clientWidth === 0 ? aspect : viewerAspect(this.#host);
      // In the next frame, because it changes the observed height.
      if (now !== aspect) requestAnimationFrame(again);
      aspect = now;
    });
    resized.observe(this.#host);
    signal.addEventListener("abort", () => {
      chosen.disconnect();
      resized.disconnect();
    });
  }
  hostDisconnected(): void {
    this.#stop?.abort();
    this.#made?.previews?.close();
    this.#made = null;
  }

  /** What the preview is drawn as, unless the video's settings are chosen. */
  settings(chosen: RenderSettings | null): Pick<RenderSettings, "aspect" | "theme"> {
    const { aspect, theme } = chosen ?? viewerSettings(this.#host);
    const before = this.#settings;
    if (before?.aspect !== aspect || before.theme !== theme) this.#settings = { aspect, theme };
    return this.#settings ?? { aspect, theme };
  }
  #settings: Pick<RenderSettings, "aspect" | "theme"> | null = null;

  /** The preview of a job; null while its program is loaded, and where it cannot be. */
  of(api: ExplainerApi, { jobId, courseId }: { jobId: string; courseId: string }): Previews | null {
    if (this.#made?.jobId === jobId) return this.#made.previews;
    this.#made?.previews?.close();
    const made = { jobId, previews: null as Previews | null };
    this.#made = made;
    load().then(
      ({ Previews }) => {
        if (this.#made !== made) return;
        made.previews = new Previews(api, { jobId, courseId });
        made.previews.events.on("change", () => this.#host.requestUpdate());
        this.#host.requestUpdate();
      },
      // The next one tries again; until then words stand in its place.
      () => {
        if (this.#made === made) this.#made = null;
      },
    );
    return null;
  }
}
