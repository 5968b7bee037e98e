/** What a conversation needs when somebody is tutored in it: loaded then, and not before. */
import "../tutor/tutor.ts";

export { besideStyles, besideTabs, lesson, questions } from "./beside.ts";
export { carryOut } from "./tutor-commands.ts";
