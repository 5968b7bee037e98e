import { lookAttributes, lookCookie, readLook } from "@colloquy/schemas/pages/look.ts";
import { keptPage, keptPaths } from "./kept-pages.ts";

/** The page shown instead of one that is not available offline: lists the kept pages, and reloads once there is a connection. */

/** Most kept pages that are listed. */
const shown = 24;

const cookie = document.cookie.split("; ").find((entry) => entry.startsWith(`${lookCookie}=`));
for (const [name, value] of lookAttributes(readLook(cookie?.slice(lookCookie.length + 1))))
  if (value) document.documentElement.setAttribute(name, value);

document.querySelector("[data-action='again']")?.addEventListener("click", () => location.reload());
addEventListener("online", () => location.reload());
void listKept();

async function listKept(): Promise<void> {
  const section = document.querySelector<HTMLElement>(".kept");
  const list = section?.querySelector("ul");
  if (!section || !list) return;
  const pages = await Promise.all((await keptPaths()).slice(0, shown).map(async (path) => ({ path, title: await titleOf(path) })));
  for (const { path, title } of pages.filter(({ title }) => title)) {
    const [name = "", ...within] = title.split(" · ");
    const link = Object.assign(document.createElement("a"), { href: path, textContent: name });
    const item = document.createElement("li");
    item.append(link);
    if (within.length > 0) link.append(Object.assign(document.createElement("small"), { textContent: within.join(" · ") }));
    list.append(item);
  }
  section.hidden = list.children.length === 0;
}

/** A kept page's title, without the site's name. */
async function titleOf(path: string): Promise<string> {
  const text = (await (await keptPage(path))?.text()) ?? "";
  const page = new DOMParser().parseFromString(text.slice(0, text.indexOf("</head>") + 7), "text/html");
  return page.title.replace(/ · Colloquy$/, "");
}
