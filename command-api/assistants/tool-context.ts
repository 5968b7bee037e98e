import type { Config } from "@colloquy/infra/config.ts";
import type { AccessToken } from "@colloquy/infra/identity/access-tokens.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Kysely } from "kysely";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { assistantProposals } from "../tutor/assistant-proposals.ts";
import type { TutorCourses } from "../tutor/course.ts";
import type { TutorHandlers } from "../tutor/handlers.ts";
import type { QuizzesOf, SessionsOf } from "../tutor/revealed.ts";
import type { TutorSessions } from "../tutor/sessions.ts";

/** What the tools of the connector need. */
export interface ConnectorNeeds {
  config: Config;
  library: PassageLibrary;
  catalogue: Pick<CourseCatalogue, "list">;
  courses: TutorCourses;
  database: Kysely<TutorTables>;
  sessions: TutorSessions;
  quizzesOf?: QuizzesOf;
  sessionsOf?: SessionsOf;
  tutor: TutorHandlers;
  propose: ReturnType<typeof assistantProposals>;
  /** Starts the conversation that a session belongs to. */
  changes: ChangeHandlers;
  now(): string;
  /** Aborts when the service ends. */
  stopping: AbortSignal;
}

/** What the tools need for one request: also the account and the assistant it came from. */
export interface ToolContext extends ConnectorNeeds {
  token: AccessToken;
  /** Id of this request in the log and the events. */
  correlationId: string;
  runTool(tool: string, carryOut: () => Promise<Record<string, unknown>>): Promise<CallToolResult>;
  /** Counts a change against the assistant's limit. @throws {ProblemError} `rate_limited` */
  countChange(): Promise<void>;
}
