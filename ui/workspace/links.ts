import { clickedLink } from "../controls/link.ts";
import { isCoursePage } from "../courses/paths.ts";
import { readAddress } from "./address.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Target } from "./layout/target.ts";

/**
 * Opens the links of a workspace in it: a page of a course or a ledger beside the conversation that points to it, a page in the pane of
 * the page that does; a conversation in a tab. Every other click is the browser's, so each link can be opened elsewhere and copied.
 * @returns whether the link was opened here
 */
export function openInWorkspace(
  event: MouseEvent,
  arrangement: Arrangement,
  options: { narrow: boolean; carry(page: string): void },
): boolean {
  const link = clickedLink(event);
  if (!link) return false;
  const path = event.composedPath();
  const url = new URL(link.href);
  const target = targetOf(url);
  const element = (selector: string) => path.find((node): node is HTMLElement => node instanceof HTMLElement && node.matches(selector));
  const paneId = element("section.pane")?.dataset.pane;
  if (!target || !paneId) return false;
  event.preventDefault();
  const { page } = readAddress(url);
  if (target.kind === "conversation") {
    arrangement.show(target);
    if (page) options.carry(page);
    return true;
  }
  const tabId = element(".panel")?.dataset.tab ?? "";
  if (target.kind === "page" && element("colloquy-course-page")) arrangement.follow(tabId, target);
  else if (options.narrow) arrangement.show(target, paneId);
  else arrangement.showBeside(target, paneId);
  return true;
}

/** What an address of this site stands for in a workspace; null for what only a page of its own can show. */
function targetOf(url: URL): Target | null {
  const href = `${url.pathname}${url.search}${url.hash}`;
  if (isCoursePage(href)) return { kind: "page", href, title: "" };
  return url.pathname === "/ai" ? readAddress(url).target : null;
}
