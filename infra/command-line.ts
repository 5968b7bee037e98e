import { ConfigurationError } from "./config.ts";
import { StoreUnavailable } from "./event-store/client.ts";
import { AlreadyRunning } from "./event-store/embedded/server.ts";

/** Shared by the command-line tools: usage errors, messages for known errors, exit codes. */

/** A wrong call: the message is printed above the usage. An empty message prints the usage alone, for --help. */
export class UsageError extends Error {
  override name = "UsageError";
}

export interface Failure {
  message: string;
  /** Exit code: 2 for a wrong call or configuration, 1 for any other failure, 0 for --help. */
  code: number;
}

/** Parses arguments; what `parseArgs` of Node rejects becomes a `UsageError`. @throws {UsageError} */
export function parseCall<Call>(read: () => Call): Call {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The message and exit code for an error. `known` is asked first; an unknown error is shown with its stack. */
export function failureOf(error: unknown, usage: string, known: (error: unknown) => Failure | null): Failure {
  if (error instanceof UsageError) return { message: error.message ? `${error.message}\n\n${usage}` : usage, code: error.message ? 2 : 0 };
  if (error instanceof ConfigurationError) return { message: error.message, code: 2 };
  const failure = known(error);
  if (failure) return failure;
  if (error instanceof AlreadyRunning) return { message: `${error.message} Try again in a moment.`, code: 1 };
  if (error instanceof StoreUnavailable) return { message: error.message, code: 1 };
  return { message: error instanceof Error ? (error.stack ?? error.message) : String(error), code: 1 };
}

/** Runs a tool with the arguments of the process and sets the exit code. */
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
