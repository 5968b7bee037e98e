import { parentPort, workerData } from "node:worker_threads";
import { hostileTexts } from "./hostile-texts.ts";
import { parsers } from "./parsers.ts";

/** Says each text before it is read, so that whoever listens knows over which one this has come to a halt, and then what it cost. */
const { name, share } = workerData as { name: string; share: number };
const parser = parsers[name];
if (!parser || !parentPort) throw new Error(`there is no parser ${name}`);
for (const { name: what, text } of hostileTexts(Math.ceil(parser.length * share))) {
  parentPort.postMessage({ what, cpuMs: null });
  const before = process.threadCpuUsage();
  await parser.parse(text);
  const { user, system } = process.threadCpuUsage(before);
  parentPort.postMessage({ what, cpuMs: (user + system) / 1_000 });
}
parentPort.postMessage({ what: null, cpuMs: null });
