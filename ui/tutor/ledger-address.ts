/** The address of a session's ledger, optionally at one event. */
export const ledgerHref = (of: string, event?: number | null): string =>
  `/ai?ledger=${encodeURIComponent(of)}${event == null ? "" : `&event=${event}`}`;
