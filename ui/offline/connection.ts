/** Tells whether the browser is offline each time that changes, until the signal ends. */
export function onConnection(told: (offline: boolean) => void, signal: AbortSignal): void {
  for (const event of ["online", "offline"]) addEventListener(event, () => told(!navigator.onLine), { signal });
}
