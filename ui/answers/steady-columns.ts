/** From this many rows on, a growing table keeps its column widths. */
const fewRows = 12;

interface Kept {
  rule: string;
  /** Width of the table's container, in pixels. */
  room: number;
  /** Rows that were checked to fit. */
  rows: number;
}

let named = 0;

/**
 * Keeps the column widths of a long table while it grows; otherwise the browser recomputes them with every word and moves what is being
 * read. Widths are measured again when a cell does not fit or the container is resized. They are in a style sheet of their own, so that the
 * table's HTML stays the same.
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

  /** @param container the element whose children each contain a table */
  constructor(container: HTMLElement) {
    this.#container = container;
  }

  /** Reports a table's number of rows. */
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

  /** Runs after layout, when measuring is cheap; changes wait for the next frame. */
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
