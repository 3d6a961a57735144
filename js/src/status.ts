/** Facts about the derivative in a few words. */
import { element } from "./dom";
import type { State } from "./state";
import { sameText } from "./state";
import { plural } from "./words";

/** live: the kernel that has it under a name is there. */
export function facts({ status, stages, final, bound }: State, stage: number, live = true): HTMLElement[] {
  const lines = stage === final ? status.lines : stages[stage]?.count ?? 0;
  const worked = stages.slice(0, stage + 1).filter((one, at) => one.part === "passes" && !sameText(one, stages[at - 1])).length;
  const come = lines >= 0;
  const words = [come ? plural(lines, "line") : "this text is being made"];
  if (!come) return words.map((one) => element("span", "fact", one));
  if (status.passes === 0) words.push("no passes");
  else if (stages.some(({ part, count }) => part === "passes" && count >= 0)) words.push(`${plural(worked, "pass", "passes")} changed it`);
  if (status.ms !== null) words.push(`derived in ${milliseconds(status.ms)} ms`);
  const parts = words.map((one) => element("span", "fact", one));
  if (bound !== "") parts.push(element("span", "fact", `${live ? "in use as" : "was in use as"} ${bound}`));
  if (status.check !== "") parts.push(element("span", "fact", ...checked(status.check, status.good)));
  return parts;
}

function checked(text: string, good: boolean | null): (Node | string)[] {
  return good === null ? [text] : [element("span", good ? "yes" : "no", good ? "✓" : "✗"), ` ${text}`];
}

function milliseconds(ms: number): string {
  return ms >= 10 ? ms.toFixed(0) : String(Number(ms.toPrecision(2)));
}
