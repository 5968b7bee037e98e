import { parentPort } from "node:worker_threads";
import { type Script, startScriptedServer } from "@colloquy/command-api/model-gateway/scripted-server.fixture.ts";

/** A scripted model server on a thread of its own, so that the measuring thread does not slow it down. Posts its address once per script. */
const server = await startScriptedServer({ kind: "stream", words: ["Fine."] });
parentPort?.on("message", (script: Script) => {
  server.script(script);
  parentPort?.postMessage(server.url);
});
// The recorded requests are not used and would fill the memory.
setInterval(() => {
  server.requests.length = 0;
}, 200);
