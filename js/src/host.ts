/** What a view needs of where it stands: a state, and one to ask for another. */
import type { Choice } from "./choice";
import type { Helper } from "./state";

export type Ask = ({ readonly kind: "derive" | "other" } & Choice) | ({ readonly kind: "prepare"; readonly whole: boolean } & Choice) | { readonly kind: "use" | "again" | "export" | "take" | "step" | "measure" | "edit" | "costs" | "graph" | "tape" }
  | { readonly kind: "draft" | "apply"; readonly text: string }
  | { readonly kind: "spread"; readonly tape: string }
  | { readonly kind: "helper" | "hint" | "show"; readonly name: string }
  | { readonly kind: "moments"; readonly piece: number }
  | { readonly kind: "text"; readonly place: number }
  | { readonly kind: "fold"; readonly calls: readonly number[] }
  | { readonly kind: "card"; readonly side: "primal" | "derived"; readonly stage: number; readonly row: number; readonly run: boolean };

/** silent: there is no answer, and none is waited for any more. */
export type Answer =
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly text: string }
  | { readonly kind: "exported"; readonly html: string }
  | { readonly kind: "taken"; readonly text: string }
  | { readonly kind: "explained"; readonly helper: Helper }
  | { readonly kind: "stepped"; readonly overview: unknown }
  | { readonly kind: "moments"; readonly moments: unknown }
  | { readonly kind: "beside" | "prepared"; readonly state: unknown }
  | { readonly kind: "measured"; readonly figures: unknown }
  | { readonly kind: "card"; readonly card: unknown }
  | { readonly kind: "editor"; readonly code: Uint8Array; readonly text: string; readonly first: number; readonly head: readonly string[]; readonly cell: string }
  | { readonly kind: "draft"; readonly draft: unknown }
  | { readonly kind: "applied"; readonly failed: boolean; readonly text: string; readonly lines: readonly number[] }
  | { readonly kind: "costs" | "graph" | "tape" | "spread"; readonly found: unknown }
  | { readonly kind: "silent" };

/** doubtful: the kernel has gone or come back, and which of the two cannot be seen. */
export type Reach = "live" | "doubtful" | "gone";

export interface Host {
  /** An exported page: no kernel. */
  readonly offline: boolean;
  state(): unknown;
  /** Calls back when the state is another, or the kernel has come or gone; gives what ends that. */
  onState(changed: () => void): () => void;
  /** Calls back when what was prepared, or shown before, may not be so any more; gives what ends that. */
  onForgotten(told: () => void): () => void;
  /** Why a choice cannot be had, "" if it can. */
  can(choice: Choice): string;
  /** Whether the kernel can be asked. */
  reach(): Reach;
  /** Never rejects. */
  ask(message: Ask): Promise<Answer>;
}
