/** Compares two keys; a missing figure, NaN, comes last in either direction. */
function compare(one: string | number, other: string | number, isAscending: boolean): number {
  const isOneMissing = Number.isNaN(one);
  const isOtherMissing = Number.isNaN(other);
  if (isOneMissing || isOtherMissing) return Number(isOneMissing) - Number(isOtherMissing);
  if (one === other) return 0;
  return one < other === isAscending ? -1 : 1;
}

/** Returns the items by their keys, which are read once each; items with equal keys keep their order. */
export function sortedBy<T>(
  items: readonly T[],
  keyOf: (item: T) => string | number,
  isAscending: boolean,
): readonly T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((one, other) => compare(one.key, other.key, isAscending))
    .map(({ item }) => item);
}
