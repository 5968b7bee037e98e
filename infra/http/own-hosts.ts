import { isIP } from "node:net";

const loopback = /^(127\.|::1$|localhost$)/;

/**
 * Whether a request's `Host` is a name we go by. A page of another site can make its own name point at this machine (DNS rebinding)
 * and would then be of the same origin as us. While we listen on this machine alone, only its own names, plain addresses (which
 * nobody can point elsewhere) and the public address count. On other interfaces we cannot know our names, and take any.
 */
export function ownHostMatcher(listensOn: string, publicUrl: string): (host: string | undefined) => boolean {
  if (!loopback.test(listensOn)) return () => true;
  const own = new URL(publicUrl).hostname;
  return (host) => {
    const name = URL.parse(`http://${host ?? ""}`)?.hostname.toLowerCase();
    if (!name) return false;
    return name === own || name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0;
  };
}
