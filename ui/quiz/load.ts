let loading: Promise<unknown> | null = null;

/** Loads the element that shows quizzes: nobody without a quiz needs it. A failed load may be tried again. */
export function loadQuiz(): Promise<unknown> {
  loading ??= import("./quiz.ts").catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}
