import type { DrawFrame } from "@colloquy/render-service/frames/draw.ts";
import { joinable } from "@colloquy/render-service/frames/joinable.ts";
import { widthOf } from "@colloquy/render-service/frames/picture-width.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";
import { picturesOf } from "@colloquy/schemas/explainers/picture.ts";
import type { PreviewScene } from "@colloquy/schemas/explainers/preview.ts";
import type { Scene } from "@colloquy/schemas/explainers/storyboard.ts";
import { filmBounds } from "@colloquy/schemas/film-bounds.ts";
import type { ExplainerApi } from "../../api/explainer.ts";
import { type ClientProblem, isAbort, problemOfThrown } from "../../api/problems.ts";
import { Emitter } from "../../store/emitter.ts";
import { canvasDrawer } from "./canvas.ts";
import { loadFont } from "./fonts.ts";
import { Pictures } from "./pictures.ts";

export type Shown = PreviewScene["shown"];
type Aspect = RenderSettings["aspect"];

/** Codes of problems that pass by themselves. */
const passing: ReadonlySet<string> = new Set(["rate_limited", "unavailable"]);
const retryMs = 5_000;

/** Scenes by what they look like, with the one before where they go on with that. */
function keysOf(scenes: readonly Scene[], aspect: Aspect): Map<string, string> {
  return new Map(
    scenes.map((scene, index) => {
      const before = scenes[index - 1];
      return [scene.sceneId, JSON.stringify([aspect, scene, before && joinable(before, scene) ? before : null])];
    }),
  );
}

/** The scenes of a job's storyboard as its video shows them, edited ones soon after the last edit. Independent of elements. */
export class Previews {
  readonly events = new Emitter<{ change: undefined }>();
  /** Why scenes are not shown as they are now. */
  problem: ClientProblem | null = null;
  /** What is being loaded, of all that has to be; null while nothing is. */
  progress: { done: number; all: number } | null = null;
  readonly draw: DrawFrame<CanvasRenderingContext2D>;
  readonly #api: ExplainerApi;
  readonly #of: { jobId: string; courseId: string };
  readonly #pictures = new Pictures();
  readonly #shown = new Map<string, Shown>();
  /** What was last shown of each scene, by its id. */
  readonly #lastShown = new Map<string, Shown>();
  /** Edited scenes that the service does not take as they are. */
  readonly #invalid = new Set<string>();
  /** Keys of the scenes that are to be shown, by their ids. */
  #keys: ReadonlyMap<string, string> = new Map();
  #wanted: { scenes: readonly Scene[]; aspect: Aspect } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #loading: AbortController | null = null;

  constructor(api: ExplainerApi, of: { jobId: string; courseId: string }) {
    this.#api = api;
    this.#of = of;
    this.draw = canvasDrawer(this.#pictures.picture);
  }

  /** A scene as it was last shown; null while none is known. */
  shownOf({ sceneId }: Scene, aspect: Aspect): Shown | null {
    return this.#shown.get(this.#keys.get(sceneId) ?? "") ?? this.#lastShown.get(`${aspect} ${sceneId}`) ?? null;
  }
  /** What is shown of a scene is not what it is now. */
  isOld({ sceneId }: Scene): boolean {
    return !this.#shown.has(this.#keys.get(sceneId) ?? "");
  }
  isInvalid({ sceneId }: Scene): boolean {
    return this.#invalid.has(this.#keys.get(sceneId) ?? "");
  }

  /** Loads scenes that are not known; after an edit once typing stops. */
  show(scenes: readonly Scene[], aspect: Aspect): void {
    const isFirst = this.#wanted === null || this.#wanted.aspect !== aspect;
    if (!isFirst && this.#wanted?.scenes === scenes) return;
    this.#wanted = { scenes, aspect };
    this.#keys = keysOf(scenes, aspect);
    if (this.#missing().length === 0) return;
    clearTimeout(this.#timer);
    if (isFirst) void this.#load();
    else this.#timer = setTimeout(() => void this.#load(), filmBounds.preview.pauseMs);
  }
  /** Tries again after a problem. */
  retry(): void {
    clearTimeout(this.#timer);
    if (this.#missing().length > 0) void this.#load();
  }
  close(): void {
    clearTimeout(this.#timer);
    this.#loading?.abort();
  }

  #missing(): Scene[] {
    return (this.#wanted?.scenes ?? []).filter((scene) => this.isOld(scene) && !this.isInvalid(scene));
  }

  async #load(): Promise<void> {
    const { scenes = [], aspect = "16:9" } = this.#wanted ?? {};
    const missing = this.#missing();
    const keys = this.#keys;
    if (missing.length === 0) return;
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    const { signal } = loading;
    try {
      this.#progress(0, 1);
      const placed = await this.#place(scenes, missing, aspect, signal);
      await this.#loadNeeds(missing, placed, signal);
      signal.throwIfAborted();
      for (const { sceneId, shown } of placed) {
        this.#shown.set(keys.get(sceneId) ?? "", shown);
        this.#lastShown.set(`${aspect} ${sceneId}`, shown);
      }
      this.problem = null;
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      this.problem = problemOfThrown(error);
      if (passing.has(this.problem.code))
        this.#timer = setTimeout(() => void this.#load(), (this.problem.retryAfterSeconds ?? 0) * 1_000 || retryMs);
    }
    this.progress = null;
    this.events.emit("change");
  }

  /** One scene that is invalid while it is edited must not hide the others. */
  async #place(scenes: readonly Scene[], missing: readonly Scene[], aspect: Aspect, signal: AbortSignal): Promise<PreviewScene[]> {
    const wanted = missing.map(({ sceneId }) => sceneId);
    try {
      return await this.#api.preview(this.#of.jobId, { aspect, scenes: [...scenes], wanted }, signal);
    } catch (error) {
      if (isAbort(error) || problemOfThrown(error).status !== 400) throw error;
      const { invalidFieldsOf } = await import("../invalid-fields.ts");
      const isValid = (scene: Scene): boolean => invalidFieldsOf(scene).size === 0;
      if (scenes.every(isValid)) throw error;
      for (const scene of scenes) if (!isValid(scene)) this.#invalid.add(this.#keys.get(scene.sceneId) ?? "");
      const left = missing.filter(isValid);
      return left.length > 0 ? this.#place(scenes.filter(isValid), left, aspect, signal) : [];
    }
  }

  /** The fonts and pictures of placed scenes. */
  async #loadNeeds(scenes: readonly Scene[], placed: readonly PreviewScene[], signal: AbortSignal): Promise<void> {
    const fonts = new Set(placed.flatMap(({ shown }) => (shown.kind === "placed" ? shown.fonts : [])));
    const pictures = picturesOf(scenes).filter(({ sha256 }) => !this.#pictures.has(sha256));
    const needs = [
      ...[...fonts].map((alias) => loadFont(alias, (name) => this.#api.font(name))),
      ...pictures.map(async (picture) => {
        const bytes = await this.#api.coursePicture(this.#of.courseId, picture.sha256, signal);
        // What cannot be decoded stays empty, and the rest is shown.
        const drawn = { drawnWidth: widthOf(scenes, picture), font: (name: string) => this.#api.font(name) };
        await this.#pictures.add(picture, bytes, drawn).catch(() => undefined);
      }),
    ];
    let done = 1;
    this.#progress(done, needs.length + 1);
    const counted = async (need: Promise<void>): Promise<void> => {
      await need;
      done += 1;
      this.#progress(done, needs.length + 1);
    };
    await Promise.all(needs.map(counted));
  }

  #progress(done: number, all: number): void {
    this.progress = { done, all };
    this.events.emit("change");
  }
}
