interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
}

const SCRIPT = "/service-worker.js";

let policy: ScriptPolicy | undefined;

/** The page's policy takes no script address as plain text. */
function trusted(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  if (trustedTypes === undefined) return SCRIPT;
  policy ??= trustedTypes.createPolicy("wheelhouse-service-worker", {
    createScriptURL: () => SCRIPT,
  });
  return policy.createScriptURL("");
}

/** Registers what receives push messages and shows the offline page; null where the browser has no such thing. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  // Over plain http to another machine there is none
  if (!("serviceWorker" in navigator)) return null;
  try {
    return await navigator.serviceWorker.register(trusted());
  } catch {
    return null;
  }
}
