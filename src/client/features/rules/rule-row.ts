import type { Signal } from "../../../domain/signal.ts";

export interface NamedAlert {
  readonly key: string;
  readonly name: string;
}

export interface RuleRow {
  readonly key: string;
  readonly triggers: readonly {
    readonly alertKey: string;
    readonly requiredCount: number;
    readonly count?: number;
  }[];
  readonly action: Signal | "";
}
