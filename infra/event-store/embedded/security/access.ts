import { allStream, metastreamPrefix } from "../streams.ts";

/**
 * Who may do what, by EventStoreDB's rules: a stream's own access control list (`$acl` in its metadata), else the default list
 * (`$settings`), else the built-in one, each role by itself. Pure.
 */

export const groups = { admins: "$admins", operators: "$ops", everybody: "$all" } as const;
export const settingsStream = "$settings";

export type Operation = "read" | "write" | "delete";

type Acl = Record<string, unknown>;
/** What is kept about access: a stream's metadata, and what the `$settings` stream says. Empty when there is none. */
export interface AccessLists {
  metadataOf(stream: string): Record<string, unknown>;
  settings(): Record<string, unknown>;
}

const builtIn = { user: [groups.everybody], system: [groups.admins] };

const roleNames = { read: "$r", write: "$w", delete: "$d", readMetadata: "$mr", writeMetadata: "$mw" } as const;

/** Whether somebody may do this to a stream. Whatever a list says: nobody writes or deletes `$all`, or deletes metadata, and admins may do the rest. */
export function mayAccess(
  caller: { name: string; groups: readonly string[] },
  deed: Operation,
  stream: string,
  lists: AccessLists,
): boolean {
  if (stream === allStream && deed !== "read") return false;
  const metadata = stream.startsWith(metastreamPrefix);
  if (metadata && deed === "delete") return false;
  if (isAdmin(caller)) return true;
  const about = metadata ? stream.slice(metastreamPrefix.length) : stream;
  const role = metadata ? (deed === "read" ? roleNames.readMetadata : roleNames.writeMetadata) : roleNames[deed];
  const system = about.startsWith("$");
  const own = object(lists.metadataOf(about).$acl);
  const defaults = object(lists.settings()[system ? "$systemStreamAcl" : "$userStreamAcl"]);
  const allowed = rolesIn(own, role) ?? rolesIn(defaults, role) ?? (system ? builtIn.system : builtIn.user);
  return allowed.some((each) => each === groups.everybody || each === caller.name || caller.groups.includes(each));
}

const isAdmin = ({ groups: held }: { groups: readonly string[] }): boolean => held.includes(groups.admins);

const object = (value: unknown): Acl => (typeof value === "object" && value !== null ? (value as Acl) : {});

/** One role or several; null when the list does not say. An empty list means nobody. */
function rolesIn(acl: Acl, role: string): string[] | null {
  const roles = acl[role];
  if (typeof roles === "string") return [roles];
  return Array.isArray(roles) ? roles.filter((each) => typeof each === "string") : null;
}
