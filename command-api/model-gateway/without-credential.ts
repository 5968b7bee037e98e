/** Takes a credential out of a text that comes in pieces; see `withoutCredential`. */
export interface WithoutCredential {
  /** The text that is certain now, given this next piece. */
  push(piece: string): string;
  end(): string;
}

/** What is shorter is a word that stands where nothing is asked for, and may stand in an answer. */
const leastLength = 16;

/**
 * A service knows its caller's credential and may say it: by mistake, as some repeat it in their errors, or on purpose. Null when there is
 * none to be told.
 */
export function withoutCredential(credential: string | null): WithoutCredential | null {
  if (credential === null || credential.length < leastLength) return null;
  let pending = "";
  return {
    push(piece) {
      pending = (pending + piece).replaceAll(credential, "…");
      let held = Math.min(credential.length - 1, pending.length);
      while (held > 0 && !pending.endsWith(credential.slice(0, held))) held -= 1;
      const certain = pending.slice(0, pending.length - held);
      pending = pending.slice(pending.length - held);
      return certain;
    },
    end() {
      const rest = pending;
      pending = "";
      return rest;
    },
  };
}
