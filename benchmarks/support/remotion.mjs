// Run in a folder where Remotion is installed: bundles film.jsx and renders it; prints the milliseconds of the rendering alone.
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder = "", browserExecutable = "", concurrency = "1"] = process.argv.slice(2);
const { resolve } = createRequire(join(folder, "package.json"));
const load = async (name) => {
  const loaded = await import(pathToFileURL(resolve(name)).href);
  return loaded.default ?? loaded;
};
const { bundle } = await load("@remotion/bundler");
const { renderMedia, selectComposition } = await load("@remotion/renderer");
const serveUrl = await bundle({ entryPoint: join(folder, "film.jsx") });
const options = { serveUrl, browserExecutable, chromeMode: "chrome-for-testing", logLevel: "error" };
const composition = await selectComposition({ ...options, id: "film" });
const begun = performance.now();
await renderMedia({
  ...options,
  composition,
  codec: "h264",
  muted: true,
  concurrency: Number(concurrency),
  outputLocation: join(folder, "film.mp4"),
});
console.log(JSON.stringify({ milliseconds: performance.now() - begun }));
process.exit(0);
