import { parentPort } from "node:worker_threads";
import { inFolder } from "@colloquy/command-api/publication/import/markdown/testing/folders.ts";
import { hostileTexts } from "./hostile-texts.ts";
import { parsers } from "./parsers.ts";

/** Names each text before it parses it, so that the listener knows which one blocks, then reports its CPU time; `what: null` is the end. */
parentPort?.on("message", async ({ name, share }: { name: string; share: number }) => {
  const parser = parsers[name];
  if (!parser) throw new Error(`there is no parser ${name}`);
  await inFolder({}, async (folder) => {
    for (const { name: what, text } of hostileTexts(Math.ceil(parser.length * share))) {
      parentPort?.postMessage({ what, cpuMs: null });
      const before = process.threadCpuUsage();
      await parser.parse(text, folder);
      const { user, system } = process.threadCpuUsage(before);
      parentPort?.postMessage({ what, cpuMs: (user + system) / 1_000 });
    }
  });
  parentPort?.postMessage({ what: null, cpuMs: null });
});
