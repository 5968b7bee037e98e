import { existsSync } from "node:fs";
import { esbuildPlugin } from "@web/dev-server-esbuild";
import { chromeLauncher } from "@web/test-runner-chrome";
import { build } from "esbuild";
import { sheetText } from "./ui/embed/build.ts";

const chromium = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(
  (path) => path && existsSync(path),
);
if (!chromium) throw new Error("The element tests need Chromium: install it (apt-get install chromium) or set CHROMIUM to its path.");

/** highlight.js ships its grammars as CommonJS only; a browser without a bundler needs them as modules. */
const browserModules = {
  name: "browser-modules",
  async serve({ path }) {
    if (!/^\/node_modules\/highlight\.js\/lib\/.*\.js$/.test(path)) return undefined;
    const { outputFiles } = await build({ entryPoints: [`.${path}`], bundle: true, format: "esm", write: false, logLevel: "silent" });
    return { body: outputFiles[0].text, type: "js" };
  },
};

/** Embedded elements import their sheets as text, which their build makes. */
const sheets = {
  name: "sheets",
  async serve({ path }) {
    if (!/^\/ui\/embed\/[\w-]+\.css$/.test(path)) return undefined;
    const { text } = await sheetText(`${process.cwd()}${path}`, "/");
    return { body: `export default ${JSON.stringify(text)};`, type: "js" };
  },
};

/** `SLOWDOWN=4` has every page run as on a device four times slower, as in the journeys. */
const slowdown = Number(process.env.SLOWDOWN ?? 1);
async function createPage({ context }) {
  const page = await context.newPage();
  if (slowdown > 1) await (await page.createCDPSession()).send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  return page;
}

export default {
  files: ["ui/**/*.browser.test.ts"],
  nodeResolve: { exportConditions: ["browser", "production"] },
  plugins: [browserModules, sheets, esbuildPlugin({ ts: true, target: "es2022", tsconfig: "./ui/tsconfig.json" })],
  browsers: [
    chromeLauncher({
      createPage,
      launchOptions: {
        executablePath: chromium,
        args: [
          "--no-sandbox",
          "--disable-dev-shm-usage",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-sync",
          "--no-first-run",
          "--disable-quic",
        ],
      },
    }),
  ],
  // One page at a time: one in the background paints nothing, so what waits for paint waits in vain.
  concurrency: 1,
  testFramework: { config: { timeout: 90_000 } },
  // A busy machine takes long to serve some hundred modules, and to run a file whose tests have minutes each.
  browserStartTimeout: 120_000,
  testsStartTimeout: 120_000,
  testsFinishTimeout: 600_000,
};
