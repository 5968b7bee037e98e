/** Exit code of a process whose configuration cannot work (EX_CONFIG of sysexits): the launcher does not restart it. */
export const configurationExitCode = 78;

/** Ends the process before it serves, with a message for the operator. */
export function refuseToStart(message: string): never {
  console.error(message);
  process.exit(configurationExitCode);
}
