import { Component, type ReactNode } from "react";

interface PlainWhenBrokenProps {
  /** Text shown verbatim when the children fail to render or load. */
  readonly text: string;
  readonly children: ReactNode;
}

/** Error boundary for one message, so that a render failure does not break the page. */
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
