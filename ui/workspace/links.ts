import { clickedLink } from "../controls/link.ts";
import { isCoursePage } from "../courses/paths.ts";
import { type Address, readAddress } from "./address.ts";
import type { Arrangement } from "./arrangement.ts";
import type { Target } from "./layout/target.ts";

/**
 * Opens links within the workspace: course pages and ledgers beside their conversation, links of pages in the page's pane, conversations in
 * a tab. Other clicks are left to the browser.
 * @returns whether the link was opened here
 */
export function openInWorkspace(
  event: MouseEvent,
  arrangement: Arrangement,
  options: { narrow: boolean; carry(address: Address): void },
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
  const address = readAddress(url);
  if (target.kind === "conversation") {
    arrangement.show(target);
    options.carry(address);
    return true;
  }
  const tabId = element(".panel")?.dataset.tab ?? "";
  if (target.kind === "page" && element("colloquy-course-page")) arrangement.follow(tabId, target);
  else if (options.narrow) arrangement.show(target, paneId);
  else arrangement.showBeside(target, paneId);
  return true;
}

/** The target of an address; null if only a page of its own can show it. */
function targetOf(url: URL): Target | null {
  const href = `${url.pathname}${url.search}${url.hash}`;
  if (isCoursePage(href)) return { kind: "page", href, title: "" };
  return url.pathname === "/ai" ? readAddress(url).target : null;
}
