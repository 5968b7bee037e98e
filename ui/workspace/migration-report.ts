import { msg } from "../messages/page.ts";
import type { MigrationReport } from "../store/migrate-prototype.ts";
import type { SetAside } from "../store/prototype-record.ts";
import { save } from "./history-actions.ts";
import { offerUndo } from "./history-dialogs.ts";

/** Saves what could not be taken over as a file, as it was. */
export function saveSetAside(setAside: readonly SetAside[]): void {
  save(`${JSON.stringify(setAside, null, 2)}\n`, "colloquy-set-aside.json", "application/json");
}

/** Says what became of the conversations an earlier version had kept, when some of them could not be taken over. */
export function announceMigration({ migrated: taken, setAside }: MigrationReport): void {
  if (setAside.length === 0) return;
  const rest = setAside.length === 1 ? msg("workspace.oneCouldReadSet") : msg("workspace.couldReadSetAside", { n: setAside.length });
  offerUndo(
    `${msg("workspace.conversationsEarlierVersionTaken", { n: taken })} ${rest}`,
    () => saveSetAside(setAside),
    msg("editor.saveACopy"),
  );
}
