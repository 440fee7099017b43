/** Takes out what the server does not store: control characters and halves of characters. */
export function cleanText(text: string): string {
  return text.toWellFormed().replace(/[^\P{Cc}\t\n\r]/gu, "");
}
