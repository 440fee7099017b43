import { trustedScript } from "./trusted-script.ts";

/** Registers the service worker for push messages and the offline page; null when unsupported. */
export async function registerServiceWorker(): Promise<ServiceWorkerRegistration | null> {
  // Service workers are unavailable over plain http from another machine
  if (!("serviceWorker" in navigator)) return null;
  try {
    return await navigator.serviceWorker.register(
      trustedScript("wheelhouse-service-worker", "/service-worker.js"),
    );
  } catch {
    return null;
  }
}
