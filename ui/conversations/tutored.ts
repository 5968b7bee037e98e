/** The tutor's elements and commands, loaded on first use. */
import "../tutor/tutor.ts";

export {
  lessonPanel as lesson,
  lessonTabs as besideTabs,
  questionsPanel as questions,
  sideQuestionsStyles as besideStyles,
} from "./side-questions.ts";
export { runTutorCommand as carryOut } from "./tutor-commands.ts";
