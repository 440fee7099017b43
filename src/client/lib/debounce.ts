/** Returns a debounced function that runs `act` with the last call's arguments after a pause. */
export function debounce<A extends readonly unknown[]>(
  act: (...args: A) => void,
  pauseMs: number,
): (...args: A) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...args), pauseMs);
  };
}
