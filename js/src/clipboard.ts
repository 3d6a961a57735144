/** Text to the clipboard; where the browser forbids the one way, by the other. */
import { element, KEYS, set } from "./dom";

export async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    // Undefined outside of secure contexts, whatever the types say.
    const clipboard = (navigator as { clipboard?: Clipboard }).clipboard;
    if (clipboard !== undefined) {
      await clipboard.writeText(text);
      return true;
    }
  } catch {
    // No permission: frames of other origins have none.
  }
  return copySelected(text, near);
}

function copySelected(text: string, near: HTMLElement): boolean {
  const focused = document.activeElement;
  const area = set(element("textarea", "sr"), { ...KEYS, tabindex: -1 });
  area.value = text;
  near.append(area);
  area.focus({ preventScroll: true });
  area.select();
  try {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- the only way without the permission
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  }
}
