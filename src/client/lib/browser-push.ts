import { registerServiceWorker } from "./service-worker.ts";

/** Push subscription of this browser. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** Display name that tells browsers apart. */
  readonly browser: string;
}

/** Requests notification permission and subscribes; returns an error sentence when that is not possible. */
export async function subscribeBrowser(pushKey: string): Promise<BrowserSubscription | string> {
  const registration = await registerServiceWorker();
  if (registration === null || !("pushManager" in registration)) {
    return "This browser takes no messages here. On a phone add the page to the home screen first.";
  }
  if ((await Notification.requestPermission()) !== "granted") {
    return "The browser does not let this page show notices. Allow it in the site's settings.";
  }
  try {
    await navigator.serviceWorker.ready;
    const subscription = await registration.pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: pushKey,
    });
    const { endpoint = "", keys = {} } = subscription.toJSON();
    const { p256dh = "", auth = "" } = keys;
    return { endpoint, p256dh, auth, browser: browserName() };
  } catch {
    return "The browser's push service could not be reached.";
  }
}

const BROWSERS = {
  Edg: "Edge",
  OPR: "Opera",
  Firefox: "Firefox",
  Chrome: "Chrome",
  Safari: "Safari",
};

/** Returns browser and platform name, for instance "Firefox, Linux". */
function browserName(): string {
  const { userAgent } = navigator;
  // Edge and Opera name Chrome as well, and Chrome names Safari
  const named = Object.entries(BROWSERS).find(([mark]) => userAgent.includes(`${mark}/`));
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0] ?? "";
  return [named?.[1] ?? "A browser", system.replace("Mac OS X", "macOS")]
    .filter((part) => part !== "")
    .join(", ");
}
