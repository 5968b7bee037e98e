import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "./config.ts";
import { securityMark } from "./http/security-log.ts";
import { openLogFile } from "./launch/log-file.ts";
import { dataFolder } from "./launch/plan.ts";
import { privateFolder } from "./private-files.ts";

/** Writes an operator's command into the security log of this machine's data folder; without one, to standard error, which is collected there. */
export function recordOperatorCommand(config: Config, command: string, about: Readonly<Record<string, string>>): void {
  const line = JSON.stringify({
    time: new Date().toISOString(),
    log: securityMark,
    event: "operator-command",
    command,
    ...about,
    user: process.env.USER ?? null,
  });
  const folder = dataFolder(config);
  if (!existsSync(folder)) {
    console.error(line);
    return;
  }
  const logs = join(folder, "logs");
  privateFolder(logs);
  const file = openLogFile(join(logs, "security.log"));
  file.write(line);
  file.close();
}
