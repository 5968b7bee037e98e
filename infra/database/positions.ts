import { positionDigits } from "@colloquy/schemas/positions.ts";

/**
 * Positions of the event store reach 64 bits, past what a JavaScript number holds and beyond one column type both engines share.
 * A column keeps them as 20 digits, so that the order of the text is the order of the numbers; "" stands before every position.
 */
export const positionColumn = (position: string | null): string => (position === null ? "" : position.padStart(positionDigits, "0"));

export const positionOf = (column: string): string | null => (column === "" ? null : column.replace(/^0+(?=\d)/, ""));
