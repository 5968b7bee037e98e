import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { build, stop } from "esbuild";

const home = fileURLToPath(new URL("../..", import.meta.url));

/** A page of the interface's own sources, in the product's looks, on an address of its own. */
export interface ServedPage {
  url: string;
  close(): Promise<void>;
}

/** Serves `/` (and whatever path has no dot) with the bundled script; isolated, so that the page's clock is exact to 5 µs. */
export async function servePage(source: string): Promise<ServedPage> {
  const [script = "", sheet = ""] = await Promise.all([bundle(source), bundle("benchmarks/rendering/page.css")]);
  const page =
    '<!doctype html><html lang="en"><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/page.css"><script type="module" src="/page.js"></script><body></body></html>';
  const files: Record<string, [type: string, body: string]> = {
    "/page.js": ["text/javascript", script],
    "/page.css": ["text/css", sheet],
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? "").split("?")[0] ?? "";
    const [type, body] = path.includes(".") ? (files[path] ?? []) : ["text/html", page];
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": `${type ?? "text/plain"}; charset=utf-8`,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-embedder-policy": "require-corp",
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}/`,
    async close() {
      server.close();
      await stop();
    },
  };
}

async function bundle(source: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [source],
    absWorkingDir: home,
    bundle: true,
    format: "esm",
    target: "es2022",
    minify: true,
    write: false,
    tsconfig: "ui/tsconfig.json",
    loader: { ".woff2": "dataurl", ".woff": "dataurl", ".ttf": "dataurl" },
    external: ["mermaid"],
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  });
  return outputFiles[0]?.text ?? "";
}
