/** What was used lately, by name. */
export interface Recent<K, V> {
  get(name: K): V | undefined;
  set(name: K, value: V): V;
  delete(name: K): void;
}

/** Creates a memory of at most so many values, which forgets what was used longest ago. */
export function createRecent<K, V>(most: number): Recent<K, V> {
  const kept = new Map<K, V>();
  const set = (name: K, value: V): V => {
    kept.delete(name);
    if (kept.size >= most) kept.delete(kept.keys().next().value as K);
    kept.set(name, value);
    return value;
  };
  return {
    set,
    get(name) {
      const value = kept.get(name);
      return value === undefined ? undefined : set(name, value);
    },
    delete: (name) => void kept.delete(name),
  };
}
