import { z } from "zod";
import { filmBounds } from "../film-bounds.ts";

/** One text on screen. `as` says how to read it, because a dollar sign in code or words begins no formula. */
export const screenLine = z.strictObject({ as: z.enum(["words", "formula", "code"]), text: z.string(), label: z.string() });
export type ScreenLine = z.infer<typeof screenLine>;

/** The most lines that a layout can show: arrows and unconnected boxes of a diagram. */
export const screenLines = z.array(screenLine).max(filmBounds.edges + filmBounds.nodes);
