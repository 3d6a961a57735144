/** Elements of drawings, made by createElementNS and textContent alone. */
import type { Css } from "./dom";
import { visible } from "./visible";

const NAMESPACE = "http://www.w3.org/2000/svg";

export type Geometry = Readonly<Partial<Record<
  "x" | "y" | "width" | "height" | "rx" | "d" | "transform" | "text-anchor" | "viewBox" | "refX" | "refY" | "markerWidth" | "markerHeight" | "orient" | "marker-end" | "id",
  string | number>>>;

export function shape<K extends keyof SVGElementTagNameMap>(
  name: K, css: Css | readonly Css[], geometry: Geometry = {}, ...content: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(NAMESPACE, name);
  const classes = typeof css === "string" ? [css] : css;
  if (classes.length > 0) made.setAttribute("class", classes.map((one) => `tnb-${one}`).join(" "));
  for (const [key, value] of Object.entries(geometry)) made.setAttribute(key, String(value));
  made.append(...content.map((one) => typeof one === "string" ? visible(one) : one));
  return made;
}

const KEPT = ["fill", "stroke", "stroke-width", "stroke-linejoin", "paint-order", "font-size", "font-weight", "font-family"] as const;

/** A drawing as a file of its own, which looks as it does here. */
export function standalone(drawing: SVGSVGElement, width: number, height: number): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const made = [...copy.querySelectorAll("rect, path, text")];
  [...drawing.querySelectorAll("rect, path, text")].forEach((one, at) => {
    const style = getComputedStyle(one);
    for (const name of KEPT) made[at]?.setAttribute(name, plain(style.getPropertyValue(name)));
  });
  for (const one of [copy, ...copy.querySelectorAll("*")]) {
    for (const name of one.getAttributeNames()) if (/^(aria-|data-|role$|tabindex$|class$)/.test(name)) one.removeAttribute(name);
  }
  for (const [name, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) copy.setAttribute(name, String(value));
  return new XMLSerializer().serializeToString(copy);
}

/** Colours that are mixed as programs write them that know no others. */
function plain(value: string): string {
  return value.replace(/color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+).*?\)/g, (_, ...parts: string[]) =>
    `rgb(${parts.slice(0, 3).map((part) => Math.round(255 * Number(part))).join(", ")})`);
}
