/** Options of an address by name, without case, `-` and `_`, and the values each may have. */
const options: Record<string, RegExp> = {
  tls: /^(true|false)$/,
  tlscafile: /./,
  usercertfile: /./,
  userkeyfile: /./,
  connectionname: /./,
  nodepreference: /./,
  throwonappendfailure: /^(true|false)$/,
  maxdiscoverattempts: /^\d+$/,
  discoveryinterval: /^\d+$/,
  gossiptimeout: /^\d+$/,
  defaultdeadline: /^\d+$/,
  keepaliveinterval: /^-?\d+$/,
  keepalivetimeout: /^-?\d+$/,
};

/**
 * What is wrong with the address of an EventStoreDB, or null. The official client prints the address, with its password, for an option
 * that it does not know, so such an address never reaches it. The message quotes nothing of the address.
 */
export function addressError(address: string): string | null {
  const scheme = /^(esdb|kurrentdb)(\+discover)?:\/\//.exec(address)?.[0];
  if (!scheme) return "expected esdb://host:port";
  const rest = address.slice(scheme.length);
  // The client looks for them as far as the last part, so a path or an option with an @ would be taken for a password.
  const credentials = credentialsPattern.exec(rest)?.[0] ?? "";
  if (credentials && (credentials.split(":").length > 2 || !isEncoded(credentials)))
    return "the user name or the password has a character that must be percent-encoded (: as %3A, @ as %40, / as %2F, % as %25)";
  const [hosts = "", query, ...more] = rest.slice(credentials.length).split("?");
  for (const host of hosts.replace(/\/+$/, "").split(",")) {
    if (host.includes("@")) return "an @ in the user name or the password must be written %40";
    const [name = "", port, ...others] = host.split(":");
    if (!/^[A-Za-z0-9._-]+$/.test(name) || others.length > 0) return "expected a host name behind the // (and behind the @)";
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535))
      return "expected a port, a number up to 65535, behind the host name";
  }
  if (query === undefined) return null;
  if (more.length > 0) return "expected one ? only, and & between options";
  for (const [index, option] of query.replace(/\/+$/, "").split("&").entries()) {
    const [name = "", value = "", ...others] = option.split("=");
    const form = options[name.trim().toLowerCase().replaceAll(/[_-]/g, "")];
    if (!form) return `option ${index + 1} behind the ? is none that is known (tls, tlsCAFile, nodePreference, …)`;
    // A follower may lack events that were announced elsewhere; a reader that passes their position would never see them.
    if (form === options.nodepreference && value.trim().toLowerCase() !== "leader")
      return "nodePreference must be leader: another node's events may come too late to be seen";
    if (others.length > 0 || !form.test(value.trim()) || !isEncoded(value))
      return `option ${index + 1} behind the ? has no value that it may have`;
  }
  return null;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** An address by its parts, as far as other questions than the client's need them. */
export interface AddressParts {
  hosts: { name: string; port: number }[];
  isTls: boolean;
  /** Whether it names a user with a password, or a user's certificate. */
  hasCredentials: boolean;
  /** Path of the authority's certificate. */
  authorityFile: string | null;
}

const defaultPort = 2113;
const credentialsPattern = /^[^:]+:[^@]+@/;

/** The parts of an address in which `addressError` finds nothing wrong. */
export function addressParts(address: string): AddressParts {
  const given = address.replace(/^\w+(\+discover)?:\/\//, "");
  const rest = given.replace(credentialsPattern, "");
  const [hosts = "", query = ""] = rest.split("?");
  const options = new Map(
    query.split("&").map((option) => {
      const [name = "", value = ""] = option.split("=");
      return [name.trim().toLowerCase().replaceAll(/[_-]/g, ""), decodeURIComponent(value.trim().replace(/\/+$/, ""))];
    }),
  );
  return {
    hosts: hosts
      .replace(/\/+$/, "")
      .split(",")
      .map((host) => {
        const [name = "", port] = host.split(":");
        return { name, port: port === undefined ? defaultPort : Number(port) };
      }),
    isTls: options.get("tls") !== "false",
    hasCredentials: credentialsPattern.test(given) || (options.has("usercertfile") && options.has("userkeyfile")),
    authorityFile: options.get("tlscafile") ?? null,
  };
}

/** What an address in which `addressError` finds nothing wrong lacks to keep strangers out, or null. */
export function missingProtection(address: string): string | null {
  const { isTls, hasCredentials } = addressParts(address);
  if (!isTls) return "says tls=false";
  return hasCredentials ? null : "names no user and password";
}

/** The address of one node of a cluster, with everything else as it is. */
export function addressOfNode(address: string, { name, port }: { name: string; port: number }): string {
  const [, scheme = "", credentials = "", options = ""] = /^(\w+)(?:\+discover)?:\/\/([^:/?]+:[^@]+@)?[^?]*(\?.*)?$/.exec(address) ?? [];
  return `${scheme}://${credentials}${name}:${port}${options}`;
}
