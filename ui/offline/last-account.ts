import type { Account } from "@colloquy/schemas/accounts/account.ts";

/** The account that the service reported last, for when the service cannot be reached. */

const key = "colloquy-account";

/** @param account null for nobody: then no account's data opens offline */
export function rememberAccount(account: Account | null): void {
  try {
    if (account) localStorage.setItem(key, JSON.stringify(account));
    else localStorage.removeItem(key);
  } catch {
    // Without storage no account is remembered.
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
