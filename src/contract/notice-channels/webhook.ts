import { defineChannel, hostOf, httpsAddress } from "./channel.ts";

export const webhook = defineChannel({
  kind: "webhook",
  title: "Webhook",
  icon: "webhook",
  shape: { url: httpsAddress },
  form: [
    {
      name: "url",
      label: "Address",
      hint: "A public https address of yours. Our calls are signed; the secret is shown once after this.",
      placeholder: "https://…",
      wrong: "The address must begin with https://.",
    },
  ],
  hasSecret: true,
  labelOf: ({ url }) => hostOf(url),
  placeOf: ({ url }) => `the webhook at ${hostOf(url)}`,
});
