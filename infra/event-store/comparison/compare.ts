import { canonical } from "./canonical.ts";
import { intendedDifferences } from "./intended.ts";
import type { Operation, Outcome, RecordedSequence } from "./recording.ts";

/** Which answers of a store differ from the recorded ones, and of what class each difference is. */

export interface Deviation {
  /** The same for differences of the same kind. */
  class: string;
  sequence: string;
  operations: Operation[];
  recorded: Outcome | undefined;
  answered: Outcome | undefined;
}

export interface Comparison {
  deviations: Deviation[];
  /** How often each intended difference was seen, by its name. */
  intended: Record<string, number>;
  operations: number;
}

/** @param mode "usual" also allows what is intended outside strict mode */
export function compareSequence(
  { name, ops, out }: RecordedSequence,
  answered: readonly Outcome[],
  mode: "strict" | "usual" = "strict",
): Comparison {
  const comparison: Comparison = { deviations: [], intended: {}, operations: 0 };
  for (const [index, operation] of ops.entries()) {
    comparison.operations += 1 + (operation.during?.length ?? 0);
    const recorded = out[index] ?? {};
    const ours = answered[index] ?? {};
    if (canonical(recorded) === canonical(ours)) continue;
    const before = ops.slice(0, index);
    const intended = intendedDifferences.find(
      (each) => (mode === "usual" || each.mode === "always") && each.matches({ operation, recorded, answered: ours, before }),
    );
    if (intended) comparison.intended[intended.name] = (comparison.intended[intended.name] ?? 0) + 1;
    else {
      const operations = ops.slice(0, index + 1);
      comparison.deviations.push({ class: classOf(operation, recorded, ours), sequence: name, operations, recorded, answered: ours });
    }
    // What is stored differs from here on, so later differences only follow from this one.
    if (diverged(operation, recorded, ours)) break;
  }
  return comparison;
}

const wrote = (outcome: Outcome | undefined): string => (outcome ? `${outcome.err ? "no" : "yes"}${outcome.next ?? ""}` : "");

function diverged(operation: Operation, recorded: Outcome, answered: Outcome): boolean {
  if (["append", "del", "tomb", "setMeta"].includes(operation.k)) return wrote(recorded) !== wrote(answered);
  if (!operation.during) return false;
  const writes = (outcome: Outcome): string =>
    JSON.stringify([((outcome.during as Outcome[] | undefined) ?? []).map(wrote), wrote(outcome.sent as Outcome | undefined)]);
  return writes(recorded) !== writes(answered);
}

function classOf(operation: Operation, recorded: Outcome, answered: Outcome): string {
  const paths: string[] = [];
  collectPaths("", recorded, answered, paths);
  const call = `${operation.k}${operation.via ? `/${operation.via}` : ""}${operation.what ? `/${operation.what}` : ""}`;
  return `${call}: ${summary(recorded)} <> ${summary(answered)} @ ${[...new Set(paths)].slice(0, 4).join(" ")}`;
}

function summary(outcome: Outcome): string {
  if (outcome.err) return `${outcome.err}/${outcome.code ?? ""}${outcome.after ? "+partial" : ""}`;
  if (outcome.HUNG) return "no answer";
  if (outcome.code !== undefined) return `code ${outcome.code}`;
  if (outcome.ok !== undefined) return `ok ${outcome.p}`;
  return Object.keys(outcome).join(",");
}

function collectPaths(path: string, a: unknown, b: unknown, paths: string[]): void {
  if (canonical(a) === canonical(b)) return;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) paths.push(`${path}[length${a.length > b.length ? ">" : "<"}]`);
    else for (const [index, each] of a.entries()) collectPaths(`${path}[]`, each, b[index], paths);
  } else if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) collectPaths(`${path}.${key}`, a[key], b[key], paths);
  } else paths.push(path);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
