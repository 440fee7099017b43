import { BlockList, isIP, isIPv6 } from "node:net";

/** Returns whether an address belongs to a proxy whose `X-Forwarded-For` is trusted. */
export type IsTrusted = (address: string) => boolean;

const NAMED: Readonly<Record<string, readonly string[]>> = {
  loopback: ["127.0.0.0/8", "::1"],
  linklocal: ["169.254.0.0/16", "fe80::/10"],
  uniquelocal: ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"],
};

const familyOf = (address: string) => (isIPv6(address) ? "ipv6" : "ipv4");

/** Reads addresses, networks such as `10.0.0.0/8` and the three names of private ones. Throws for anything else. */
export function trustedProxies(given: readonly string[]): IsTrusted {
  if (given.length === 0) return () => false;
  const list = new BlockList();
  for (const text of given.flatMap((name) => NAMED[name] ?? [name])) {
    const [network = "", bits, more] = text.split("/");
    const size = isIPv6(network) ? 128 : 32;
    const isRead = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= size);
    if (isIP(network) === 0 || !isRead || more !== undefined) {
      throw new Error(`TRUSTED_PROXIES: "${text}" is no address and no network.`);
    }
    list.addSubnet(network, bits === undefined ? size : Number(bits), familyOf(network));
  }
  return (text) => {
    const [address = ""] = text.split("%");
    return isIP(address) !== 0 && list.check(address, familyOf(address));
  };
}
