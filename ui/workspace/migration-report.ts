import { msg } from "../messages/page.ts";
import type { MigrationReport } from "../store/migrate-prototype.ts";
import type { SetAside } from "../store/prototype-record.ts";
import { save } from "./history-actions.ts";
import { offerUndo } from "./history-dialogs.ts";

/** Saves the entries that could not be migrated as a file. */
export function saveSetAside(setAside: readonly SetAside[]): void {
  save(`${JSON.stringify(setAside, null, 2)}\n`, "colloquy-set-aside.json", "application/json");
}

/** Announces the migration of an earlier version's conversations, if some could not be migrated. */
export function announceMigration({ migrated: taken, setAside }: MigrationReport): void {
  if (setAside.length === 0) return;
  const rest =
    setAside.length === 1 ? msg("workspace.oneCouldNotReadSkipped") : msg("workspace.couldNotReadSkipped", { n: setAside.length });
  offerUndo(
    `${msg("workspace.conversationsEarlierVersionTaken", { n: taken })} ${rest}`,
    () => saveSetAside(setAside),
    msg("editor.saveACopy"),
  );
}
