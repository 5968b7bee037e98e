/** What a conversation needs when somebody is tutored in it: loaded then, and not before. */
import "../tutor/tutor.ts";

export {
  lessonPanel as lesson,
  lessonTabs as besideTabs,
  questionsPanel as questions,
  sideQuestionsStyles as besideStyles,
} from "./side-questions.ts";
export { runTutorCommand as carryOut } from "./tutor-commands.ts";
