import { Component, type ReactNode } from "react";

interface PlainWhenBrokenProps {
  /** Shown as it stands when the children cannot be drawn or loaded. */
  readonly text: string;
  readonly children: ReactNode;
}

/** Keeps a message that cannot be drawn from taking the page with it. */
export class PlainWhenBroken extends Component<
  PlainWhenBrokenProps,
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return <p className="break-words whitespace-pre-wrap">{this.props.text}</p>;
  }
}
