import type { RenderSettings } from "./film.ts";

/** How a film is made unless somebody wants it otherwise. */
export const usualSettings: RenderSettings = { aspect: "16:9", height: 720, theme: "light", voice: "none" };
