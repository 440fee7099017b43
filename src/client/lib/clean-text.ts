/** Removes control characters and lone surrogates, which the server does not store. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");
}
