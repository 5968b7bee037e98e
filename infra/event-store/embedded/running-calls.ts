/** The long-lived calls that are under way, so that stopping the server can end each with a word. */
export interface RunningCalls {
  /** `end` is called once when the server stops. Returns how to forget the call, when it has ended by itself. */
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
