import { createContext } from "react";

/** Closes a failed part that opens above the page, unless it has its own `onClose`. */
export const PartExit = createContext<(() => void) | null>(null);
