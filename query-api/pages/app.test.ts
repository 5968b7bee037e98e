import { readFileSync } from "node:fs";
import { readConfig } from "@colloquy/infra/config.ts";
import { createApp, listen } from "@colloquy/infra/http/app.ts";
import { closeServer } from "@colloquy/infra/process/http-server.ts";
import { createLog } from "@colloquy/infra/telemetry/log.ts";
import { translatorFor } from "@colloquy/messages/translators.ts";
import { languageNames } from "@colloquy/schemas/languages.ts";
import { expect } from "chai";
import { appRoutes, manifestPath, paperColours } from "./app.ts";
import { html } from "./html.ts";
import { htmlPage } from "./shell.ts";

interface Icon {
  src: string;
  sizes: string;
  type: string;
  purpose?: string;
}
interface Manifest {
  start_url: string;
  scope: string;
  theme_color: string;
  lang: string;
  dir: string;
  icons: Icon[];
  shortcuts: { name: string; url: string; icons: Icon[] }[];
}

describe("the installable app", () => {
  let base = "";
  let close: () => Promise<void>;
  before(async () => {
    const config = readConfig({ LOG_LEVEL: "silent" });
    const { server, port } = await listen(createApp({ config, log: createLog("test", config), routers: [appRoutes()] }), 0);
    base = `http://127.0.0.1:${port}`;
    close = () => closeServer(server);
  });
  after(() => close());
  const manifest = async (path: string) => (await (await fetch(base + path)).json()) as Manifest;

  it("has a manifest with its own media type, cached for an hour", async () => {
    const response = await fetch(base + manifestPath("en"));
    expect(response.headers.get("content-type")).to.match(/^application\/manifest\+json/);
    expect(response.headers.get("cache-control")).to.equal("public, max-age=3600");
    expect(await response.json()).to.include({ name: "Colloquy", start_url: "/ai", scope: "/", theme_color: paperColours.light });
  });

  it("names its shortcuts in the language that the page asks for", async () => {
    for (const language of languageNames) {
      const { msg } = translatorFor(language);
      const { shortcuts, lang, dir } = await manifest(manifestPath(language));
      expect(shortcuts.map(({ name, url }) => [name, url])).to.deep.equal([
        [msg("common.review"), "/review"],
        [msg("common.courses"), "/courses"],
      ]);
      expect([lang, dir]).to.deep.equal([language, language === "ar" ? "rtl" : "ltr"]);
    }
    expect((await manifest("/app.webmanifest")).lang).to.equal("en");
    expect((await fetch(`${base}/app.webmanifest?language=xx`)).status).to.equal(400);
  });

  it("has icons of the sizes that the manifest names", async () => {
    const { icons, shortcuts } = await manifest(manifestPath("en"));
    expect(icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`)).to.have.members([
      "192x192 any",
      "512x512 any",
      "192x192 maskable",
      "512x512 maskable",
    ]);
    for (const { src, sizes, type } of [...icons, ...shortcuts.flatMap((shortcut) => shortcut.icons)]) {
      const response = await fetch(base + src);
      expect([response.headers.get("content-type"), response.headers.get("cache-control")]).to.deep.equal([type, "public, max-age=86400"]);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, src).to.equal(sizes);
    }
  });

  it("has no other icons", async () => {
    for (const name of ["app-64.png", "..%2fapp.ts", "__proto__"])
      expect((await fetch(`${base}/icons/${name}`)).status, name).to.equal(404);
  });

  it("is linked by every page, in the page's language", () => {
    for (const language of languageNames) {
      const built = { version: "1", scripts: {}, sheets: {}, messages: {}, preloadFonts: [], files: {} };
      const page = htmlPage(built, { translator: translatorFor(language), title: "", bodyClass: "", sheets: [], body: html`` });
      expect(page).to.include(`<link rel="manifest" href="/app.webmanifest?language=${language}">`);
      expect(page).to.include('<link rel="apple-touch-icon" href="/icons/maskable-192.png">');
    }
  });

  it("takes its colours from the paper of light and dark pages", () => {
    const tokens = readFileSync(new URL("../../ui/theme/tokens.css", import.meta.url), "utf8");
    const [, ...values] = /--paper: light-dark\(oklch\(([^)]+)\), oklch\(([^)]+)\)\)/.exec(tokens) ?? [];
    expect(values.map(srgbOf)).to.deep.equal([paperColours.light, paperColours.dark]);
  });
});

/** The hexadecimal sRGB value of `L% C H`, by the formulas of CSS Color 4. */
function srgbOf(oklch: string): string {
  const [lightness = 0, chroma = 0, hue = 0] = oklch.split(" ").map(Number.parseFloat);
  const radians = (hue * Math.PI) / 180;
  const [a, b] = [chroma * Math.cos(radians), chroma * Math.sin(radians)];
  const l = (lightness / 100 + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness / 100 - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness / 100 - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const linear = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
  const hex = linear.map((value) => {
    const encoded = value <= 0.0031308 ? 12.92 * value : 1.055 * value ** (1 / 2.4) - 0.055;
    return Math.round(255 * Math.min(1, Math.max(0, encoded)))
      .toString(16)
      .padStart(2, "0");
  });
  return `#${hex.join("")}`;
}
