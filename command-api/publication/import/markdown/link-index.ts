import type { DraftTopic } from "./draft.ts";
import { decoded, joinPath } from "./folder.ts";
import type { AnchorTarget, Page } from "./page.ts";
import { gitHubId, pandocId, plainAnchor } from "./slugs.ts";

export interface LinkRules {
  /** Where the course is published now; links to pages there become links within the course. */
  site?: string | undefined;
  /** Pages a written path may mean when no page lies exactly there. */
  otherPages?(path: string): string[];
  /** The public address of a file that is no page, or null. */
  fileAddress?(file: string): string | null;
}

interface LinkIndex {
  /** The address a link of a page gets, or null when it leads nowhere; what had to be changed is reported. */
  resolve(page: Page, href: string, line: number): string | null;
  /** The headings that links lead to, by page. */
  linked: Map<Page, Set<number>>;
}

/** Resolves links between the pages of a course, once all pages are read and have their ids. */
export function createLinkIndex(topics: readonly { topic: DraftTopic; id: string }[], rules: LinkRules): LinkIndex {
  const byFile = new Map(topics.map((entry) => [entry.topic.page.file.toLowerCase(), entry]));
  const linked = new Map<Page, Set<number>>();
  const site = rules.site?.replace(/\/+$/, "").replace(/^http:/, "https:");

  function pageAt(path: string): { topic: DraftTopic; id: string } | undefined {
    const bare = path.replace(/\/+$/, "");
    const stem = bare.replace(/\.(?:html?|md|rmd|markdown)$/i, "");
    const near = [
      bare,
      `${stem}.md`,
      `${stem}.Rmd`,
      `${bare}/index.md`,
      `${bare}/README.md`,
      `${stem.replace(/(^|\/)index$/i, "$1README")}.md`,
    ];
    for (const candidate of [...near, ...(rules.otherPages?.(stem) ?? [])]) {
      const found = byFile.get(candidate.toLowerCase());
      if (found) return found;
    }
    return undefined;
  }

  function hrefOf(entry: { topic: DraftTopic; id: string }, target: AnchorTarget | null): string {
    const to = `topic:${entry.id}`;
    if (!target || target.kind === "top") return to;
    if (target.kind === "block") return target.block.id ? `${to}#${target.block.id}` : to;
    const { page } = entry.topic;
    const set = linked.get(page) ?? new Set();
    linked.set(page, set.add(target.heading));
    return `${to}#${page.headings[target.heading]?.id ?? ""}`;
  }

  function anchorOf(page: Page, written: string): AnchorTarget | null {
    const wanted = decoded(written);
    for (const form of [
      wanted,
      wanted.toLowerCase(),
      gitHubId(wanted),
      pandocId(wanted),
      wanted.replaceAll("_", "-"),
      plainAnchor(wanted),
    ]) {
      const found = page.anchors.get(form);
      if (found) return found;
    }
    return null;
  }

  function toPage(from: Page, entry: { topic: DraftTopic; id: string }, anchor: string, line: number): string | null {
    const target = anchor ? anchorOf(entry.topic.page, anchor) : null;
    if (anchor && !target) {
      if (entry.topic.page === from) {
        from.note(line, `a link to #${anchor}, which is not on the page`, "its text is kept without the link");
        return null;
      }
      from.note(line, `a link to #${anchor} on ${entry.topic.page.file}, which is not there`, "it leads to the page instead");
    }
    return hrefOf(entry, target);
  }

  return {
    linked,
    resolve(page, href, line) {
      const here = byFile.get(page.file.toLowerCase());
      const [beforeHash = "", anchor = ""] = href.split(/#(.*)/s);
      if (!beforeHash) {
        if (here && anchor) return toPage(page, here, anchor, line);
        page.note(line, "a link without an address", "its text is kept without the link");
        return null;
      }
      const absolute = beforeHash.replace(/^http:/i, "https:");
      if (site && (absolute === site || absolute.startsWith(`${site}/`))) {
        const path = decoded(absolute.slice(site.length + 1).replace(/\?.*$/s, ""));
        const entry = pageAt(path || "index");
        return entry ? toPage(page, entry, anchor, line) : href;
      }
      if (/^(?:https?:\/\/|mailto:)/i.test(beforeHash)) return href;
      if (/^[a-z][a-z0-9+.-]*:/i.test(beforeHash) || beforeHash.startsWith("//")) {
        if (beforeHash.startsWith("//")) return `https:${href}`;
        page.note(line, `a link to ${href.slice(0, 200)}, which is no web address`, "its text is kept without the link");
        return null;
      }
      const path = joinPath(page.file, decoded(beforeHash.replace(/\?.*$/s, "")));
      const entry = path === null ? undefined : pageAt(path);
      if (entry) return toPage(page, entry, anchor, line);
      const address = path === null ? null : (rules.fileAddress?.(path) ?? null);
      page.note(
        line,
        `a link to ${decoded(beforeHash)}, which is no page of the course`,
        address ? `it leads to ${address}` : "its text is kept without the link",
      );
      return address;
    },
  };
}
