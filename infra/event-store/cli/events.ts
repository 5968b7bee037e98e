import { parseArgs } from "node:util";
import { knownEventTypes } from "@colloquy/schemas/events/registry.ts";
import { parseCall, runTool, UsageError } from "../../command-line.ts";
import { readConfig } from "../../config.ts";
import type { EventStore, StoredEvent } from "../client.ts";
import { reachEventStore } from "../reach.ts";
import { countEvents, formatEvent, formatStatistics, type ShowOptions } from "./format.ts";

const usage = `Usage: npm run events -- tail [--once] [--lines <n>]
       npm run events -- stream <name> [--from <revision>] [--limit <n>]
       npm run events -- stats

tail    the last events, then each new one until Ctrl-C (--once: only the last events)
stream  the events of one stream, for instance conversation-<id> or publication-<course>
stats   how many events there are, by category and type

  --prefix <text>  only streams whose names begin with this text (may be repeated)
  --type <name>    only events of this type (may be repeated)
  --json           one line of JSON for each event
  --data           also show the data of events, which is text that people wrote; it is hidden by default

Works whether the program runs or not.`;

interface Arguments extends ShowOptions {
  command: string;
  stream: string | undefined;
  once: boolean;
  lines: number;
  from: number;
  limit: number;
  prefixes: string[];
  types: ReadonlySet<string>;
}

const readArguments = (given: string[]): Arguments =>
  parseCall(() => {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        once: { type: "boolean", default: false },
        lines: { type: "string", default: "20" },
        from: { type: "string", default: "0" },
        limit: { type: "string", default: String(Number.MAX_SAFE_INTEGER) },
        prefix: { type: "string", multiple: true, default: [] },
        type: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
        data: { type: "boolean", default: false },
        help: { type: "boolean", short: "h" },
      },
    });
    const [command = "", stream, ...rest] = positionals;
    if (values.help || command === "") throw new UsageError("");
    if (rest.length > 0 || (command !== "stream" && stream !== undefined))
      throw new UsageError("Unexpected argument: name at most one stream, after the command stream.");
    const number = (name: "lines" | "from" | "limit"): number => {
      const value = Number(values[name]);
      if (!Number.isSafeInteger(value) || value < 0) throw new UsageError(`--${name} must be a whole number, not ${values[name]}.`);
      return value;
    };
    const { once, json, data } = values;
    return {
      command,
      stream,
      once,
      json,
      data,
      lines: number("lines"),
      from: number("from"),
      limit: number("limit"),
      prefixes: values.prefix,
      types: new Set(values.type),
    };
  });

const wanted = ({ prefixes, types }: Arguments, event: StoredEvent): boolean =>
  (types.size === 0 || types.has(event.type)) && (prefixes.length === 0 || prefixes.some((prefix) => event.stream.startsWith(prefix)));

async function* only(events: AsyncIterable<StoredEvent>, asked: Arguments, limit = Number.POSITIVE_INFINITY): AsyncGenerator<StoredEvent> {
  let left = limit;
  if (left <= 0) return;
  for await (const event of events) {
    if (!wanted(asked, event)) continue;
    yield event;
    left -= 1;
    if (left <= 0) return;
  }
}

async function tail(store: EventStore, asked: Arguments, follow: boolean, signal: AbortSignal): Promise<void> {
  const { prefixes, lines } = asked;
  let position = await store.head();
  const last = await Array.fromAsync(only(store.readAll({ direction: "backwards", prefixes }), asked, lines));
  for (const event of last.toReversed()) {
    console.log(formatEvent(event, asked));
    if (position === null || BigInt(event.position) > BigInt(position)) position = event.position;
  }
  if (!follow) return;
  for await (const event of only(store.subscribe({ from: position, prefixes, signal }), asked)) console.log(formatEvent(event, asked));
}

async function stream(store: EventStore, asked: Arguments): Promise<number> {
  if (asked.stream === undefined) throw new UsageError("Name a stream, for instance conversation-<id>.");
  let count = 0;
  for await (const event of only(store.read(asked.stream, { from: asked.from }), asked, asked.limit)) {
    console.log(formatEvent(event, asked));
    count += 1;
  }
  if (count > 0) return 0;
  console.error(`${asked.stream} has no matching events.`);
  return 1;
}

async function run(asked: Arguments): Promise<number> {
  const leaving = new AbortController();
  process.once("SIGINT", () => leaving.abort());
  process.once("SIGTERM", () => leaving.abort());
  const { store, running, close } = await reachEventStore(readConfig());
  try {
    if (asked.command === "tail") {
      if (!running && !asked.once) console.error("The program does not run: no new events will come.");
      await tail(store, asked, running && !asked.once, leaving.signal);
      return 0;
    }
    if (asked.command === "stream") return await stream(store, asked);
    if (asked.command !== "stats") throw new UsageError(`Unknown command ${asked.command}. Use tail, stream or stats.`);
    const statistics = await countEvents(only(store.readAll({ prefixes: asked.prefixes }), asked), knownEventTypes);
    console.log(asked.json ? JSON.stringify({ schemaVersion: 1, ...statistics }) : formatStatistics(statistics));
    return 0;
  } finally {
    await close();
  }
}

// The reader of a pipe may stop early, as `head` does.
process.stdout.on("error", () => process.exit(0));
await runTool(usage, (given) => run(readArguments(given)));
