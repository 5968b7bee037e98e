import type { RankedPassage } from "@colloquy/projections/passages/queries.ts";

const explaining: ReadonlySet<RankedPassage["role"]> = new Set(["prose", "key-points", "callout", "table", "math"]);

/**
 * The passages of a place where nothing says which of them are meant, those to be given first standing first: of each stretch of it the
 * fullest that explains something. From its beginning alone a long page would give its times, its aims and what a program printed.
 */
export function throughout<P extends Pick<RankedPassage, "role" | "text">>(passages: readonly P[], most: number): P[] {
  if (passages.length <= most) return [...passages];
  const telling = passages.filter(({ role }) => explaining.has(role));
  const stretches = Math.min(most, telling.length);
  const edge = (at: number): number => Math.floor((at * telling.length) / stretches);
  const first = Array.from({ length: stretches }, (_, at) =>
    telling.slice(edge(at), edge(at + 1)).reduce((fullest, one) => (one.text.length > fullest.text.length ? one : fullest)),
  );
  return [...first, ...passages.filter((passage) => !first.includes(passage))];
}
