interface LookOptions {
  /** Phone page that shows the state. */
  readonly phonePage?: "Chat" | "Agents";
  /** Restores the state after a resize that ends it, for instance a closed menu. */
  readonly again?: () => Promise<void>;
}

/** Called in every state of every screen. */
export type Look = (name: string, options?: LookOptions) => Promise<void>;
