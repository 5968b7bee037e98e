import { loadOnce } from "../controls/load-once.ts";

/** Loads the quiz element with the first quiz. */
export const loadQuiz = loadOnce(() => import("./quiz.ts"));
