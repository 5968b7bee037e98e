import type { Config } from "@colloquy/infra/config.ts";
import type { AccessToken } from "@colloquy/infra/identity/access-tokens.ts";
import type { CourseCatalogue } from "@colloquy/projections/courses/queries.ts";
import type { PassageLibrary } from "@colloquy/projections/passages/queries.ts";
import type { TutorTables } from "@colloquy/projections/tutor/queries.ts";
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { Kysely } from "kysely";
import type { ChangeHandlers } from "../sync/handlers.ts";
import type { TutorCourses } from "../tutor/course.ts";
import type { TutorHandlers } from "../tutor/handlers.ts";
import type { proposedTurns } from "../tutor/proposed.ts";
import type { TutorSessions } from "../tutor/sessions.ts";

/** What the tools work with, whoever asks. */
export interface ConnectorNeeds {
  config: Config;
  library: PassageLibrary;
  catalogue: Pick<CourseCatalogue, "list">;
  courses: TutorCourses;
  database: Kysely<TutorTables>;
  sessions: TutorSessions;
  tutor: TutorHandlers;
  propose: ReturnType<typeof proposedTurns>;
  /** Begins the conversation a session belongs to. */
  changes: ChangeHandlers;
  now(): string;
  /** Aborts when the service ends. */
  stopping: AbortSignal;
}

/** The same for one request: on whose behalf, through which assistant. */
export interface Serving extends ConnectorNeeds {
  token: AccessToken;
  /** Of this request, as the log and the events name it. */
  correlationId: string;
  answer(tool: string, carryOut: () => Promise<Record<string, unknown>>): Promise<CallToolResult>;
  /** Counts a change against the assistant's limit. @throws {ProblemError} `rate_limited` */
  changing(): Promise<void>;
}
