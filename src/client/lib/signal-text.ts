const SIGNAL_TEXTS: Readonly<Record<string, string>> = {
  OPEN_LONG: "Open long",
  OPEN_SHORT: "Open short",
  CLOSE_LONG: "Close long",
  CLOSE_SHORT: "Close short",
  RESET_OPEN_LONG: "Reset open long",
  RESET_OPEN_SHORT: "Reset open short",
  RESET_CLOSE_LONG: "Reset close long",
  RESET_CLOSE_SHORT: "Reset close short",
  MOVE_ASSET: "Moved to your wallet",
};

/** Returns the label of a signal; unknown values as received, empty ones as a dash. */
export function signalText(signal: string | null | undefined): string {
  if (signal === null || signal === undefined || signal.trim() === "") return "-";
  return Object.hasOwn(SIGNAL_TEXTS, signal) ? (SIGNAL_TEXTS[signal] ?? signal) : signal;
}
