import { parentPort, workerData } from "node:worker_threads";
import { hostileTexts } from "./hostile-texts.ts";
import { parsers } from "./parsers.ts";

/** Says each text before it is read, so that whoever listens knows over which one this has come to a halt. */
const { name } = workerData as { name: string };
const parser = parsers[name];
if (!parser || !parentPort) throw new Error(`there is no parser ${name}`);
for (const { name: what, text } of hostileTexts(parser.length)) {
  parentPort.postMessage({ what });
  await parser.parse(text);
}
parentPort.postMessage({ what: null });
