/** Running calls, so that a stopping server can end each with an error. */
export interface RunningCalls {
  /** `end` is called once when the server stops. Returns a function that removes a call that has ended. */
  add(end: () => void): () => void;
  stopping(): boolean;
  stop(): void;
}

export function runningCalls(): RunningCalls {
  const calls = new Set<() => void>();
  let stopping = false;
  return {
    add(end) {
      calls.add(end);
      return () => calls.delete(end);
    },
    stopping: () => stopping,
    stop() {
      stopping = true;
      for (const end of calls) end();
      calls.clear();
    },
  };
}
