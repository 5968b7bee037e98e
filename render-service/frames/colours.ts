/** The tokens of `ui/theme/tokens.css` that films use, as [lightness, chroma, hue] of oklch; a test holds the two together. */
export const tokens = {
  paper: { light: [0.988, 0.004, 90], dark: [0.195, 0.012, 265] },
  raised: { light: [1, 0, 0], dark: [0.235, 0.014, 265] },
  sunken: { light: [0.964, 0.006, 90], dark: [0.165, 0.012, 265] },
  ink: { light: [0.25, 0.02, 265], dark: [0.925, 0.008, 90] },
  "ink-soft": { light: [0.44, 0.02, 265], dark: [0.76, 0.012, 265] },
  "ink-faint": { light: [0.54, 0.018, 265], dark: [0.66, 0.014, 265] },
  line: { light: [0.905, 0.007, 90], dark: [0.31, 0.014, 265] },
  "line-strong": { light: [0.8, 0.01, 90], dark: [0.42, 0.016, 265] },
  accent: { light: [0.46, 0.095, 200], dark: [0.79, 0.095, 195] },
  "accent-ink": { light: [0.99, 0.005, 200], dark: [0.18, 0.02, 265] },
  "accent-wash": { light: [0.954, 0.013, 205], dark: [0.28, 0.03, 208] },
  good: { light: [0.48, 0.11, 150], dark: [0.78, 0.12, 150] },
  warn: { light: [0.52, 0.11, 65], dark: [0.8, 0.11, 75] },
} as const;

/**
 * `picture-paper`: pictures are drawn for light paper, and in the dark multiplied with the paper that reading pages give them
 * (`ui/theme/figures.css`). `figure-paper`: of those whose lines are drawn for the dark.
 */
const colours = {
  ...tokens,
  "picture-paper": { light: tokens.paper.light, dark: [0.8, 0.008, 90] },
  "figure-paper": { light: tokens.paper.light, dark: tokens.raised.dark },
} as const;

export type ColourRole = keyof typeof colours;
export type Theme = "light" | "dark";
const themes: readonly Theme[] = ["light", "dark"];

/** An oklch colour in linear sRGB (Björn Ottosson's matrices). */
function linear([lightness, chroma, hue]: readonly [number, number, number]): [number, number, number] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}
const encoded = (value: number): number => {
  const bounded = Math.min(1, Math.max(0, value));
  return Math.round(255 * (bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055));
};
const decoded = (byte: number): number => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

type Rgb = [number, number, number];
/** An oklch colour in sRGB; what lies beyond it is cut. Pure. */
export const rgbOf = (colour: readonly [lightness: number, chroma: number, hue: number]): Rgb => linear(colour).map(encoded) as Rgb;
const roles = Object.keys(colours) as ColourRole[];
const bytes = (theme: Theme): Record<ColourRole, Rgb> =>
  Object.fromEntries(roles.map((role) => [role, rgbOf(colours[role][theme])])) as Record<ColourRole, Rgb>;
const rgb: Record<Theme, Record<ColourRole, Rgb>> = { light: bytes("light"), dark: bytes("dark") };

/** A colour as a canvas takes it. */
export const colourOf = (role: ColourRole, theme: Theme): string => `rgb(${rgb[theme][role].join(",")})`;

function luminance(role: ColourRole, theme: Theme): number {
  const [red, green, blue] = rgb[theme][role];
  return 0.2126 * decoded(red) + 0.7152 * decoded(green) + 0.0722 * decoded(blue);
}

/** Contrast of one colour on another, as WCAG 2 reckons it: the lesser of both themes. */
export function contrastOf(role: ColourRole, on: ColourRole): number {
  const ratios = themes.map((theme) => {
    const one = luminance(role, theme) + 0.05;
    const other = luminance(on, theme) + 0.05;
    return Math.max(one, other) / Math.min(one, other);
  });
  return Math.min(...ratios);
}
