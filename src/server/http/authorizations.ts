/** Returns every Authorization header as sent; the parsed headers would hide a second one. */
export function authorizationsOf(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_value, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "authorization",
  );
}
