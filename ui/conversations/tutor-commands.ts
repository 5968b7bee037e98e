import type { TutorCommand } from "../tutor/events.ts";
import type { ConversationSession } from "./session.ts";

/** The part of a session that tutor commands need, also in embedded elements. */
export type TutorHost = Pick<ConversationSession, "tutoring" | "model" | "retryTutoring" | "openTutoring" | "startTutoring">;

/** Carries out a learner's command to the tutor. */
export async function runTutorCommand(command: TutorCommand, session: TutorHost): Promise<void> {
  const { tutoring } = session;
  if (!tutoring) return;
  switch (command.kind) {
    case "act":
      await tutoring.act(command.action, session.model);
      return;
    case "retry":
      return session.retryTutoring(command.practice);
    case "forget-failure":
      return tutoring.forgetFailure();
    case "stop":
      return tutoring.stop();
    case "refresh":
      return tutoring.refresh();
    case "load":
      return session.openTutoring();
    case "choose-course":
      return tutoring.chooseCourse(command.courseId);
    case "choose":
      return tutoring.choose(command.choiceIds);
    case "write":
      return tutoring.write(command.text);
    case "respond":
      return tutoring.respond(command.response);
    case "begin":
      return session.startTutoring(command.goal);
    case "begin-anyway": {
      const { goal, courseId } = tutoring.offTopicGoal ?? {};
      if (command.courseId) tutoring.chooseCourse(command.courseId);
      if (goal) await session.startTutoring(goal, undefined, command.courseId ?? courseId);
      return;
    }
    case "reword":
      return tutoring.forgetOffTopicGoal();
    case "carry-over": {
      const { goal, sessionId } = tutoring.session ?? {};
      if (goal && sessionId) await session.startTutoring(goal, sessionId);
      return;
    }
    case "open":
      return tutoring.open(command.sessionId);
    case "another":
      tutoring.leave();
      return tutoring.loadCourses();
  }
}
