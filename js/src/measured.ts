/** Asking the kernel for what it measures of the derivative that is shown. */
import type { Tell } from "./controls";
import type { Answer, Ask, Host } from "./host";
import { Malformed } from "./shapes";

/** null where it was not measured, or cannot be shown; then the reader is told why. */
export async function measured<T>(host: Host, what: "costs" | "graph" | "tape" | Extract<Ask, { readonly kind: "spread" }>, read: (found: unknown) => T, tell: Tell): Promise<T | null> {
  const message: Ask = typeof what === "string" ? { kind: what } : what;
  const { kind } = message;
  tell(kind === "spread" ? "gradients are being drawn" : `the ${kind} of a run: at work`);
  return readAnswer(await host.ask(message), kind, read, tell);
}

/** The same of an answer. */
export function readAnswer<T>(answer: Answer, kind: string, read: (found: unknown) => T, tell: Tell): T | null {
  try {
    if (answer.kind === "costs" || answer.kind === "graph" || answer.kind === "tape" || answer.kind === "spread") {
      const found = read(answer.found);
      tell("");
      return found;
    }
    tell(answer.kind === "failed" ? answer.text : "the kernel does not answer");
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    tell(`What the kernel sent cannot be shown: ${error.message.replace(/^state/, `the ${kind}`)}.`);
  }
  return null;
}
