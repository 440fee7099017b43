/**
 * Runs a task while no other tab of this browser runs one of the same name; the browser frees the name when a tab
 * ends. Without the Locks API the task just runs.
 */
export function withLock<T>(name: string, task: () => Promise<T>): Promise<T> {
  const { locks } = globalThis.navigator ?? {};
  return locks ? (locks.request(name, task) as Promise<T>) : task();
}
