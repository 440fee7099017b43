import { type ReactNode, Suspense, useState } from "react";
import { lazyPart } from "../../ui/lazy-part.tsx";

const LinkDialog = lazyPart(() => import("./link-dialog.tsx"), { isAbove: true });

interface SafeLinkProps {
  readonly href: string;
  /** Link text; absent when the host is shown elsewhere. */
  readonly children?: ReactNode;
  readonly className?: string;
  readonly withHost?: boolean;
}

/** Returns the URL when it may be linked: https only, with the real host behind any user part. */
export function readLink(href: string): URL | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  return url.protocol === "https:" && url.host !== "" ? url : null;
}

/** Returns whether a host has an internationalised label (xn--), which can imitate another site's name. */
export function mayImitate({ hostname }: URL): boolean {
  return hostname.split(".").some((label) => label.startsWith("xn--"));
}

/** Link that shows its host and asks before opening. Addresses other than https stay plain text. */
export function SafeLink({ href, children, className, withHost = true }: SafeLinkProps) {
  const [isAsking, setAsking] = useState(false);
  const url = readLink(href);
  if (!url) return <span>{children}</span>;
  return (
    <>
      <a
        href={url.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        className={className ?? "font-medium text-accent-text underline underline-offset-2"}
        onClick={(event) => {
          event.preventDefault();
          setAsking(true);
        }}
        onAuxClick={(event) => event.preventDefault()}
      >
        {children}
        {withHost && (
          <span className="font-normal wrap-anywhere text-muted no-underline"> ({url.host})</span>
        )}
        {mayImitate(url) && (
          <span className="font-medium text-warn"> may imitate another name</span>
        )}
      </a>
      {isAsking && (
        <Suspense>
          <LinkDialog url={url} mayImitate={mayImitate(url)} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}
