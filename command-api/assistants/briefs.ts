import { randomUUID } from "node:crypto";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { GeneratedPlan } from "@colloquy/schemas/generation/tutor.ts";
import type { TutorState } from "@colloquy/schemas/tutor/state.ts";
import { authoredCheck, authoredProbes } from "../tutor/authored.ts";
import { passagesFor, type TutorCourse } from "../tutor/course.ts";
import type { LearnerWords } from "../tutor/learner-words.ts";
import { type ModelTask, nextTask } from "../tutor/policy.ts";
import { checkPrompt, planPrompt, probePrompt, teachingPrompt, verificationPrompt } from "../tutor/prompts.ts";
import { probabilitiesOf, promptsAsked } from "../tutor/proposals.ts";
import { type Statement, shownIn } from "../tutor/shown-texts.ts";
import { checkInput, lessonInput, planInput } from "../tutor/task-inputs.ts";

/** The tool that takes each work in. */
export const toolOf: Record<ModelTask, string> = {
  probe: "propose_probe",
  plan: "propose_plan",
  teach: "propose_teaching",
  check: "propose_check",
};

/**
 * What an assistant's model is to make next, in the words our own models are told it in. `revealed`: what the learner was shown outside of the
 * session. What the course itself can ask is not asked for, and a question that follows a lesson is named where its passages have it.
 */
export async function briefFor(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
  { learner, revealed }: { learner: LearnerWords; revealed: readonly Statement[] },
): Promise<{ work: ModelTask | "none"; brief: string }> {
  const none = { work: "none" as const, brief: "Nothing is to be made now: the session waits for the learner." };
  const work = nextTask(state);
  const ownFirst = {
    work: "none" as const,
    brief: "A question of the course's own is next. Call tutor_action with resume: it is asked without a proposal.",
  };
  const own = { course, shown: shownIn(state, learner.replies, revealed) };
  switch (work) {
    case "probe": {
      const objectives = authoredProbes(state, randomUUID, own).without;
      if (objectives.length === 0) return ownFirst;
      const passages = await passagesFor(library, course, objectives);
      return {
        work,
        brief: probePrompt(
          passages,
          objectives,
          state.askedBefore?.map(({ prompt }) => prompt),
        ),
      };
    }
    case "plan": {
      const { objectives, passages } = await planInput(library, course, state);
      return { work, brief: planPrompt(passages, objectives, state.findings, probabilitiesOf(state, objectives), learner) };
    }
    case "teach": {
      // Without the question: the keys of passages have to mean the same when the lesson is proposed, whatever was shown by then.
      const wanted = await lessonInput(library, course, state, { textOf: learner.textOf });
      if (!wanted) return none;
      const { passages, objectives, step, angle, missed, focus, shown } = wanted;
      const asked = authoredCheck(state, randomUUID, own);
      const isTaught = asked?.sourceIds.every((sourceId) => passages.some((passage) => passage.sourceId === sourceId));
      const next = asked && isTaught ? asked.prompt : null;
      return { work, brief: teachingPrompt(passages, objectives, { title: step.title, angle, missed }, { focus, next, shown, learner }) };
    }
    case "check": {
      if (authoredCheck(state, randomUUID, own)) return ownFirst;
      const wanted = await checkInput(library, course, state);
      if (!wanted) return none;
      const { passages, objective } = wanted;
      return { work, brief: checkPrompt(passages, objective, wanted, promptsAsked(state, objective), learner) };
    }
    default:
      return none;
  }
}

/** What a plan is verified against, as somebody who did not write it. */
export async function verificationBrief(
  library: PassageLibrary,
  course: TutorCourse,
  state: TutorState,
  plan: GeneratedPlan,
): Promise<string> {
  const { objectives, passages } = await planInput(library, course, state);
  return verificationPrompt(passages, objectives, plan);
}
