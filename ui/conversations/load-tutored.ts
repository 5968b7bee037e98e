let loading: Promise<typeof import("./tutored.ts")> | null = null;

/** Loads the tutor's elements on first use; a failed load can be retried. */
export function loadTutored(): Promise<typeof import("./tutored.ts")> {
  loading ??= import("./tutored.ts").catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
