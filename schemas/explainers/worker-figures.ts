/**
 * Sent by a worker with each of its requests: how its process does (`worker=host-7,processorMilliseconds=5210,…`). Nobody can ask it,
 * because it answers nobody.
 */
export const workerFiguresHeader = "x-worker-figures";

const figures = [
  "loopDelayMicroseconds",
  "processorMilliseconds",
  "heapBytes",
  "residentBytes",
  /** The process and the renders it runs. */
  "withRendersBytes",
] as const;

const isolations = ["bubblewrap", "permissions"] as const;

/** `worker`: one name for a process, however many renders it makes at once. `encoder`: whether FFmpeg was found. */
export type WorkerFigures = { worker: string; isolation: (typeof isolations)[number]; encoder: boolean } & Record<
  (typeof figures)[number],
  number
>;

export const writeWorkerFigures = (told: WorkerFigures): string =>
  [
    `worker=${told.worker}`,
    `isolation=${told.isolation}`,
    `encoder=${told.encoder}`,
    ...figures.map((figure) => `${figure}=${Math.round(told[figure])}`),
  ].join(",");

/** What a header says, whoever wrote it; null unless a worker is named and each figure is a number that a process can have. */
export function readWorkerFigures(text: string): WorkerFigures | null {
  const told = new Map<string, string>();
  for (const entry of text.split(",", figures.length + 3)) {
    const [name = "", value = ""] = entry.split("=", 2);
    told.set(name, value);
  }
  const worker = told.get("worker") ?? "";
  const isolation = isolations.find((one) => one === told.get("isolation"));
  const encoder = told.get("encoder");
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(worker) || !isolation || (encoder !== "true" && encoder !== "false")) return null;
  const numbers: [string, number][] = [];
  for (const figure of figures) {
    const value = told.get(figure) ?? "";
    if (!/^\d{1,15}$/.test(value)) return null;
    numbers.push([figure, Number(value)]);
  }
  return { worker, isolation, encoder: encoder === "true", ...(Object.fromEntries(numbers) as Record<(typeof figures)[number], number>) };
}
