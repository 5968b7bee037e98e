import { defaultSettings } from "@colloquy/schemas/explainers/default-settings.ts";
import type { RenderSettings } from "@colloquy/schemas/explainers/film.ts";

/** A phone held upright, as a media query. */
export const uprightPhone = "(orientation: portrait) and (max-width: 600px)";
/** In CSS pixels: what a player's picture has beside it, above and below it as the styles have it, and below which width it is narrow. */
const room = { beside: 16, around: 240, narrow: 500 };

/** The aspect in which the text of a film is larger: upright on a phone held upright, and in a narrow player with room above and below. */
export function viewerAspect({ clientWidth }: Element): RenderSettings["aspect"] {
  const width = clientWidth - 2 * Math.max(room.beside, clientWidth / 20);
  const isNarrow = width > 0 && width < room.narrow && innerHeight - room.around > width;
  return isNarrow || matchMedia(uprightPhone).matches ? "9:16" : "16:9";
}

/** The settings that suit where a film is watched: its player's width, and the colours of the page. */
export function viewerSettings(element: Element): RenderSettings {
  const isDark = lightnessOf(getComputedStyle(element).backgroundColor) < 0.5;
  return { ...defaultSettings, aspect: viewerAspect(element), theme: isDark ? "dark" : "light" };
}

/** Whether a video is made for where it is watched. */
export const suits = ({ aspect, theme }: RenderSettings, viewer: RenderSettings): boolean =>
  aspect === viewer.aspect && theme === viewer.theme;

/** The lightness of a computed colour, from 0 to 1. */
function lightnessOf(colour: string): number {
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  if (!context) return 1;
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 255, green = 255, blue = 255] = context.getImageData(0, 0, 1, 1).data;
  return (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
}
