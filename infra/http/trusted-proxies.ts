import { BlockList, isIP } from "node:net";

/** Whether a text is an address (`10.0.3.7`) or a network (`10.42.0.0/16`, `fd00::/8`). */
export function isProxy(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const family = isIP(address);
  return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= widthOf(family)));
}

const widthOf = (family: number): number => (family === 6 ? 128 : 32);

/**
 * Whose word about who asks is taken: this machine's own, and that of the proxies named.
 * @param proxies addresses or networks, each as `isProxy` wants them
 * @returns whether an address is trusted; undefined, which a socket has once its peer hung up, is not
 */
export function trustedProxies(proxies: readonly string[]): (address: string | undefined) => boolean {
  const trusted = new BlockList();
  for (const proxy of ["127.0.0.0/8", "::1", ...proxies]) {
    const [address = "", bits] = proxy.split("/");
    const family = isIP(address);
    trusted.addSubnet(address, Number(bits ?? widthOf(family)), family === 6 ? "ipv6" : "ipv4");
  }
  return (address = "") => {
    // How a socket that takes both families writes an address of the old one.
    const plain = address.replace(/^::ffff:(?=\d+\.)/, "");
    const family = isIP(plain);
    return family !== 0 && trusted.check(plain, family === 6 ? "ipv6" : "ipv4");
  };
}
