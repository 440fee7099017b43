interface ScriptPolicy {
  createScriptURL(url: string): string;
}

interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): ScriptPolicy;
}

const SCRIPT = "/service-worker.js";

let policy: ScriptPolicy | undefined;

/** Returns the worker's address as TrustedScriptURL, which the page's content policy requires. */
function trusted(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: PolicyFactory };
  if (trustedTypes === undefined) return SCRIPT;
  policy ??= trustedTypes.createPolicy("wheelhouse-service-worker", {
    createScriptURL: () => SCRIPT,
  });
  return policy.createScriptURL("");
}

/** Registers the service worker for push messages and the offline page; null when unsupported. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  // Service workers are unavailable over plain http from another machine
  if (!("serviceWorker" in navigator)) return null;
  try {
    return await navigator.serviceWorker.register(trusted());
  } catch {
    return null;
  }
}
