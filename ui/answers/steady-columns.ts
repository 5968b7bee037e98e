/** From so many rows on a growing table keeps its columns. */
const fewRows = 12;

interface Kept {
  rule: string;
  /** How wide what the table stands in was, in pixels. */
  room: number;
  /** Rows that were looked at: all of them fit. */
  rows: number;
}

let named = 0;

/**
 * Keeps the columns of a long table where they are while it grows. A browser that may choose the widths weighs every cell again at each
 * new word, and moves what is being read. The widths are those it chose for the rows so far; a word that does not fit has them chosen anew,
 * and so has another width of the page. They stand in a sheet of their own, so that the table's HTML is the same as without them.
 */
export class SteadyColumns {
  readonly #container: HTMLElement;
  readonly #sheet = new CSSStyleSheet();
  readonly #kept = new Map<HTMLTableElement, Kept>();
  readonly #grown = new Set<HTMLTableElement>();
  readonly #due = new Set<HTMLTableElement>();
  readonly #sizes = new ResizeObserver((entries) => this.#resized(entries));
  #root: DocumentOrShadowRoot | null = null;
  #frame = 0;

  /** @param container what the tables stand in, each in an element of its own */
  constructor(container: HTMLElement) {
    this.#container = container;
  }

  /** A table has this many rows now. */
  grew(table: HTMLTableElement, rows: number): void {
    if (rows >= fewRows && !this.#grown.has(table)) {
      this.#grown.add(table);
      this.#sizes.observe(table);
    }
  }

  end(): void {
    cancelAnimationFrame(this.#frame);
    this.#sizes.disconnect();
    if (this.#root) this.#root.adoptedStyleSheets = this.#root.adoptedStyleSheets.filter((sheet) => sheet !== this.#sheet);
    this.#root = null;
  }

  /** Told after the layout, when asking for sizes costs nothing; what follows from them waits for the next frame. */
  #resized(entries: readonly ResizeObserverEntry[]): void {
    for (const { target } of entries) if (!this.#fits(target as HTMLTableElement)) this.#due.add(target as HTMLTableElement);
    if (!this.#due.size) return;
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      for (const table of this.#due) this.#fit(table);
      this.#due.clear();
    });
  }

  #fits(table: HTMLTableElement): boolean {
    const kept = this.#kept.get(table);
    if (!kept || kept.room !== roomOf(table)) return false;
    const rows = [...(table.tBodies[0]?.rows ?? [])];
    const fit = rows.slice(kept.rows).every((row) => [...row.cells].every((cell) => cell.scrollWidth <= cell.clientWidth + 1));
    // The last row is still being written.
    kept.rows = Math.max(0, rows.length - 1);
    return fit;
  }

  #fit(table: HTMLTableElement): void {
    this.#kept.delete(table);
    this.#write();
    const at = [...this.#container.children].indexOf(table.parentElement as Element);
    if (at < 0 || !table.isConnected) {
      this.#sizes.unobserve(table);
      this.#grown.delete(table);
      return;
    }
    const path = `[data-columns="${this.#name()}"] > :nth-child(${at + 1}) > table`;
    const wide = (element: Element) => `inline-size: ${element.getBoundingClientRect().width}px`;
    const columns = [...(table.tHead?.rows[0]?.cells ?? [])].map(
      (cell, index) => `${path} > thead > tr > :nth-child(${index + 1}) { ${wide(cell)} }`,
    );
    const rule = `${path} { table-layout: fixed; ${wide(table)} } ${columns.join(" ")}`;
    this.#kept.set(table, { rule, room: roomOf(table), rows: 0 });
    this.#write();
  }

  #name(): string {
    this.#container.dataset.columns ??= String(++named);
    return this.#container.dataset.columns;
  }

  #write(): void {
    if (!this.#root) {
      this.#root = this.#container.getRootNode() as Document | ShadowRoot;
      this.#root.adoptedStyleSheets.push(this.#sheet);
    }
    this.#sheet.replaceSync([...this.#kept.values()].map(({ rule }) => rule).join("\n"));
  }
}

const roomOf = (table: HTMLTableElement): number => table.parentElement?.clientWidth ?? 0;
