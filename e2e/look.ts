interface LookOptions {
  /** Page of the phone layout that shows the state. */
  readonly phonePage?: "Chat" | "Agents";
  /** Brings the state up again: between phone and desk the panels are made anew. */
  readonly again?: () => Promise<void>;
}

/** Called in every state of every screen. */
export type Look = (name: string, options?: LookOptions) => Promise<void>;
