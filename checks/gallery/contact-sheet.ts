import { escapeHtml } from "@colloquy/infra/http/notice-page.ts";
import type { Picture } from "./capture.ts";

const style = `
body { font: 15px/1.5 system-ui, sans-serif; margin: 24px; background: #f4f3f0; color: #222; }
h1, h2, h3 { font-weight: 600; line-height: 1.3; }
h2 { margin: 40px 0 0; } h3 { margin: 20px 0 8px; font-size: 15px; }
.looks { display: flex; gap: 16px; overflow-x: auto; align-items: start; padding-bottom: 8px; }
figure { margin: 0; flex: none; } img { display: block; height: 420px; width: auto; max-width: 700px; object-fit: cover; object-position: top; border: 1px solid #ccc; }
figcaption, li { font-size: 13px; } .bad { color: #a3261c; } ul { margin: 4px 0 0; padding-inline-start: 20px; max-width: 700px; }
`;

/** The contact sheet: every picture by page and state, what is wrong with it below. */
export function contactSheet(pictures: readonly Picture[]): string {
  const pages = Map.groupBy(pictures, ({ page }) => page);
  const wrong = pictures.reduce((sum, { flaws }) => sum + flaws.length, 0);
  const section = (page: string, own: Picture[]) =>
    `<h2 id="${escapeHtml(page)}">${escapeHtml(page)}</h2>${[...Map.groupBy(own, ({ state }) => state)].map(([state, each]) => `<h3>${escapeHtml(state)}</h3><div class="looks">${each.map(figure).join("")}</div>`).join("")}`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gallery</title><style>${style}</style></head><body>
<h1>Gallery</h1><p>${pictures.length} pictures, ${wrong} flaws. ${[...pages.keys()].map((page) => `<a href="#${escapeHtml(page)}">${escapeHtml(page)}</a>`).join(" · ")}</p>
${[...pages].map(([page, own]) => section(page, own)).join("\n")}</body></html>\n`;
}

function figure({ look, file, flaws }: Picture): string {
  const picture = file ? `<a href="${escapeHtml(file)}"><img loading="lazy" src="${escapeHtml(file)}" alt=""></a>` : "";
  const list = flaws.length ? `<ul class="bad">${flaws.map((flaw) => `<li>${escapeHtml(flaw)}</li>`).join("")}</ul>` : "";
  return `<figure>${picture}<figcaption>${escapeHtml(look)}</figcaption>${list}</figure>`;
}
