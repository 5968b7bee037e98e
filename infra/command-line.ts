import { ConfigurationError } from "./config.ts";
import { StoreUnavailable } from "./event-store/client.ts";
import { AlreadyRunning } from "./event-store/embedded/server.ts";

/** What the command-line tools share: how a wrong call and known trouble are told, and which code a tool ends with. */

/** A wrong call, told with the usage below; without words somebody asked for the usage. */
export class UsageError extends Error {
  override name = "UsageError";
}

export interface Failure {
  message: string;
  /** Of the process: 2 for a wrong call or configuration, 1 for anything else that went wrong, 0 when help was asked for. */
  code: number;
}

/** Reads arguments; what Node's own reader refuses is a wrong call, too. @throws {UsageError} */
export function parseCall<Call>(read: () => Call): Call {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** What is said of an error: in words where they are known, by `known` first; with its stack where they are not. */
export function failureOf(error: unknown, usage: string, known: (error: unknown) => Failure | null): Failure {
  if (error instanceof UsageError) return { message: error.message ? `${error.message}\n\n${usage}` : usage, code: error.message ? 2 : 0 };
  if (error instanceof ConfigurationError) return { message: error.message, code: 2 };
  const told = known(error);
  if (told) return told;
  if (error instanceof AlreadyRunning) return { message: `${error.message} Try again in a moment.`, code: 1 };
  if (error instanceof StoreUnavailable) return { message: error.message, code: 1 };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

/** Runs a tool with the arguments it was called with, and sets the code the process ends with. */
export async function runTool(
  usage: string,
  run: (given: string[]) => Promise<number>,
  known: (error: unknown) => Failure | null = () => null,
): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2));
  } catch (error) {
    const { message, code } = failureOf(error, usage, known);
    (code === 0 ? console.log : console.error)(message);
    process.exitCode = code;
  }
}
