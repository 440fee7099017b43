import { isIP } from "node:net";

/** Addresses TradingView sends alerts from. Source: tradingview.com/support/solutions/43000529348, November 2026 */
const TRADINGVIEW = ["52.89.214.238", "34.212.75.30", "54.218.53.128", "52.32.178.7"];

/**
 * Returns the addresses a setting lists, with `tradingview` replaced by TradingView's; null when an entry is neither.
 */
export function readAlertSenders(names: readonly string[]): ReadonlySet<string> | null {
  if (names.some((name) => name !== "tradingview" && isIP(name) === 0)) return null;
  return new Set(names.flatMap((name) => (name === "tradingview" ? TRADINGVIEW : [name])));
}

/** Returns whether a connection's address is listed, including IPv4 addresses written as IPv6. */
export function isAlertSender(senders: ReadonlySet<string>, address: string): boolean {
  return senders.has(address) || senders.has(address.replace(/^::ffff:/i, ""));
}
