/**
 * Old versions of events. What is stored is never rewritten: an event of an old version is brought to the present one whenever it is
 * read, one version at a time, so that folds and projections know only the present.
 */

type Data = Readonly<Record<string, unknown>>;

/** An event of version n as version n + 1 has it. Pure; throws for data that was never valid. The type changes only when it was renamed. */
export type Upcaster = (event: { type: string; data: Data }) => { type?: string; data: Data };

/** By event type, then by the `schemaVersion` an upcaster takes. */
export type Upcasters = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** The one registry. An entry stays for as long as a stream may hold an event of that version: for ever, unless streams were copied. */
export const upcasters: Upcasters = {};

/** Longer chains are circles. */
const stepsAtMost = 100;

/**
 * Type and data of an event in its present version; `data` is the very same object when there was nothing to do.
 * @throws what an upcaster throws
 */
export function upcast(event: { type: string; data: unknown }, registry: Upcasters = upcasters): { type: string; data: unknown } {
  let { type, data } = event;
  for (let step = 0; ; step += 1) {
    const upcaster = Object.hasOwn(registry, type) ? registry[type]?.[versionOf(data)] : undefined;
    if (!upcaster) return { type, data };
    if (step >= stepsAtMost) throw new RangeError(`the upcasters of ${event.type} go in a circle`);
    const next = upcaster({ type, data: data as Data });
    type = next.type ?? type;
    data = next.data;
  }
}

function versionOf(data: unknown): number {
  const version = typeof data === "object" && data !== null && "schemaVersion" in data ? data.schemaVersion : undefined;
  return typeof version === "number" ? version : Number.NaN;
}
