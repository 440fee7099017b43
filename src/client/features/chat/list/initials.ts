/** First word of generated agent names, which does not distinguish them. */
const COMMON = "agent";

/** Returns one or two initials of a name: of its first two words, or of its only word. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => word.toLocaleLowerCase() !== COMMON);
  const [first = words[0] ?? "", second] = telling;
  const letters =
    second === undefined
      ? Array.from(first).slice(0, 2)
      : [first, second].map((word) => Array.from(word)[0]);
  return letters.join("").toLocaleUpperCase();
}
