import type { Account } from "@colloquy/schemas/accounts/account.ts";

/** Whose browser this is, as the service said last: who is there when it cannot be asked. */

const key = "colloquy-account";

/** @param account null for nobody: then nothing of anybody opens without the service */
export function rememberAccount(account: Account | null): void {
  try {
    if (account) localStorage.setItem(key, JSON.stringify(account));
    else localStorage.removeItem(key);
  } catch {
    // A browser that stores nothing remembers nobody.
  }
}

export function rememberedAccount(): Account | null {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Partial<Account> | null;
    return kept && typeof kept.accountId === "string" && typeof kept.name === "string" && Array.isArray(kept.roles)
      ? (kept as Account)
      : null;
  } catch {
    return null;
  }
}
