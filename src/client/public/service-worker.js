// Receives push messages, compares assets with the build's digests, and shows a page while the server cannot be reached.
// It keeps nothing: no page, no answer.

// Filled in by the build: the SHA-256 of each asset, in base64, by its path
const DIGESTS = {};

const OFFLINE_PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Wheelhouse is not reachable</title>
    <style>
      body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; padding: 24px; text-align: center; }
      a { color: inherit; }
    </style>
  </head>
  <body>
    <main>
      <h1>Wheelhouse is not reachable</h1>
      <p>You are offline, or the server is. Agents that are on go on trading where the server runs.</p>
      <p><a href="">Try again</a></p>
    </main>
  </body>
</html>`;

function offlinePage() {
  return new Response(OFFLINE_PAGE, {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
    },
  });
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(offlinePage));
    return;
  }
  const { origin, pathname } = new URL(request.url);
  // Assets of a newer build than this worker are not in the list
  const digest = origin === self.location.origin ? DIGESTS[pathname] : undefined;
  if (digest !== undefined) event.respondWith(fetchChecked(request, digest));
});

async function fetchChecked(request, digest) {
  const response = await fetch(request);
  if (!response.ok) return response;
  const sum = new Uint8Array(
    await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer()),
  );
  return btoa(String.fromCharCode(...sum)) === digest ? response : Response.error();
}

self.addEventListener("push", (event) => {
  const { id, title, body, url } = event.data?.json() ?? {};
  event.waitUntil(
    self.registration.showNotification(title ?? "Wheelhouse", {
      body: body ?? "",
      // The same message again takes the place of the first
      tag: `notice-${id}`,
      icon: "/icon-192.png",
      data: { url: url ?? "/" },
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openPage(event.notification.data.url));
});

async function openPage(url) {
  const open = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.length > 0) return open[0].focus();
  // Only this page's own address, whatever a message says
  const { origin, pathname, search } = new URL(url, self.location.origin);
  return self.clients.openWindow(origin === self.location.origin ? pathname + search : "/");
}
