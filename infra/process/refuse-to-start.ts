/** The exit code of a part that cannot work with what it is configured with (sysexits' EX_CONFIG): starting it anew makes no sense. */
export const configurationExitCode = 78;

/** Ends a part before it serves, in words for whoever started it. */
export function refuseToStart(message: string): never {
  console.error(message);
  process.exit(configurationExitCode);
}
