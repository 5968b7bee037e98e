import { availableParallelism } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import {
  failureLines,
  latencyTable,
  type Measured,
  megabytes,
  missedGoals,
  ms,
  nearestToGoal,
  percent,
  processTable,
  saturated,
  table,
} from "./tables.ts";
import { type MeasuredWindow, startTarget } from "./target.ts";

/** A generator whose own event loop is later than this measures itself. Milliseconds, 99th percentile. */
const generatorLateMs = 50;
/** From one step to the next while all is well; then halving until the two ends are this near. */
const growth = 1.5;
const near = 1.15;
const restMs = 10_000;
/** Where others have more than this of the processors, what was found is theirs, too. */
const othersAtMost = 0.1;
/** So much of what is wrong with a step is said. */
const saidOfAStep = 3;
/** Learners that come each second while a load builds up: below what the steps themselves ask for. */
const comingPerSecond = 20;

export const rampSeconds = (learners: number): number => Math.max(20, Math.ceil(learners / comingPerSecond));

/**
 * Raises the number of learners at once until a kind of request passes its goal or too many fail, then narrows it down.
 * @param first learners of the first step
 * @param minutes how long each step is measured, after it has built up
 * @returns the section of the page; its goals are kept where they are for anybody at all
 */
export async function knee(
  { first, minutes, seed }: { first: number; minutes: number; seed: number },
  tell: (line: string) => void,
): Promise<Measured> {
  const target = await startTarget();
  const steps: MeasuredWindow[] = [];
  const lines: string[][] = [];
  /** Whether so many are served well. What is not is tried once more: a hiccup of the machine is not the knee. */
  async function holds(learners: number): Promise<boolean> {
    for (const attempt of [1, 2]) {
      await pause(restMs);
      const options = { learners, seed: seed + steps.length, rampSeconds: rampSeconds(learners), windowSeconds: minutes * 60, windows: 1 };
      const seen = await target.load(options);
      const wrong = missedGoals(seen);
      const generator = seen.use.processes.find(({ part }) => part === "generator")?.delay?.p99 ?? 0;
      steps.push(seen);
      lines.push([
        Math.round(seen.present).toLocaleString("en"),
        (seen.requests / (minutes * 60)).toFixed(0),
        (seen.events / (minutes * 60)).toFixed(1),
        wrong.length === 0 ? `holds (${nearestToGoal(seen)})` : `**${few(wrong)}**`,
        percent(seen.use.busy),
        percent(seen.use.others),
        `${ms(generator)} ms${generator > generatorLateMs ? " (too late)" : ""}`,
      ]);
      tell(`${learners} learners${attempt === 2 ? ", again" : ""}: ${lines.at(-1)?.slice(1).join(" · ")}`);
      if (wrong.length === 0) return true;
    }
    return false;
  }
  try {
    const good = await search(first, holds);
    const at = steps.filter((seen) => missedGoals(seen).length === 0).at(-1);
    const beyond = steps.filter((seen) => missedGoals(seen).length > 0).toSorted((a, b) => a.present - b.present)[0];
    const others = steps.map(({ use }) => use.others);
    return { text: section({ good, first, minutes, seed, lines, others, at, beyond, sizes: target.sizes() }), kept: good > 0 };
  } finally {
    await target.close();
  }
}

/** The largest number found to hold, 0 where not even one does: up by half from the first, or down by half, then narrowed down. */
export async function search(first: number, holds: (learners: number) => Promise<boolean>): Promise<number> {
  let good = 0;
  let bad = first;
  while (await holds(bad)) [good, bad] = [bad, Math.ceil(bad * growth)];
  while (good === 0 ? bad > 1 : bad / good > near && bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (await holds(middle)) good = middle;
    else bad = middle;
  }
  return good;
}

interface Found {
  good: number;
  first: number;
  minutes: number;
  seed: number;
  lines: string[][];
  /** What others had of the processors in each step. */
  others: number[];
  at: MeasuredWindow | undefined;
  beyond: MeasuredWindow | undefined;
  sizes: Record<string, number>;
}

const few = (wrong: readonly string[]): string =>
  [...wrong.slice(0, saidOfAStep), ...(wrong.length > saidOfAStep ? [`${wrong.length - saidOfAStep} more`] : [])].join("; ");

function section({ good, first, minutes, seed, lines, others, at, beyond, sizes }: Found): string {
  const processors = availableParallelism();
  const disturbed = others.filter((share) => share > othersAtMost);
  return [
    `**The knee: ${good.toLocaleString("en")} learners at once** (largest number whose every kind of request kept its goal and of whose requests at most one in a thousand failed).`,
    disturbed.length > 0
      ? `**Disturbed**: others on this machine had up to ${percent(Math.max(...disturbed))} of the processors. Measure again when it is quiet.`
      : "",
    beyond ? `Beyond it: ${few(missedGoals(beyond))}. What there was no more of: ${saturated(beyond, processors)}.` : "",
    `Steps of ${minutes} min, seed ${seed}, first ${first}. "Others": processor time of this machine that went to none of these processes; a run with much of it says little.`,
    table(
      ["learners", "requests/s", "events/s", "p95 against its goal", "processors busy", "of that others", "generator late, p99"],
      lines,
    ),
    ...(at ? [`At ${Math.round(at.present).toLocaleString("en")} learners:`, latencyTable(at), processTable(at), ...failureLines(at)] : []),
    `On the disk afterwards: ${Object.entries(sizes)
      .map(([what, bytes]) => `${what} ${megabytes(bytes)} MB`)
      .join(", ")}.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** The knee that a page tells of; null when it tells of none. */
export const kneeOf = (page: string): number | null => {
  const said = /\*\*The knee: ([\d,]+) learners at once\*\*/.exec(page)?.[1];
  return said === undefined ? null : Number(said.replaceAll(",", ""));
};
