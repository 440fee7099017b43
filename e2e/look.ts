interface LookOptions {
  /** Page of the phone layout that shows the state. */
  readonly phonePage?: "Chat" | "Agents";
  /** Brings the state up again where a change of size ends it, as it closes a menu. */
  readonly again?: () => Promise<void>;
}

/** Called in every state of every screen. */
export type Look = (name: string, options?: LookOptions) => Promise<void>;
