/**
 * On a phone, Back closes what lies over the page: a sheet, a dialog, a menu, a card. Each has an entry of the browser's history of its
 * own for as long as it is open (also where Back is a gesture, and in browsers without `CloseWatcher`). The page's own entries go through
 * here, too, so that the two never mix: an entry that a sheet had becomes the one of what was chosen in it.
 */
interface OverlayEntry {
  /** Names the entry that lies beneath all of them. */
  base: string;
  /** 0 is that entry itself. */
  depth: number;
}

const phone = matchMedia("(max-width: 760px)");
/** Whether this page has taken it on. An element in a foreign page leaves that page's history alone. */
let isEnabled = false;
/** What is open, the topmost last. */
let layers: HTMLElement[] = [];
/** What the page says of where it is; kept for when an entry has been left already. */
let pageEntry: { state: object | null; href: string } = { state: null, href: "" };
/** The entries that lie over each other where we are. */
let current: OverlayEntry | null = null;
/** Entries of closed layers are being left: that takes the browser a moment, and what is said in between waits. */
let leaving = false;
let waiting: (() => void)[] = [];

const isOpen = (layer: HTMLElement): boolean =>
  layer.isConnected && (layer instanceof HTMLDialogElement ? layer.open : layer.matches(":popover-open"));

/** Takes on that Back closes what is open, until the signal says that the page is over. Call it before listening to `popstate`. */
export function handleBackButton(signal: AbortSignal): void {
  isEnabled = true;
  readHistory();
  window.addEventListener("popstate", onPopState, { signal, capture: true });
  // Come back from the browser's cache: nothing is on its way any more.
  window.addEventListener("pageshow", (event) => event.persisted && resumeWaiting(), { signal });
  phone.addEventListener("change", () => syncEntries(), { signal });
  signal.addEventListener("abort", () => {
    isEnabled = leaving = false;
    [layers, waiting] = [[], []];
  });
  syncEntries();
}

/** From here on, Back closes this dialog or popover, which was just opened. Only on a phone, and where the page has taken it on. */
export function closeOnBack(layer: HTMLElement): void {
  if (!isEnabled || !phone.matches || !isOpen(layer) || layers.includes(layer)) return;
  layers.push(layer);
  const closed = (event: Event): void => {
    if (event.type === "beforetoggle" && (event as ToggleEvent).newState === "open") return;
    layer.removeEventListener("close", closed);
    layer.removeEventListener("beforetoggle", closed);
    layers = layers.filter((other) => other !== layer);
    // Not at once: what closes one thing may open the next.
    queueMicrotask(syncEntries);
  };
  layer.addEventListener("close", closed);
  if (!(layer instanceof HTMLDialogElement)) layer.addEventListener("beforetoggle", closed);
  syncEntries();
}

/** Whether something lies over the page that Back would close. */
export const hasOverlay = (): boolean => layers.some(isOpen);

/** Opens a dialog over everything else. On a phone Back closes it, as its own ways do. */
export function openModal(dialog: HTMLDialogElement): void {
  dialog.showModal();
  closeOnBack(dialog);
}

/** A new entry of the browser's history. What was chosen in a sheet takes the place of the sheet's. */
export function pushEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => pushEntry(state, href));
  if (current && current.depth > 0) history.replaceState(state, "", href);
  else history.pushState(state, "", href);
  readHistory();
}

/** The same entry says something else. */
export function replaceEntry(state: object, href: string): void {
  if (leaving) return void waiting.push(() => replaceEntry(state, href));
  history.replaceState({ ...state, ...(current && { over: current }) }, "", href);
  readHistory();
}

/** Resolves when no entry is being left any more: only then may the page be. */
export function whenHistorySettled(): Promise<void> {
  // After what closes with the same press.
  return new Promise((resolve) =>
    queueMicrotask(() => {
      if (leaving) waiting.push(resolve);
      else resolve();
    }),
  );
}

function readHistory(): void {
  pageEntry = { state: history.state as object | null, href: location.href };
  current = overlayEntryOf(history.state);
}

function overlayEntryOf(state: unknown): OverlayEntry | null {
  const { base, depth } = ((state as { over?: Partial<OverlayEntry> } | null)?.over ?? {}) as Partial<OverlayEntry>;
  return typeof base === "string" && typeof depth === "number" ? { base, depth } : null;
}

/** As many entries as there are open layers: new ones are made, those that are too many are left. */
function syncEntries(): void {
  if (leaving || !isEnabled) return;
  layers = layers.filter(isOpen);
  const depth = current?.depth ?? 0;
  if (layers.length < depth) {
    leaving = true;
    history.go(layers.length - depth);
    return;
  }
  for (let next = depth + 1; next <= layers.length; next += 1) {
    const base = current?.base ?? crypto.randomUUID();
    if (!current) history.replaceState({ ...pageEntry.state, over: { base, depth: 0 } }, "", pageEntry.href);
    history.pushState({ ...pageEntry.state, over: { base, depth: next } }, "", pageEntry.href);
    readHistory();
  }
}

function onPopState(event: PopStateEvent): void {
  const mark = overlayEntryOf(event.state);
  if (mark && mark.base === current?.base) {
    // The page is where it was, whatever it said meanwhile; only layers are left.
    event.stopImmediatePropagation();
    history.replaceState({ ...pageEntry.state, over: mark }, "", pageEntry.href);
    if (!leaving) closeLayers(mark.depth);
  } else closeLayers(0);
  readHistory();
  resumeWaiting();
}

/** Closes all but so many layers, as Escape would: one that cannot be closed now stays. */
function closeLayers(keep: number): void {
  for (const layer of layers.slice(keep).reverse())
    if (!(layer instanceof HTMLDialogElement)) layer.hidePopover();
    else if (layer.dispatchEvent(new Event("cancel", { cancelable: true }))) layer.close();
}

function resumeWaiting(): void {
  leaving = false;
  for (const go of waiting.splice(0)) go();
  syncEntries();
}
