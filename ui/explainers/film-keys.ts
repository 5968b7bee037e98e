/** A playback command of a key or button. */
export type FilmCommand =
  | "toggle"
  | "captions"
  | "mute"
  | "full"
  | "beside"
  | "faster"
  | "slower"
  | { by: -1 | 1; step: "small" | "large" }
  /** `to`: a share of the length. */
  | { to: number };

const keyCommands: Readonly<Record<string, FilmCommand>> = {
  k: "toggle",
  c: "captions",
  m: "mute",
  f: "full",
  "<": "slower",
  ">": "faster",
  j: { by: -1, step: "large" },
  l: { by: 1, step: "large" },
  arrowleft: { by: -1, step: "small" },
  arrowright: { by: 1, step: "small" },
  home: { to: 0 },
  end: { to: 1 },
} as const;

/** The command of a key while the focus is in the player; null if the key belongs to the focused control. */
export function filmCommand(event: KeyboardEvent): FilmCommand | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  const target = event.target instanceof HTMLElement ? event.target : null;
  if (target?.matches("input:not([type='range']), textarea, select")) return null;
  // Space activates the focused control; elsewhere it plays.
  if (event.key === " ") return target?.matches("button, a, summary, [role='button']") ? null : "toggle";
  // Home and End scroll the page, except on the timeline.
  if ((event.key === "Home" || event.key === "End") && !target?.matches("input")) return null;
  // As in other players: a digit is a tenth of the length.
  if (/^[0-9]$/.test(event.key)) return { to: Number(event.key) / 10 };
  return keyCommands[event.key.toLowerCase()] ?? null;
}
