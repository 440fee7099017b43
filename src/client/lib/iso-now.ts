/** This browser's time as the wire writes it. */
export function isoNow(): string {
  return new Date().toISOString();
}
