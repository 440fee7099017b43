/** An entry of the command palette. */
export interface PaletteEntry {
  readonly id: string;
  readonly group: string;
  readonly label: string;
  readonly run: () => void;
}

/** Returns the rank of a label, lower is better; null without a match. */
function rank(label: string, words: readonly string[]): number | null {
  const text = label.toLocaleLowerCase();
  if (!words.every((word) => text.includes(word))) return null;
  const first = words[0] ?? "";
  if (text.startsWith(first)) return 0;
  return text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(first)) ? 1 : 2;
}

/** Returns the entries that contain every search word, best match first; without words, all entries in their order. */
export function findEntries(
  entries: readonly PaletteEntry[],
  asked: string,
): readonly PaletteEntry[] {
  const words = asked.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  return entries
    .map((entry) => ({ entry, place: rank(entry.label, words) }))
    .filter((found): found is { entry: PaletteEntry; place: number } => found.place !== null)
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
}
