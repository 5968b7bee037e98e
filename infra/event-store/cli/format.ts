import { unreadableReason } from "@colloquy/schemas/events/registry.ts";
import type { StoredEvent } from "../client.ts";

/** Formats events for operators. `data` contains what people wrote and is shown only on request. */

export interface ShowOptions {
  json: boolean;
  data: boolean;
}

/** One event as a line, or as a line of JSON; with its data below, or inside. */
export function formatEvent(event: StoredEvent, { json, data }: ShowOptions): string {
  const { id, type, stream, revision, position, created, metadata } = event;
  const { accountId, requestId, correlationId, deviceId } = metadata;
  const bytes = sizeOf(event);
  const unreadable = unreadableReason(event) ?? undefined;
  if (json)
    return JSON.stringify({
      position,
      created,
      stream,
      revision,
      type,
      id,
      bytes,
      accountId,
      requestId,
      correlationId,
      deviceId,
      unreadable,
      ...(data && { data: event.data }),
    });
  const line = [
    created,
    position.padStart(8),
    `${stream}@${revision}`,
    type,
    `${bytes} B`,
    accountId ?? "",
    correlationId ? `request ${correlationId}` : "",
    unreadable ? `UNREADABLE: ${unreadable}` : "",
  ];
  const text = line.filter(Boolean).join("  ");
  return data ? `${text}\n${JSON.stringify(event.data, null, 2).replace(/^/gm, "    ")}` : text;
}

export interface Counts {
  events: number;
  bytes: number;
}

export interface Statistics extends Counts {
  streams: number;
  first: string | null;
  last: string | null;
  position: string | null;
  unreadable: number;
  /** By the part of a stream's name before its first hyphen. */
  categories: Record<string, Counts & { streams: number }>;
  types: Record<string, Counts & { known: boolean }>;
}

const sizeOf = ({ data }: StoredEvent): number => Buffer.byteLength(JSON.stringify(data) ?? "");

/** Counts events as they come; `known` are the types this version of the program understands. */
export async function countEvents(events: AsyncIterable<StoredEvent>, known: ReadonlySet<string>): Promise<Statistics> {
  const streams = new Map<string, Set<string>>();
  const total: Statistics = {
    events: 0,
    bytes: 0,
    streams: 0,
    first: null,
    last: null,
    position: null,
    unreadable: 0,
    categories: {},
    types: {},
  };
  const count = (counts: Counts, bytes: number): void => {
    counts.events += 1;
    counts.bytes += bytes;
  };
  for await (const event of events) {
    const bytes = sizeOf(event);
    const category = event.stream.split("-", 1)[0] ?? event.stream;
    const names = streams.get(category) ?? new Set();
    streams.set(category, names.add(event.stream));
    total.categories[category] ??= { events: 0, bytes: 0, streams: 0 };
    total.types[event.type] ??= { events: 0, bytes: 0, known: known.has(event.type) };
    for (const counts of [total, total.categories[category], total.types[event.type]]) if (counts) count(counts, bytes);
    total.first ??= event.created;
    total.last = event.created;
    total.position = event.position;
    if (unreadableReason(event) !== null) total.unreadable += 1;
  }
  for (const [category, names] of streams) {
    const counts = total.categories[category];
    if (counts) counts.streams = names.size;
    total.streams += names.size;
  }
  return total;
}

const number = (value: number): string => value.toLocaleString("en");

export function formatStatistics({ events, bytes, streams, first, last, position, unreadable, categories, types }: Statistics): string {
  const bySize = <Value extends Counts>(record: Record<string, Value>): [string, Value][] =>
    Object.entries(record).toSorted(([, a], [, b]) => b.events - a.events);
  return [
    `${number(events)} events in ${number(streams)} streams, ${number(bytes)} bytes of data; last position ${position ?? "–"}`,
    ...(first && last ? [`from ${first} to ${last}`] : []),
    ...(unreadable > 0 ? [`${number(unreadable)} cannot be read by this version`] : []),
    "",
    ...aligned([
      ["category", "streams", "events", "bytes"],
      ...bySize(categories).map(([name, one]) => [name, number(one.streams), number(one.events), number(one.bytes)]),
    ]),
    "",
    ...aligned([
      ["type", "", "events", "bytes"],
      ...bySize(types).map(([name, one]) => [name, one.known ? "" : "unknown to this version", number(one.events), number(one.bytes)]),
    ]),
  ].join("\n");
}

/** Columns: the first two to the left, figures to the right. */
function aligned(rows: string[][]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const left = (column: number): boolean => rows.slice(1).some((row) => !/^[\d,]*$/.test(row[column] ?? ""));
  return rows.map((row) =>
    row
      .map((cell, column) => (left(column) ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
}
