/**
 * On a phone, Back closes what lies over the page: a sheet, a dialog, a menu, a card. Each has an entry of the browser's history of its
 * own for as long as it is open (also where Back is a gesture, and in browsers without `CloseWatcher`). The page's own entries go through
 * here, too, so that the two never mix: an entry that a sheet had becomes the one of what was chosen in it.
 */
interface Mark {
  /** Names the entry that lies beneath all of them. */
  base: string;
  /** 0 is that entry itself. */
  depth: number;
}

const phone = matchMedia("(max-width: 760px)");
/** Whether this page has taken it on. An element in a foreign page leaves that page's history alone. */
let takenOn = false;
/** What is open, the topmost last. */
let layers: HTMLElement[] = [];
/** What the page says of where it is; kept for when an entry has been left already. */
let said: { state: object | null; href: string } = { state: null, href: "" };
/** The entries that lie over each other where we are. */
let here: Mark | null = null;
/** Entries of closed layers are being left: that takes the browser a moment, and what is said in between waits. */
let leaving = false;
let waiting: (() => void)[] = [];

const isOpen = (layer: HTMLElement): boolean =>
  layer.isConnected && (layer instanceof HTMLDialogElement ? layer.open : layer.matches(":popover-open"));

/** Takes on that Back closes what is open, until the signal says that the page is over. Call it before listening to `popstate`. */
export function takeOnBack(signal: AbortSignal): void {
  takenOn = true;
  note();
  window.addEventListener("popstate", arrived, { signal, capture: true });
  // Come back from the browser's cache: nothing is on its way any more.
  window.addEventListener("pageshow", (event) => event.persisted && goOn(), { signal });
  phone.addEventListener("change", () => settle(), { signal });
  signal.addEventListener("abort", () => {
    takenOn = leaving = false;
    [layers, waiting] = [[], []];
  });
  settle();
}

/** From here on, Back closes this dialog or popover, which was just opened. Only on a phone, and where the page has taken it on. */
export function closeOnBack(layer: HTMLElement): void {
  if (!takenOn || !phone.matches || !isOpen(layer) || layers.includes(layer)) return;
  layers.push(layer);
  const closed = (event: Event): void => {
    if (event.type === "beforetoggle" && (event as ToggleEvent).newState === "open") return;
    layer.removeEventListener("close", closed);
    layer.removeEventListener("beforetoggle", closed);
    layers = layers.filter((other) => other !== layer);
    // Not at once: what closes one thing may open the next.
    queueMicrotask(settle);
  };
  layer.addEventListener("close", closed);
  if (!(layer instanceof HTMLDialogElement)) layer.addEventListener("beforetoggle", closed);
  settle();
}

/** Whether something lies over the page that Back would close. */
export const hasOverlay = (): boolean => layers.some(isOpen);

/** Opens a dialog over everything else. On a phone Back closes it, as its own ways do. */
export function openOver(dialog: HTMLDialogElement): void {
  dialog.showModal();
  closeOnBack(dialog);
}

/** A new entry of the browser's history. What was chosen in a sheet takes the place of the sheet's. */
export function pushEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => pushEntry(state, href));
  if (here && here.depth > 0) history.replaceState(state, "", href);
  else history.pushState(state, "", href);
  note();
}

/** The same entry says something else. */
export function replaceEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => replaceEntry(state, href));
  history.replaceState({ ...state, ...(here && { over: here }) }, "", href);
  note();
}

/** Resolves when no entry is being left any more: only then may the page be. */
export function whenSettled(): Promise<void> {
  // After what closes with the same press.
  return new Promise((resolve) =>
    queueMicrotask(() => {
      if (leaving) waiting.push(resolve);
      else resolve();
    }),
  );
}

function note(): void {
  said = { state: history.state as object | null, href: location.href };
  here = markOf(history.state);
}

function markOf(state: unknown): Mark | null {
  const { base, depth } = ((state as { over?: Partial<Mark> } | null)?.over ?? {}) as Partial<Mark>;
  return typeof base === "string" && typeof depth === "number" ? { base, depth } : null;
}

/** As many entries as there are open layers: new ones are made, those that are too many are left. */
function settle(): void {
  if (leaving || !takenOn) return;
  layers = layers.filter(isOpen);
  const depth = here?.depth ?? 0;
  if (layers.length < depth) {
    leaving = true;
    history.go(layers.length - depth);
    return;
  }
  for (let next = depth + 1; next <= layers.length; next += 1) {
    const base = here?.base ?? crypto.randomUUID();
    if (!here) history.replaceState({ ...said.state, over: { base, depth: 0 } }, "", said.href);
    history.pushState({ ...said.state, over: { base, depth: next } }, "", said.href);
    note();
  }
}

function arrived(event: PopStateEvent): void {
  const mark = markOf(event.state);
  if (mark && mark.base === here?.base) {
    // The page is where it was, whatever it said meanwhile; only layers are left.
    event.stopImmediatePropagation();
    history.replaceState({ ...said.state, over: mark }, "", said.href);
    if (!leaving) close(mark.depth);
  } else close(0);
  note();
  goOn();
}

/** Closes all but so many layers, as Escape would: one that cannot be closed now stays. */
function close(keep: number): void {
  for (const layer of layers.slice(keep).reverse())
    if (!(layer instanceof HTMLDialogElement)) layer.hidePopover();
    else if (layer.dispatchEvent(new Event("cancel", { cancelable: true }))) layer.close();
}

function goOn(): void {
  leaving = false;
  for (const go of waiting.splice(0)) go();
  settle();
}
