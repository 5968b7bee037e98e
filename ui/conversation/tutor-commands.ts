import type { TutorCommand } from "../tutor/events.ts";
import type { ConversationSession } from "./session.ts";

/** Carries out what the learner asks of the tutor in a conversation. */
export async function carryOut(command: TutorCommand, session: ConversationSession): Promise<void> {
  const { tutoring } = session;
  switch (command.kind) {
    case "act":
      await tutoring.act(command.action, session.model);
      return;
    case "retry":
      return session.retryTutoring();
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
    case "carry-over": {
      const { goal, sessionId } = tutoring.session ?? {};
      if (goal && sessionId) await session.startTutoring(goal, sessionId);
      return;
    }
    case "another":
      tutoring.leave();
      return tutoring.loadCourses();
  }
}
