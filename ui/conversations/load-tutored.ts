let loading: Promise<typeof import("./tutored.ts")> | null = null;

/** Loads what shows a lesson: nobody who only asks needs it. A failed load may be tried again. */
export function loadTutored(): Promise<typeof import("./tutored.ts")> {
  loading ??= import("./tutored.ts").catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
