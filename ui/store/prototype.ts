/** The prototype's storage key: all conversations in one record. */
export const prototypeKey = "colloquy-conversations";
/** Set-aside entries of an earlier version, in storage that all accounts of a browser share. */
export const sharedSetAsideKey = "colloquy-conversations-set-aside";

/** Whether the prototype left data in this browser. The migration is loaded only then. */
export function hasPrototypeRecord(): boolean {
  try {
    return localStorage.getItem(prototypeKey) !== null || localStorage.getItem(sharedSetAsideKey) !== null;
  } catch {
    // Storage may be refused.
    return false;
  }
}
