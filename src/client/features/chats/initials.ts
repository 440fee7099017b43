/** Word with which generated agent names begin; it tells none from another. */
const COMMON = "agent";

/** Returns one or two letters or digits a name is known by: of its first two words, else of its only one. */
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
