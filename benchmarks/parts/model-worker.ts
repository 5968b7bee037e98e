import { parentPort } from "node:worker_threads";
import { type Script, startScriptedServer } from "@colloquy/command-api/model-gateway/scripted-server.ts";

/** A scripted model server on a thread of its own: what measures it must not slow it down. Told scripts, it tells its address once. */
const server = await startScriptedServer({ kind: "stream", words: ["Fine."] });
parentPort?.on("message", (script: Script) => {
  server.script(script);
  server.requests.length = 0;
  parentPort?.postMessage(server.url);
});
// What was asked is not looked at, and must not pile up.
setInterval(() => {
  server.requests.length = 0;
}, 200);
