const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Says whether a browser's Origin is our own page; on this machine any of its names will do. */
export function isOwnOrigin(origin: string, publicUrl: URL): boolean {
  if (origin === publicUrl.origin) return true;
  if (!LOOPBACK.has(publicUrl.hostname) || !URL.canParse(origin)) return false;
  const { protocol, hostname, port } = new URL(origin);
  return protocol === publicUrl.protocol && port === publicUrl.port && LOOPBACK.has(hostname);
}
