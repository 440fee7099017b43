import { createContext } from "react";

/** How a failed part that opens above the page is left, unless it has an `onClose` of its own. */
export const PartExit = createContext<(() => void) | null>(null);
