import { AsyncLocalStorage } from "node:async_hooks";

/** Who a request is answered for. */
export interface ActingAccount {
  accountId: string;
  /** Slots whose daily limit let this request pass: what has begun is finished. */
  admittedSlots: Set<string>;
}

const acting = new AsyncLocalStorage<ActingAccount>();

/** Everything that `work` begins counts as done for this account, also what outlives its request. */
export const actingFor = <T>(accountId: string, work: () => T): T => acting.run({ accountId, admittedSlots: new Set() }, work);

/** Undefined for work of the service itself, and for visitors. */
export const actingAccount = (): ActingAccount | undefined => acting.getStore();
