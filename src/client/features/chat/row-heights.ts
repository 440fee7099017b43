import { guessHeight } from "./message-window.ts";

/** How high the rows of a list are, by id, as long as the list is on the page. */
export interface RowHeights {
  /** As last drawn, else as its text lets guess. */
  of(message: { readonly id: string; readonly content: string }): number;
  /** Measures a row from now on; returns how to end that. */
  observe(id: string, row: HTMLElement): () => void;
  /** Has one listener called whenever rows have changed their height. */
  listen(onChange: () => void): void;
}

/** Measures rows while they are drawn and remembers them afterwards. */
export function createRowHeights(): RowHeights {
  const measured = new Map<string, number>();
  const guessed = new Map<string, number>();
  const ids = new WeakMap<Element, string>();
  let tell = () => {};
  const watch = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      const id = ids.get(target);
      const { height } = target.getBoundingClientRect();
      // Hidden with its page it has no height, which says nothing
      if (id !== undefined && height > 0) measured.set(id, height);
    }
    tell();
  });
  return {
    of({ id, content }) {
      const known = measured.get(id) ?? guessed.get(id);
      if (known !== undefined) return known;
      const guess = guessHeight(content);
      guessed.set(id, guess);
      return guess;
    },
    observe(id, row) {
      ids.set(row, id);
      watch.observe(row);
      return () => watch.unobserve(row);
    },
    listen(onChange) {
      tell = onChange;
    },
  };
}
