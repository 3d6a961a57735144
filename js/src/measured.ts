/** Asking the kernel for what it measures of the derivative that is shown. */
import type { Tell } from "./controls";
import type { Answer, Host } from "./host";
import { Malformed } from "./shapes";

/** null where it was not measured, or cannot be shown; then the reader is told why. */
export async function measured<T>(host: Host, kind: "costs" | "graph" | "tape", read: (found: unknown) => T, tell: Tell): Promise<T | null> {
  tell(`the ${kind} of a run: at work`);
  return readAnswer(await host.ask({ kind }), kind, read, tell);
}

/** The same of an answer. */
export function readAnswer<T>(answer: Answer, kind: string, read: (found: unknown) => T, tell: Tell): T | null {
  try {
    if (answer.kind === "costs" || answer.kind === "graph" || answer.kind === "tape") {
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
