import { Component, type ComponentType, createElement, lazy, use, useState } from "react";
import type { ReactNode } from "react";
import { PartExit } from "./part-exit.ts";
import { PartFailed } from "./part-failed.tsx";

type Load<P> = () => Promise<{ readonly default: ComponentType<P> }>;

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
async function loadAgain<P>(address: string, load: Load<P>): ReturnType<Load<P>> {
  const found = (await import(/* @vite-ignore */ address)) as { default?: ComponentType<P> };
  return found.default === undefined ? load() : { default: found.default };
}

/** Creates a lazily loaded component. A failed load affects only this part and offers Retry. */
export function lazyPart<P extends object>(
  load: Load<P>,
  options: LazyPartOptions<P> = {},
): LazyPart<P> {
  let asked: ReturnType<Load<P>> | undefined;
  let lost: string | null = null;
  let tries = 0;
  function ask(): ReturnType<Load<P>> {
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
