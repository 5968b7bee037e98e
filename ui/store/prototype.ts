/** Where the prototype kept all conversations in one record. */
export const prototypeKey = "colloquy-conversations";
/** Where what could not be taken over of it stood before it was an account's own: in the storage all accounts of a browser share. */
export const sharedSetAsideKey = "colloquy-conversations-set-aside";

/** Whether the prototype left anything in this browser: the code that takes it over is loaded only then. */
export function hasPrototypeRecord(): boolean {
  try {
    return localStorage.getItem(prototypeKey) !== null || localStorage.getItem(sharedSetAsideKey) !== null;
  } catch {
    // A refused storage has no record.
    return false;
  }
}
