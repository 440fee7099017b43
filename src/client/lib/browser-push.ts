import { registerServiceWorker } from "./service-worker.ts";

/** What a push service needs to reach this browser. */
export interface BrowserSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
  /** Name to tell browsers apart by. */
  readonly browser: string;
}

/** Asks for leave to show notices and subscribes; answers a sentence where that is not possible. */
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

/** "Firefox, Linux", as far as the browser says. */
function browserName(): string {
  const { userAgent } = navigator;
  const name =
    [/Edg\//, /OPR\//, /Firefox\//, /Chrome\//, /Safari\//].find((each) => each.test(userAgent)) ??
    null;
  const names: Readonly<Record<string, string>> = {
    "Edg\\/": "Edge",
    "OPR\\/": "Opera",
    "Firefox\\/": "Firefox",
    "Chrome\\/": "Chrome",
    "Safari\\/": "Safari",
  };
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0] ?? "";
  return [names[name?.source ?? ""] ?? "A browser", system.replace("Mac OS X", "macOS")]
    .filter((part) => part !== "")
    .join(", ");
}
