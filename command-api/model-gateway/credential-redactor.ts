/** Removes a credential from a stream of text; see `credentialRedactor`. */
export interface CredentialRedactor {
  /** Adds a chunk; returns the text that later chunks cannot change. */
  push(piece: string): string;
  end(): string;
}

/** A shorter credential is a placeholder of a service without authentication, and can be an ordinary word. */
const leastLength = 16;

/**
 * A service knows the credential and can repeat it in its output, by mistake or on purpose. Null without a secret credential.
 */
export function credentialRedactor(credential: string | null): CredentialRedactor | null {
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
