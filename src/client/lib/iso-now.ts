/** Returns the browser's time in the wire's ISO format. */
export function isoNow(): string {
  return new Date().toISOString();
}
