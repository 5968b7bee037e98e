const drawKey = (path: string): string => `colloquy-draw:${path}`;

/** Has a page begin in Draw when it is opened next in this tab. */
export function drawNext(path: string): void {
  try {
    sessionStorage.setItem(drawKey(path), "1");
  } catch {
    // Without storage the page opens to be read.
  }
}

/** Whether a page is to begin in Draw; once. */
export function takeDrawNext(path: string): boolean {
  try {
    const wanted = sessionStorage.getItem(drawKey(path)) !== null;
    if (wanted) sessionStorage.removeItem(drawKey(path));
    return wanted;
  } catch {
    return false;
  }
}
