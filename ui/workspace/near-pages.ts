import type { ReferenceResult } from "@colloquy/schemas/sources/references.ts";
import type { Api } from "../api/client.ts";
import { isCoursePage } from "../courses/paths.ts";
import { openPagePaths } from "../store/locks.ts";

const mostPages = 8;

/** Course pages to suggest: the one that led here, then those open in panes, then those open in other browser tabs. */
export class NearPages {
  pages: ReferenceResult[] = [];
  readonly #api: Pick<Api, "source">;
  readonly #changed: () => void;
  readonly #known = new Map<string, Promise<ReferenceResult | null>>();
  readonly #came: string[] = [];
  #beside: string[] = [];
  #attached: string[] = [];

  constructor(api: Pick<Api, "source">, changed: () => void) {
    this.#api = api;
    this.#changed = changed;
    const from = document.referrer && new URL(document.referrer);
    if (from && from.origin === location.origin) this.addReferrer(from.pathname);
  }

  /** Adds the page that led here. */
  addReferrer(path: string): void {
    if (isCoursePage(path)) this.#came.unshift(path);
  }

  /** Sets the pages open in panes, visible ones first, and the addresses of attached sources, which may be earlier ones of these pages. */
  setOpenPages(paths: string[], attached: string[]): void {
    if (`${paths} ${attached}` === `${this.#beside} ${this.#attached}`) return;
    this.#beside = paths;
    this.#attached = attached;
    void this.refresh();
  }

  /** Finds the open pages. Unknown paths are left out; failed requests are retried next time. */
  async refresh(): Promise<void> {
    const paths = [...new Set([...this.#came, ...this.#beside, ...(await openPagePaths())])].slice(0, mostPages);
    const places = await this.#resolveAll([...paths, ...this.#attached]);
    const pages = new Map(paths.flatMap((path) => places.get(path) ?? []).map((page) => [page.href, page]));
    // Attached already, under an address from before it moved.
    for (const path of this.#attached) {
      const page = places.get(path);
      if (page && page.href !== path) pages.delete(page.href);
    }
    const before = `${this.pages.map(({ href }) => href)}`;
    this.pages = [...pages.values()];
    if (before !== `${[...pages.keys()]}`) this.#changed();
  }

  /** Where these addresses lead in one revision of each course: a course may have been published since some of them were resolved. */
  async #resolveAll(paths: readonly string[]): Promise<Map<string, ReferenceResult | null>> {
    const all = async () => new Map(await Promise.all(paths.map(async (path) => [path, await this.#resolve(path)] as const)));
    const first = [...(await all())];
    for (const [path, page] of first)
      if (first.some(([, other]) => page && other?.courseId === page.courseId && other.revisionId !== page.revisionId))
        this.#known.delete(path);
    return all();
  }

  #resolve(path: string): Promise<ReferenceResult | null> {
    const known =
      this.#known.get(path) ??
      this.#api.source(path).catch(() => {
        this.#known.delete(path);
        return null;
      });
    this.#known.set(path, known);
    return known;
  }
}
