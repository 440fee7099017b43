const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Returns whether a browser's Origin is our page; for a page on this machine all loopback names are equal. */
export function isOwnOrigin(origin: string, publicUrl: URL): boolean {
  if (origin === publicUrl.origin) return true;
  if (!LOOPBACK.has(publicUrl.hostname) || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === publicUrl.protocol && port === publicUrl.port && LOOPBACK.has(hostname);
}
