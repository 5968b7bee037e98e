import { msg, plural } from "../messages/page.ts";
import type { MigrationReport } from "../store/migrate-prototype.ts";
import type { SetAside } from "../store/prototype-record.ts";
import { save } from "./history-actions.ts";
import { offerUndo } from "./history-dialogs.ts";

/** Saves what could not be taken over as a file, as it was. */
export function saveSetAside(setAside: readonly SetAside[]): void {
  save(`${JSON.stringify(setAside, null, 2)}\n`, "colloquy-set-aside.json", "application/json");
}

/** Says what became of the conversations an earlier version had kept, when some of them could not be taken over. */
export function tellMigrated({ taken, setAside }: MigrationReport): void {
  if (setAside.length === 0) return;
  const rest =
    setAside.length === 1
      ? msg("One could not be read and is set aside.")
      : plural(setAside.length, "{n} could not be read and is set aside.", "{n} could not be read and are set aside.");
  offerUndo(
    `${plural(taken, "{n} conversation of an earlier version was taken over.", "{n} conversations of an earlier version were taken over.")} ${rest}`,
    () => saveSetAside(setAside),
    msg("Save a copy"),
  );
}
