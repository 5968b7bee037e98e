import type { Env } from "markdown-it";

/** Link definitions by their normalised label. */
export type Definitions = NonNullable<Env["references"]>;

/** Wraps definitions for a parser and records every label it looks up: a missing one may be defined later. */
export function trackLookups(definitions: Definitions, asked: Set<string>): Definitions {
  return new Proxy(definitions, {
    get(target, label) {
      if (typeof label === "string") asked.add(label);
      return Reflect.get(target, label) as unknown;
    },
  });
}

/** The labels whose definition changed. */
export function changedLabels(before: Definitions, now: Definitions): string[] {
  const same = (label: string) => before[label]?.href === now[label]?.href && before[label]?.title === now[label]?.title;
  const labels = [...Object.keys(now), ...Object.keys(before).filter((label) => !(label in now))];
  return labels.filter((label) => !same(label));
}
