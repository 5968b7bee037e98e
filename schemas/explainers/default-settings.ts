import type { RenderSettings } from "./film.ts";

/** The default settings of a video. */
export const defaultSettings: RenderSettings = { aspect: "16:9", height: 720, theme: "light", voice: "none" };
