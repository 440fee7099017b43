import {
  Component,
  createContext,
  type ComponentType,
  createElement,
  lazy,
  use,
  useState,
  type ReactNode,
  useEffect,
  useEffectEvent,
} from "react";
import { clsx } from "clsx";
import { checkHealth, health } from "../lib/health.ts";
import { isNetworkError } from "../lib/problem.ts";
import { Button } from "./button.tsx";

/** Closes a failed part that opens above the page, unless it has its own `onClose`. */
export const PartExit = createContext<(() => void) | null>(null);

export type LoadPart<P> = () => Promise<{ readonly default: ComponentType<P> }>;

interface LazyPartOptions<P> {
  /** True when the part opens above the page, so that a failure has no place in the layout. */
  readonly isAbove?: boolean;
  /** Shown instead of the part after a failure, for instance a menu's button. */
  readonly standIn?: (props: P) => ReactNode;
}

interface LazyPart<P> {
  (props: P): ReactNode;
  /** Preloads the code; a failure is reported when the part is shown. */
  preload(): void;
}

/** Returns the module address from an import error of Chromium or Firefox; null in other browsers. */
function addressOf(error: unknown): string | null {
  const named = /https?:\/\/[^\s?]+\.js/.exec(error instanceof Error ? error.message : "");
  return named?.[0].startsWith(`${location.origin}/`) === true ? named[0] : null;
}

/** Retries under a different query, because browsers cache a failed module import until the page reloads. */
async function loadAgain<P>(address: string, load: LoadPart<P>): ReturnType<LoadPart<P>> {
  const found = (await import(/* @vite-ignore */ address)) as { default?: ComponentType<P> };
  return found.default === undefined ? load() : { default: found.default };
}

/** Creates a lazily loaded component. A failed load affects only this part and offers Retry. */
export function lazyPart<P extends object>(
  load: LoadPart<P>,
  options: LazyPartOptions<P> = {},
): LazyPart<P> {
  let asked: ReturnType<LoadPart<P>> | undefined;
  let lost: string | null = null;
  let tries = 0;
  function ask(): ReturnType<LoadPart<P>> {
    // After a failure the next render loads again
    asked ??= (lost === null ? load() : loadAgain(`${lost}?again=${tries}`, load)).catch(
      (error: unknown) => {
        asked = undefined;
        lost = addressOf(error) ?? lost;
        tries += 1;
        throw error;
      },
    );
    return asked;
  }
  let current = lazy(ask);
  let isSpent = false;
  /** Returns the lazy component, replaced only after a failure was seen, because React caches a rejected one. */
  function usable(): typeof current {
    if (isSpent) current = lazy(ask);
    isSpent = false;
    return current;
  }

  function Part(props: P): ReactNode {
    const [Shown, setShown] = useState(usable);
    const exit = use(PartExit);
    const { onClose = exit } = props as { readonly onClose?: () => void };
    return (
      <PartBoundary
        isAbove={options.isAbove === true}
        standIn={options.standIn?.(props)}
        onFailed={() => (isSpent = true)}
        onRetry={() => setShown(usable)}
        onLeave={onClose}
      >
        {createElement(Shown as ComponentType<P>, props)}
      </PartBoundary>
    );
  }
  return Object.assign(Part, { preload: () => void ask().catch(() => {}) });
}

interface PartBoundaryProps {
  readonly isAbove: boolean;
  readonly standIn: ReactNode;
  readonly onFailed: () => void;
  readonly onRetry: () => void;
  readonly onLeave: (() => void) | null;
  readonly children: ReactNode;
}

interface PartBoundaryState {
  readonly hasFailed: boolean;
  readonly error: unknown;
  readonly tries: number;
}

class PartBoundary extends Component<PartBoundaryProps, PartBoundaryState> {
  override state: PartBoundaryState = { hasFailed: false, error: null, tries: 0 };

  static getDerivedStateFromError(error: unknown) {
    return { hasFailed: true, error };
  }

  override componentDidCatch(): void {
    this.props.onFailed();
  }

  override render() {
    const { hasFailed, error, tries } = this.state;
    const { isAbove, standIn, onRetry, onLeave, children } = this.props;
    if (!hasFailed) return children;
    return (
      <>
        {standIn}
        <PartFailed
          error={error}
          wasTried={tries > 0}
          isAbove={isAbove}
          onLeave={onLeave}
          onRetry={() => {
            this.setState({ hasFailed: false, tries: tries + 1 });
            onRetry();
          }}
        />
      </>
    );
  }
}

interface PartFailedProps {
  readonly error: unknown;
  /** True when an earlier retry failed. */
  readonly wasTried: boolean;
  readonly isAbove: boolean;
  readonly onRetry: () => void;
  readonly onLeave: (() => void) | null;
}

/** Shows a load failure in the part's place or, for a part above the page, at the page's edge. */
function PartFailed({ error, wasTried, isAbove, onRetry, onLeave }: PartFailedProps) {
  const wasLoading = isNetworkError(error);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!wasLoading) return;
    // The server can be away while the browser is online
    void checkHealth();
    const unfollow = health.subscribe((now, before) => {
      if (now.isOnline && !before.isOnline) retry();
    });
    return unfollow;
  }, [wasLoading]);
  return (
    <div
      role="alert"
      className={clsx(
        "flex flex-col gap-2",
        isAbove
          ? "fixed inset-x-3 bottom-16 z-50 mx-auto max-w-90 rounded-lg border border-line bg-surface p-4 shadow-pop"
          : "h-full min-h-40 items-center justify-center p-6 text-center",
      )}
    >
      <p className="text-base font-medium">
        {wasLoading ? "This part did not load" : "This part stopped working"}
      </p>
      <p className="max-w-80 text-sm text-balance text-muted">
        {wasLoading
          ? "Check your connection. The rest of the page goes on, and what you typed is still there."
          : "The rest of the page goes on. No money moved because of it."}
      </p>
      <div className="mt-2 flex gap-2">
        <Button tone="primary" onClick={onRetry}>
          Retry
        </Button>
        {wasTried && <Button onClick={() => location.reload()}>Reload page</Button>}
        {isAbove && onLeave && <Button onClick={onLeave}>Close</Button>}
      </div>
    </div>
  );
}
