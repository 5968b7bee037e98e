import type { MigrationReport } from "../store/migrate-prototype.ts";
import { save } from "./history-actions.ts";
import { offerUndo } from "./history-dialogs.ts";

/** Says what became of the conversations an earlier version had kept, when some of them could not be taken over. */
export function tellMigrated({ taken, setAside }: MigrationReport): void {
  if (setAside.length === 0) return;
  const rest =
    setAside.length === 1 ? "One could not be read and is set aside." : `${setAside.length} could not be read and are set aside.`;
  const copy = (): void => save(`${JSON.stringify(setAside, null, 2)}\n`, "colloquy-set-aside.json", "application/json");
  offerUndo(`${taken} conversations of an earlier version were taken over. ${rest}`, copy, "Save a copy");
}
