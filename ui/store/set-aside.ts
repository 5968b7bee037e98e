import type { AccountStore } from "./account-store.ts";
import { sharedSetAsideKey } from "./prototype.ts";
import type { SetAside } from "./prototype-record.ts";

/** Entries of the prototype's record that could not be migrated. They belong to the account and are deleted with its data. */
export async function readSetAside({ meta }: Pick<AccountStore, "meta">): Promise<SetAside[]> {
  return entriesOf((await meta.get("set-aside"))?.value);
}

/** Adds entries without duplicates. */
export async function addSetAside(store: Pick<AccountStore, "atomically">, more: readonly SetAside[]): Promise<void> {
  if (more.length === 0) return;
  await store.atomically(async ({ meta }) => {
    const all = [...(await readSetAside({ meta })), ...more];
    const different = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
    await meta.put({ key: "set-aside", value: JSON.stringify(different) });
  });
}

/** Moves entries from shared storage to the first account that signs in. */
export async function adoptSetAside(store: Pick<AccountStore, "atomically" | "persistent">, storage: Storage): Promise<void> {
  const text = storage.getItem(sharedSetAsideKey);
  if (text === null || !store.persistent) return;
  await addSetAside(store, entriesOf(text));
  if (store.persistent) storage.removeItem(sharedSetAsideKey);
}

function entriesOf(text: string | undefined): SetAside[] {
  try {
    const value: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(value) ? (value as SetAside[]) : [];
  } catch {
    return [];
  }
}
