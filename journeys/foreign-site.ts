import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join } from "node:path";

/** A hostile style sheet. */
const hostileSheet = `
  html { font-size: 40px; }
  :root { --ink: lime; --paper: red; --accent: magenta; --font-ui: cursive; --s4: 80px; }
  * { font-family: "Comic Sans MS", cursive !important; letter-spacing: .3em !important; text-transform: uppercase !important; color: crimson !important;
      line-height: 3 !important; text-align: right; word-spacing: 2em; text-shadow: 2px 2px yellow; border: 3px dashed orange !important; padding: 9px !important; }
  p, h2, h3, a, button, textarea, section, article, li { display: none !important; }
  body { background: #fdd; } #own { display: block !important; } main { display: grid; gap: 24px; max-width: 760px; }
  [part], .frame, .colloquy-frame { visibility: hidden; }
`;

/** The page's own script: a hash router that treats every address as one of its views. */
const router = `
  window.seen = [];
  const show = () => { document.querySelector("#own").textContent = "view " + (location.hash || "#home"); };
  addEventListener("hashchange", show);
  addEventListener("popstate", () => window.seen.push("popstate"));
  for (const name of ["pushState", "replaceState"]) {
    const original = history[name];
    history[name] = function (...given) { window.seen.push(name); return original.apply(this, given); };
  }
  document.addEventListener("click", (event) => { const link = event.target.closest?.("a"); if (link && link.hash) { window.seen.push("link " + link.hash); } });
  window.events = [];
  for (const name of ["ready", "state", "asked", "answered", "made", "scored", "failed", "topic", "progress"])
    document.addEventListener("colloquy-" + name, (event) => window.events.push({ name, tag: event.target.localName, detail: event.detail }));
  addEventListener("DOMContentLoaded", show);
  window.ownKeys = Object.keys(window);
`;

export interface ForeignSite {
  origin: string;
  /** Sets the content of its page: elements, and the scripts that define them. */
  show(page: { service: string; body: string; scripts?: string[] }): void;
  close(): Promise<void>;
}

/**
 * Another site: its own host and port, a strict policy without inline styles, a hostile style sheet and its own router.
 * @param folder additional files, served below `/more/`
 */
export async function foreignSite(folder?: string): Promise<ForeignSite> {
  let policy = "default-src 'none'";
  let page = "";
  const server: Server = createServer(async (request, response) => {
    const path = (request.url ?? "/").split("?")[0] ?? "/";
    const send = (type: string, text: string | Buffer) => response.writeHead(200, { "content-type": type }).end(text);
    const more = path.startsWith("/more/") && folder ? await readFile(join(folder, path.slice("/more/".length))).catch(() => null) : null;
    if (path === "/hostile.css") send("text/css", hostileSheet);
    else if (path === "/router.js") send("text/javascript", router);
    else if (more) send(extname(path) === ".js" ? "text/javascript" : "application/octet-stream", more);
    else if (path !== "/") response.writeHead(404).end();
    else response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy }).end(page);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    // The program is at `localhost`, which is another site for every browser.
    origin: `http://127.0.0.1:${port}`,
    show({ service, body, scripts = [`${service}/embed.js`] }) {
      policy = `default-src 'none'; script-src 'self' ${service}; connect-src ${service}; img-src ${service}; font-src 'self' ${service}; frame-src ${service}; style-src 'self'; base-uri 'none'; form-action 'none'`;
      page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Another site</title>
<link rel="stylesheet" href="/hostile.css"><script src="/router.js"></script>
${scripts.map((src) => `<script type="module" src="${src}"></script>`).join("\n")}</head>
<body><p id="own"></p><main>${body}</main></body></html>`;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
