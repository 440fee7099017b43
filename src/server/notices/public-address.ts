import { BlockList, isIP } from "node:net";

/** Blocks that are not the public internet: loopback, private, link-local, shared, documentation, multicast and reserved. */
const NOT_PUBLIC_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Of IPv6 only 2000::/3 is the public internet; these blocks of it are reserved, or tunnel to IPv4 addresses that may be private. */
const NOT_PUBLIC_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const notPublic = new BlockList();
const publicV6 = new BlockList();
for (const block of NOT_PUBLIC_V4) addTo(notPublic, block, "ipv4");
for (const block of NOT_PUBLIC_V6) addTo(notPublic, block, "ipv6");
addTo(publicV6, "2000::/3", "ipv6");

function addTo(list: BlockList, block: string, family: "ipv4" | "ipv6"): void {
  const [address = "", bits = ""] = block.split("/");
  list.addSubnet(address, Number(bits), family);
}

/** Returns whether an address belongs to the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !notPublic.check(address, "ipv4");
    case 6:
      return publicV6.check(address, "ipv6") && !notPublic.check(address, "ipv6");
    default:
      return false;
  }
}
