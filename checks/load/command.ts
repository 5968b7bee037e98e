import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

/** Of the knee, so many learners are sent for a soak unless it is said how many. */
const soakShare = 0.6;
const kinds = ["knee", "soak", "growth", "hostile"] as const;

/** What is to be measured, and with which figures. */
export interface LoadRun {
  what: (typeof kinds)[number];
  learners: number;
  minutes: number;
  seed: number;
  /** Of `growth`: how many events each time. */
  events: number[];
  /** Whether the page is written. */
  write: boolean;
}

/** Says what is wrong with a command. */
export class WrongCommand extends Error {
  override name = "WrongCommand";
}

/**
 * What stands behind `npm run load --`.
 * @param knee that was measured before, if any
 * @throws {WrongCommand}
 */
export function readCommand(args: readonly string[], knee: number | null): LoadRun {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      learners: { type: "string" },
      minutes: { type: "string" },
      events: { type: "string", default: "10000,100000,1000000" },
      seed: { type: "string", default: String(randomInt(2 ** 31)) },
      write: { type: "boolean", default: false },
    },
  });
  const what = kinds.find((kind) => kind === positionals[0]);
  if (what === undefined || positionals.length > 1) throw new WrongCommand("npm run load -- knee, soak, growth or hostile.");
  const seed = Number(values.seed);
  const minutes = Number(values.minutes ?? (what === "soak" ? 30 : 2));
  const learners = Number(values.learners ?? (what === "soak" ? Math.round((knee ?? Number.NaN) * soakShare) : 100));
  const events = values.events.split(",").map(Number);
  if (!Number.isSafeInteger(seed) || !(minutes > 0) || !events.every((size) => Number.isSafeInteger(size) && size > 0))
    throw new WrongCommand("--seed, --minutes and --events take numbers.");
  if ((what === "knee" || what === "soak") && !(learners >= 1))
    throw new WrongCommand("--learners: docs/reports/load.md tells of no knee yet, so say how many.");
  return { what, learners, minutes, seed, events, write: values.write };
}

/** The command that measures the same once more: also what was drawn, or taken from the page, stands in it. */
export function commandOf({ what, learners, minutes, seed, events }: LoadRun): string {
  const flags =
    what === "growth"
      ? [`--events ${events.join(",")}`]
      : what === "hostile"
        ? [`--minutes ${minutes}`]
        : [`--learners ${learners}`, `--minutes ${minutes}`, `--seed ${seed}`];
  return ["npm run load --", what, ...flags].join(" ");
}
