import { isStorageRefused } from "../lib/stored.ts";
import { toastProblem } from "../lib/toast.ts";

/** Warns when the browser refuses local storage, since the practice wallet's key would be lost. */
export function warnOfRefusedStorage(storage?: () => Storage): void {
  if (!isStorageRefused(storage)) return;
  toastProblem({
    title: "This browser keeps nothing for this page",
    message:
      "You can look around and use your own wallet, but settings, drafts and the Practice wallet are gone when the page closes. Allow storage for this site to keep them.",
  });
}
