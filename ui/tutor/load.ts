let loading: Promise<unknown> | null = null;

/** Loads the elements of the tutor: nobody who only asks needs them. A failed load may be tried again. */
export function loadTutor(): Promise<unknown> {
  loading ??= import("./tutor.ts").catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
