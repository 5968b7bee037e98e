/** Where the ledger of a tutoring session is read, at one of its events if that is named. */
export const ledgerHref = (of: string, event?: number | null): string =>
  `/ai?ledger=${encodeURIComponent(of)}${event == null ? "" : `&event=${event}`}`;
